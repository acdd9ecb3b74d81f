"""The site that the walk over all addresses goes through: people of every role, and something of everything.

What can belong to somebody belongs to `player`, unless it says otherwise. Cup, singles, doubles and swiss are directed
by `director`, who has `helper` to help; `outsider` directs an event of their own.
"""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from django.core import signing
from django.utils import timezone

from accounts import bots, tokens
from accounts.models import LoginRecord, SecondFactor, User
from accounts.services import make_guest
from chat import reports
from chat import services as chat
from chat.moderation import services as moderation
from games import services as games
from games.bots import LEVELS
from games.models import Challenge, Table
from games.services import house_bots
from games.services.questions import last_question
from notifications import email
from notifications.models import MailAddress, Notice, PushSubscription, Webhook, WebhookDelivery
from tests.tables import add_values
from tests.tournaments.factories import NOON, entry_of, match_of, open_tables, person, table_of, win
from tests.tournaments.leagues import planned, play
from tests.tutorials.puzzle_samples import store_sample
from tournaments import services
from tournaments.models import CalendarToken, DivisionLeague, Entry, Event, Ladder, LeagueGame, Match, Season, Series
from tournaments.services import ladders
from tournaments.services.league import play_night_now

ROLES = (
    "anonymous", "guest", "member", "elsewhere", "player", "partner", "outsider", "helper", "director", "admin",
)  # fmt: skip
PASSWORD = "correct horse battery"


def built() -> SimpleNamespace:
    world = SimpleNamespace()
    world.people = {role: make_guest() if role == "guest" else person(role) for role in ROLES[1:]}
    for user in world.people.values():
        if not user.is_guest:
            user.set_password(PASSWORD)
            user.email = f"{user.username}@example.org"
            user.save()
    User.objects.filter(username="admin").update(is_staff=True, is_superuser=True)
    world.people["admin"].refresh_from_db()
    world.player = world.people["player"]
    for level in LEVELS:
        house_bots.make_house_bots("casino", level, ["Ada", "Bo", "Cy"])
    _events(world)
    _leagues(world)
    _tables(world)
    _call(world)
    _belongings(world)
    _chat(world)
    world.puzzle = store_sample()
    return world


def _event(world: Any, name: str, *, people: str = "", director: str = "director", **settings: Any) -> Event:
    chosen = {"game": "casino", "options": {"target": 11}, "starts_at": NOON, "check_in_minutes": 0}
    event = Event(name=name, lots=name, status=Event.Status.REGISTRATION, **chosen | settings)
    event.full_clean()
    services.save_event(event, by=person(director), now=NOON - timedelta(hours=1))
    for one in people.split():
        services.add_entry(event_id=event.pk, user=person(one), by=person(director))
    if director == "director":
        services.name_role(event_id=event.pk, user_id=person("helper").pk, role="helper", by=person(director))
    event.refresh_from_db()
    return event


def _events(world: Any) -> None:
    pairs = {"game": "push", "options": {}, "seats": 4}
    world.series = Series.objects.create(name="Fridays", game="casino", first_start_at=NOON)
    world.evening = _evening_of_series()
    world.singles = _event(world, "Singles", people="player third gone", starts_at=timezone.now() + timedelta(days=1))
    services.withdraw_entry(event_id=world.singles.pk, user=person("gone"))
    world.closed = _event(world, "Closed", people="player")
    services.close_entries(event_id=world.closed.pk, by=person("director"))
    world.doubles = _event(world, "Doubles", people="player lonely asking elsewhere here", check_in_minutes=5, **pairs)
    services.join_partner(entry_id=entry_of(world.doubles, "player").pk, user=person("partner"))
    services.invite_partner(event_id=world.doubles.pk, user=person("asking"), partner=person("member"))
    services.open_check_in(event_id=world.doubles.pk, now=NOON - timedelta(minutes=3))
    services.check_in_player(event_id=world.doubles.pk, user=person("here"))
    world.other = _event(world, "Other", people="player third", director="outsider")
    world.other_doubles = _event(world, "Other doubles", people="lonely", director="outsider", **pairs)
    _swiss(world)
    _cup(world)
    _teams(world)
    world.paused = _event(world, "Paused", people="player third")
    services.start_event(event_id=world.paused.pk, now=NOON)
    services.pause_event(event_id=world.paused.pk, by=person("director"))
    Entry.objects.filter(event=world.paused, user=world.player).update(sits_out=True)
    world.duplicate = _event(world, "Duplicate", people="third fourth", dealing="same")
    services.start_event(event_id=world.duplicate.pk, now=NOON)
    open_tables(world.duplicate)
    win(world.duplicate, "third")
    world.season = Season.objects.create(name="Season", series=world.series, created_by=person("director"))
    world.season.events.add(world.duplicate)
    pots = {"group_size": 2, "qualifiers": 1, "drawn": "pots"}
    world.drawn = _event(world, "Drawn", people="third fourth", format="groups", format_options=pots)
    _ladder(world)
    world.divisions = DivisionLeague.objects.create(name="League", template=world.cup, created_by=person("director"))


