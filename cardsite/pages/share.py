"""Share pictures of pages, and what a link to them says, one function for each kind of public page."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_GET

from accounts.models import User
from accounts.preferences import SITE_NAME
from cardsite.pages.players import with_page
from cardsite.web.share_pictures import SharePicture, legible
from games.core.cards import Card
from games.engines import GAMES, AnyGame
from games.models import Table
from games.presentation.invites import invitation_headline
from games.presentation.table_wording import clock_label, headline
from games.queries import shared_deals
from games.queries.public_games import is_public_game
from games.templatetags.cards import TILE_CARDS
from games.views.access import table_or_404
from games.views.lobby import game_or_404
from games.views.shared_deals import offered_or_404
from infra.numbers import read_number
from infra.once import once
from tournaments.domain.recurrence import rule_in_words
from tournaments.models import BotLeague, DivisionLeague, Entry, Event, Ladder, Season, Series
from tutorials.content.lessons import Course
from tutorials.models import Puzzle
from tutorials.views.addresses import course_or_404
from tutorials.views.lessons import OpenLesson

IMMUTABLE = cache_control(public=True, max_age=31_536_000, immutable=True)
WELCOME_CARDS = ("AS", "KH", "QD")
LISTS = {
    "games": ("All games", f"{len(GAMES)} card games to learn and play."),
    "learn": ("Learn by playing", "Short lessons at a real table, with answers to every move."),
    "play": ("Play", "Play a bot, a friend, or someone online."),
    "puzzles": ("Puzzles", "One move is clearly the best. Can you find it?"),
    "tournaments": ("Tournaments", "They start on time. Bots fill empty seats, so you always have an opponent."),
}


class Shared(NamedTuple):
    """What a link says. kind, key: in the address of the picture."""

    kind: str
    key: str
    title: str
    description: str
    picture: SharePicture

    @property
    def picture_path(self) -> str:
        return reverse("share-picture", args=[self.kind, self.key, self.picture.version])


def shared_home() -> Shared:
    text = f"Learn {len(GAMES)} card games by playing them"
    lines = ("Lessons, bots, puzzles, tournaments",)
    picture = SharePicture(SITE_NAME, text, lines, (WELCOME_CARDS,))
    return Shared("site", "home", text, "Learn, play and compete at card games.", picture)


def shared_list(kind: str) -> Shared:
    """A page that leads to many others. kind: one of `LISTS`."""
    title, text = LISTS[kind]
    return Shared("lists", kind, title, text, SharePicture(SITE_NAME, title, (text,), (WELCOME_CARDS,)))


def shared_ratings(rules: AnyGame) -> Shared:
    title, text = f"{rules.name} ratings", "The strongest players and bots."
    picture = SharePicture("Leaderboard", title, (text,), (_tile_cards(rules.slug),))
    return Shared("ratings", rules.slug, title, text, picture)


def shared_rules(rules: AnyGame) -> Shared:
    """A game, such as Casino, with its page."""
    picture = SharePicture("Card game", rules.name, ("Lessons, bots, people to play with",), (_tile_cards(rules.slug),))
    return Shared("rules", rules.slug, rules.name, rules.summary, picture)


def shared_rule_book(rules: AnyGame) -> Shared:
    picture = SharePicture("Rule book", rules.name, ("Every rule, with a search",), (_tile_cards(rules.slug),))
    return Shared("rule-books", rules.slug, f"{rules.name}: the rules", rules.summary, picture)


def shared_table(table: Table) -> Shared | None:
    """An invitation, a game in play, or its result; None where the page shows nothing of it to visitors."""
    if table.is_over:
        return shared_game(table)
    if table.is_hidden or not shared_deals.may_see_cards(table, AnonymousUser()):
        return None
    rules, cards = table.rules, (_tile_cards(table.game),)
    if table.started_at is None and not table.is_shuffling:
        title = invitation_headline(table)
        terms = f"{table.seat_count} players, {clock_label(table)}{', rated' if table.is_rated else ''}."
        drawn = legible(title, f"An invitation to {rules.name}")
        picture = SharePicture(rules.name, drawn, (legible(terms, ""),), cards)
        return Shared("games", table.code, title, f"{terms} {rules.summary}", picture)
    picture = SharePicture(rules.name, " - ".join(_drawn_names(table)), ("A game in progress",), cards)
    return Shared("games", table.code, f"{rules.name}: {', '.join(table.names)}", "Watch this game.", picture)


def shared_game(table: Table) -> Shared | None:
    """The result of a finished game, None if it is not public."""
    if not is_public_game(table):
        return None
    title = drawn = headline(table)
    names = _drawn_names(table)
    for name, plain in zip(table.names, names, strict=True):
        drawn = drawn.replace(name, plain)
    picture = SharePicture(
        table.rules.name, legible(drawn, "The game is over"), (" - ".join(names),), (_tile_cards(table.game),)
    )
    return Shared("games", table.code, title, f"{table.rules.name}: score sheet and replay.", picture)


def _drawn_names(table: Table) -> list[str]:
    return [legible(name, f"Player {number}") for number, name in enumerate(table.names, 1)]


def shared_deal(table: Table) -> Shared | None:
    """The page on which anyone plays the cards that this table offers; None if the table is hidden."""
    if table.is_hidden:
        return None
    title = f"{table.rules.name}: the same deal"
    picture = SharePicture(table.rules.name, "The same deal", ("How well can you do?",), (_tile_cards(table.game),))
    text = f"Play the cards that {' and '.join(table.names)} had, and compare your results."
    return Shared("deals", table.code, title, text, picture)


def shared_puzzle(puzzle: Puzzle) -> Shared:
    """The position as the player to move sees it; nothing of the answer."""
    view = puzzle.state.view(puzzle.seat)
    hand: list[Card] = []
    others: list[Card] = []
    for zone in view.zones:
        cards = zone.cards[-1:] if zone.kind in ("stock", "pile") else zone.cards
        (hand if zone.kind == "hand" and zone.owner == puzzle.seat else others).extend(cards)
    rows = tuple(tuple(row) for row in (others, hand) if row)
    title = "What is your best move?"
    picture = SharePicture(f"{puzzle.rules.name} puzzle", title, (), rows)
    return Shared("puzzles", str(puzzle.pk), title, "One move is clearly the best. Can you find it?", picture)


def shared_event(event: Event) -> Shared:
    winner = event.entries.filter(place=1).first() if event.status == Event.Status.FINISHED else None
    when = date_format(localtime(event.starts_at), "j M Y, H:i")
    lines = (f"{event.plan.name}, {when} UTC", _champion(winner) if winner else "")
    picture = SharePicture(
        f"{event.rules.name} tournament", legible(event.name, "A tournament"), tuple(filter(None, lines)),
        (_tile_cards(event.game),),
    )  # fmt: skip
    return Shared(
        "tournaments", str(event.pk), event.name, f"{event.rules.name}, {event.plan.name}, {when} UTC.", picture
    )


def _champion(entry: Entry) -> str:
    name = legible(entry.name, "")
    return f"Champion: {name}" if name else ""


def shared_series(series: Series) -> Shared:
    text = f"{series.rules.name}, {series.plan.name}, {rule_in_words(series.rrule)}."
    return _shared_contest("series", series, "Series of tournaments", text, _tile_cards(series.game))


def shared_season(season: Season) -> Shared:
    text = "Points from several tournaments, added up for each player."
    return _shared_contest("seasons", season, "Season", text)


def shared_divisions(league: DivisionLeague) -> Shared:
    text = "Everyone plays everyone in a division, the best go up, and the last go down."
    return _shared_contest("divisions", league, "League in divisions", text)


def shared_ladder(ladder: Ladder) -> Shared:
    text = f"{ladder.rules.name}: challenge a player above you and win their place."
    return _shared_contest("ladders", ladder, "Ladder", text, _tile_cards(ladder.game))


def shared_bot_league(league: BotLeague) -> Shared:
    text = f"{league.rules.name}: how strong each level of bot is, with every game."
    return _shared_contest("leagues", league, "Bot league", text, _tile_cards(league.game))


def _shared_contest(
    kind: str,
    contest: Series | Season | DivisionLeague | Ladder | BotLeague,
    label: str,
    text: str,
    cards: tuple[Card, ...] = WELCOME_CARDS,
) -> Shared:
    picture = SharePicture(label, legible(contest.name, label), (text,), (cards,))
    return Shared(kind, str(contest.pk), contest.name, text, picture)


def shared_player(person: User) -> Shared:
    """A person with a page, or a bot."""
    kind = "Player" if person.has_account else "Bot"
    text = "Ratings, games and tournaments"
    picture = SharePicture(kind, legible(str(person), "A player"), (text,), (WELCOME_CARDS,))
    return Shared("players", str(person.pk), str(person), f"{text} of this {kind.lower()}.", picture)


def shared_course(course: Course) -> Shared:
    lines = (f"{len(course.chapters)} chapters, {len(course.steps)} steps", "At a real table, from the first card")
    picture = SharePicture("Course", legible(course.title, "A course"), lines, (_tile_cards(course.game),))
    return Shared(
        "courses", course.game, course.title, "Short lessons at a real table, with answers to every move.", picture
    )


def shared_lesson(lesson: OpenLesson) -> Shared:
    """A step of a course, with the picture of the course."""
    title = f"{lesson.course.title}: {lesson.step.title}"
    return shared_course(lesson.course)._replace(title=title)


def _tile_cards(game: str) -> tuple[Card, ...]:
    return TILE_CARDS.get(game, ("AS", "AH"))


def _row(rows: Any, share: Callable[[Any], Shared]) -> Callable[[str], Shared]:
    return lambda key: share(get_object_or_404(rows, pk=read_number(key, 0)))


KINDS: dict[str, Callable[[str], Shared | None]] = {
    "site": lambda key: shared_home(),
    "lists": lambda key: shared_list(key) if key in LISTS else None,
    "ratings": lambda key: shared_ratings(game_or_404(key)),
    "rules": lambda key: shared_rules(game_or_404(key)),
    "rule-books": lambda key: shared_rule_book(game_or_404(key)),
    "games": lambda code: shared_table(table_or_404(code)),
    "deals": lambda code: shared_deal(offered_or_404(code)),
    "puzzles": _row(Puzzle.objects.open(), shared_puzzle),
    "tournaments": _row(Event, shared_event),
    "series": _row(Series, shared_series),
    "seasons": _row(Season, shared_season),
    "divisions": _row(DivisionLeague, shared_divisions),
    "ladders": _row(Ladder, shared_ladder),
    "leagues": _row(BotLeague, shared_bot_league),
    "players": _row(with_page(), shared_player),
    "courses": lambda key: shared_course(course_or_404(key)),
}


@require_GET
def picture(request: HttpRequest, kind: str, key: str, version: str) -> HttpResponse:
    """A picture under its address for good; an older address leads to the present one."""
    shared = KINDS[kind](key) if kind in KINDS else None
    if shared is None:
        raise Http404("There is no picture of this.")
    if version != shared.picture.version:
        return redirect(shared.picture_path)
    return _immutable_picture(request, shared.picture)


@IMMUTABLE
def _immutable_picture(request: HttpRequest, shown: SharePicture) -> HttpResponse:
    return HttpResponse(once(f"share:{shown.version}", shown.png), content_type="image/png")