def _evening_of_series() -> Event:
    """The first of two coming events of a series that its director has planned."""
    series = Series.objects.create(
        name="Mondays",
        game="casino",
        first_start_at=(timezone.now() + timedelta(days=3)).replace(second=0, microsecond=0),
        ahead=2,
        created_by=person("director"),
    )
    return services.plan_series(series_id=series.pk, now=timezone.now())[0]


def _ladder(world: Any) -> None:
    """The player has been challenged, and could challenge another one."""
    made = Ladder(name="Ladder", game="casino", allowed_declines=1)
    world.ladder = ladders.save_ladder(made, by=person("director"))
    for name in ("fourth", "player", "third"):
        ladders.join_ladder(ladder_id=world.ladder.pk, user=person(name), now=timezone.now())
    world.ladder_top, own, last = world.ladder.players.order_by("pk")
    world.ladder_challenge = ladders.challenge_player(
        ladder_id=world.ladder.pk, user=last.user, player_id=own.pk, now=timezone.now()
    )


def _swiss(world: Any) -> None:
    """Its first round is still to be published."""
    people = "player third fourth fifth"
    world.swiss = _event(world, "Swiss", people=people, format="swiss", publishes_by_hand=True, late_rounds=3)
    late = services.add_entry(event_id=world.swiss.pk, user=person("late"), by=person("director"))
    services.start_event(event_id=world.swiss.pk, now=NOON)
    world.swiss.matches.all().delete()
    Entry.objects.filter(pk=late.pk).update(status=Entry.Status.NO_SHOW, seed=None)
    services.forbid_pair(
        event_id=world.swiss.pk, first=entry_of(world.swiss, "player").pk, second=entry_of(world.swiss, "third").pk,
        by=person("director"),
    )  # fmt: skip
    services.run_due_steps(event_id=world.swiss.pk, now=NOON)
    world.swiss.refresh_from_db()
    world.forbidden = world.swiss.forbidden_pairs.get()


def _cup(world: Any) -> None:
    """One match is being played, one decided, one set aside."""
    world.cup = _event(world, "Cup", people="player third fourth fifth sixth seventh", format="round-robin")
    services.start_event(event_id=world.cup.pk, now=NOON)
    open_tables(world.cup)
    in_round = list(world.cup.matches.filter(round__number=1))
    world.match = match_of(world.cup, "player")
    if world.match not in in_round:
        world.match = world.cup.matches.get(round__number=1, sides__entry__user=world.player)
    world.decided, world.set_aside = [match for match in in_round if match != world.match]
    services.adjudicate(match_id=world.decided.pk, places=[1, 2], by=person("director"), why="It was seen.")
    games.stop_table(table_id=table_of(world.set_aside).pk)
    world.set_aside.games.all().delete()
    Match.objects.filter(pk=world.set_aside.pk).update(status=Match.Status.WAITING, set_aside_because="ValueError")
    services.post_announcement(event_id=world.cup.pk, text="Welcome.", by=person("director"))
    world.announcement = world.cup.announcements.get()
    world.role = world.cup.roles.get(user=person("helper"))
    services.name_role(event_id=world.cup.pk, user_id=person("aide").pk, role="helper", by=person("director"))
    world.aide = world.cup.roles.get(user=person("aide"))


def _teams(world: Any) -> None:
    """A team of player, partner and here; member is invited to it."""
    world.teams = _event(world, "Teams", format="swiss", team_boards=2, team_substitutes=6)
    reds = services.add_entry(event_id=world.teams.pk, user=world.player, team="Reds", by=person("director"))
    for name in ("partner", "here"):
        services.invite_member(entry_id=reds.pk, member=person(name), by=person("director"))
    services.invite_member(entry_id=reds.pk, member=person("member"), by=world.player)
    world.team = Entry.objects.get(pk=reds.pk)


def _leagues(world: Any) -> None:
    world.league = planned(deals=2)
    world.night = play(play_night_now(league_id=world.league.pk, now=NOON))
    world.league_game = LeagueGame.objects.order_by("pk").first()


def _table(*names: str, **more: Any) -> Table:
    people = [person(name) for name in names]
    more = {
        "game": "casino",
        "options": None,
        "secret": _secret(),
        "allows_agreements": True,
        "move_seconds": 600,
        **more,
    }
    table = games.open_table(seats=2, created_by=people[0], **more)
    Table.objects.filter(pk=table.pk).update(first_dealer=len(names) - 1)
    for user in people:
        table = games.sit_down(table_id=table.pk, user=user, shuffles=True)
    if len(people) == table.seat_count:
        add_values(table)
    return Table.objects.with_seats().get(pk=table.pk)


def _secret() -> bytes:
    """The same for the same table in each walk."""
    return bytes([Table.objects.count()] * 32)


def _finished(*names: str) -> Table:
    table = _table(*names)
    games.resign(table_id=table.pk, user=person(names[1]))
    return Table.objects.with_seats().get(pk=table.pk)


def _tables(world: Any) -> None:
    world.table = _table("player", "opponent")
    world.elsewhere = _table("elsewhere", "stranger")
    world.finished, world.offered = _finished("player", "opponent"), _finished("player", "opponent")
    games.offer_deal(table_id=world.offered.pk, user=world.player)
    world.open = games.open_table(
        game="casino", seats=4, options=None, created_by=world.player, secret=_secret(), is_private=True
    )
    games.sit_down(table_id=world.open.pk, user=world.player, shuffles=True)
    asked = _table("opponent", "player")
    games.ask_question(table_id=asked.pk, user=person("opponent"), kind="pause")
    world.asked = Table.objects.with_seats().get(pk=asked.pk)
    world.question = last_question(world.asked)
    paused = _table("player", "opponent")
    games.ask_question(table_id=paused.pk, user=person("opponent"), kind="pause")
    paused.refresh_from_db()
    games.answer_question(table_id=paused.pk, user=world.player, key=last_question(paused).key, agrees=True)
    world.paused_table = paused
    left = _table("opponent", "player", absence=Table.Absence.BOT)
    games.leave_event_game(table_id=left.pk, user=world.player)
    world.left = left
    gone = _table("opponent", "player", after_grace=Table.AfterGrace.CLAIM)
    gone.seats.filter(user=person("opponent")).update(is_gone=True)
    world.gone = gone
    world.branch = games.branch_off(table=world.finished, at=0, user=world.player, seat=0, level="first-steps")
    clock = {"seats": [2], "paces": ["standard"], "game": "casino"}
    world.seek = games.start_seek(user=world.player, **clock)
    world.seek.here_until = timezone.now() + timedelta(days=1)  # the walk takes minutes
    world.seek.save()
    asked = games.send_challenge(user=person("opponent"), to=world.player, game="casino", seats=2, options=None)
    world.challenge = Challenge.objects.get(pk=asked.pk)


def _call(world: Any) -> None:
    """The player has called the director. After the tables, whose deals follow from their number."""
    world.hall = _event(world, "Hall", people="player third")
    services.start_event(event_id=world.hall.pk, now=NOON)
    open_tables(world.hall)
    world.called = services.call_director(match_id=match_of(world.hall, "player").pk, user=world.player, reason="Late.")


def _belongings(world: Any) -> None:
    world.login = LoginRecord.objects.create(user=world.people["outsider"], session_key="elsewhere")
    world.factor = SecondFactor.objects.create(user=world.people["outsider"], kind=SecondFactor.Kind.APP, key="key")
    world.token, _ = tokens.make_token(user=world.player, name="laptop", scopes=["read"])
    world.bot, _ = bots.register_bot(owner=world.player, name="Deep")
    user, now = world.player, timezone.now()
    today = (now + timedelta(days=3)).date()
    world.vacation = games.take_vacation(user=user, first=today, last=today + timedelta(days=1), now=now)
    world.notice = Notice.objects.create(user=user, key="one", text="Something", url="/play/")
    MailAddress.objects.create(user=user, address="player@example.org", site="http://testserver")
    key = {"p256dh": "a", "auth": "b", "browser": "Firefox"}
    world.push = PushSubscription.objects.create(user=user, endpoint="https://push.example/1", **key)
    world.webhook = Webhook.objects.create(
        user=user, url="https://8.8.8.8/", site="http://testserver", kinds=["bot.turn"]
    )
    world.delivery = WebhookDelivery.objects.create(webhook=world.webhook, kind="bot.turn", body="{}")
    world.feed = CalendarToken.objects.create(user=user)
    world.wish = signing.dumps(
        [user.pk, "new@example.org", "http://testserver"], salt=email.CONFIRM_SALT, compress=True
    )
    world.stop = signing.dumps(user.pk, salt=email.UNSUBSCRIBE_SALT)


def _chat(world: Any) -> None:
    world.line = chat.post_line(table_id=world.table.pk, user=world.player, kind="phrase", text="hello")
    by = {"by": person("opponent"), "about": world.player, "reason": "insult", "table": world.table}
    world.act = moderation.mute_player(
        report=reports.file_report(line=world.line, **by), by=person("admin"), why="Insults", time=timedelta(days=1)
    )
    world.report = reports.file_report(by=world.player, about=person("opponent"), reason="stalling", table=world.table)
    games.write_note(table=world.finished, author=person("opponent"), number=0, text="So", is_public=True)
