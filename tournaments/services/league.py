"""Bot leagues: start nights, play them in chunks on several workers, rate the results.

A night is cut into chunks as it goes, each as long as the last one has shown to be right. At most `MAX_CHUNKS_OUT` of
them are out at a time, so that other slow tasks get their turn; each that comes back releases the next one. A chunk
that does not come back in time is played again. Its games follow from the night's text alone, so it does not matter
which of two is first: the second stores nothing.
"""

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction

from games import live
from games import services as games
from games.bots.matches import MirroredGame, match_share
from games.bots.puzzles import Record
from games.core.contract import GameError
from games.core.deals import verifiable_decks
from games.models import HouseBot, Table
from games.queries.ratings import Result
from games.services import ratings
from infra.task_queue import enqueue_on_commit
from tournaments.domain import league as pure
from tournaments.domain.errors import EventError
from tournaments.domain.league import DealCrews, LevelStanding, Pairing
from tournaments.models import BotLeague, LeagueChunk, LeagueGame, LeagueNight
from tutorials.puzzle_search import FinishedGame

logger = logging.getLogger(__name__)

CHUNK_SECONDS = 1.0  # what a chunk should take; a single deal may take longer
FIRST_CHUNK_DEALS = 1  # where nobody knows yet how long a deal takes
MAX_CHUNKS_OUT = 8
CHUNK_TIMEOUT = timedelta(minutes=2)  # a chunk that is not back after this is played again
MAX_ATTEMPTS = 5
GAMES_KEPT = timedelta(days=90)

Played = list[tuple[int, list[MirroredGame]]]  # a deal's number, and its games


# The schedule


@transaction.atomic
def save_league(league: BotLeague, *, now: datetime) -> BotLeague:
    """Stores a new or edited league; its next night is the first start from now on."""
    league.due_at = _next_start(league, now)
    league.save()
    return league


@transaction.atomic
def start_due_night(*, league_id: int, now: datetime) -> LeagueNight | None:
    """Starts the night that is due, if any; nights missed while the site was down are skipped."""
    league = BotLeague.objects.select_for_update().get(pk=league_id)
    if league.due_at is None or league.due_at > now:
        return None
    starts_at, league.due_at = league.due_at, _next_start(league, now)
    league.save(update_fields=["due_at"])
    try:
        return _start_night(league, starts_at, now)
    except EventError as error:
        logger.warning("%s was not played: %s", league, error)
        return None


@transaction.atomic
def play_night_now(*, league_id: int, now: datetime) -> LeagueNight:
    """Starts a night outside of the schedule. :raises EventError: another is being played, or bots are missing."""
    league = BotLeague.objects.select_for_update().get(pk=league_id)
    return _start_night(league, now, now)


def _next_start(league: BotLeague, now: datetime) -> datetime | None:
    starts = league.starts_after(now, count=1) if league.is_active else []
    return starts[0] if starts else None


def _start_night(league: BotLeague, starts_at: datetime, now: datetime) -> LeagueNight:
    if league.nights.filter(status=LeagueNight.Status.PLAYING).exists():
        raise EventError("The last night of this league is still in progress.")
    rules = league.rules
    missing = [level for level in league.levels if len(_bots(league.game, level)) < league.seats]
    if missing:
        raise EventError(f"There aren't enough bots for this game: {', '.join(missing)}.")
    night = LeagueNight.objects.create(
        league=league,
        game=league.game,
        seats=league.seats,
        levels=league.levels,
        deals=league.deals,
        options={**rules.read_options(league.options, league.seats), **rules.dated_options(starts_at.day)},
        rules_version=rules.rules_version,
        starts_at=starts_at,
    )
    hand_out_chunks(night_id=night.pk, now=now)
    return night


# Chunks


def claim_due_nights(*, now: datetime) -> list[int]:
    """Claims nights with chunks that may be lost. The next tick skips a claimed night."""
    return [pk for pk, _ in LeagueNight.objects.claim(until=now, patience=CHUNK_TIMEOUT)]


@transaction.atomic
def hand_out_chunks(*, night_id: int, now: datetime) -> None:
    """Queues the next chunks, lost ones first; ends the night after the last."""
    night = LeagueNight.objects.select_for_update().get(pk=night_id)
    if night.is_finished:
        return
    lost = night.chunks.filter(status=LeagueChunk.Status.CLAIMED, claimed_until__lte=now)
    lost.filter(attempts__gte=MAX_ATTEMPTS).update(status=LeagueChunk.Status.GIVEN_UP)
    out = night.chunks.filter(status=LeagueChunk.Status.CLAIMED, claimed_until__gt=now).count()
    places = max(MAX_CHUNKS_OUT - out, 0)
    again = list(lost[:places])
    new = LeagueChunk.objects.bulk_create(_cut(night, places - len(again)))
    for chunk in (*again, *new):
        chunk.claimed_until, chunk.attempts = now + CHUNK_TIMEOUT, chunk.attempts + 1
        enqueue_on_commit("tournaments.tasks.play_chunk", chunk.pk)
    LeagueChunk.objects.bulk_update((*again, *new), ["claimed_until", "attempts"])
    if not (out or again or new):
        _finish(night, now)
        return
    night.due_at = now + CHUNK_TIMEOUT
    night.save(update_fields=["due_at"])


def _cut(night: LeagueNight, count: int) -> list[LeagueChunk]:
    """The next chunks, up to so many, of the pairings that are least far."""
    begun = dict.fromkeys(pure.level_pairings(night.levels), 0)
    for first, second, deals in night.chunks.values_list("first", "second", "deals"):
        begun[first, second] += deals
    sizes = {pairing: _chunk_deals(night.league, pairing) for pairing in begun}
    chunks: list[LeagueChunk] = []
    while len(chunks) < count and min(begun.values()) < night.deals:
        pairing = min(begun, key=begun.__getitem__)
        deals = min(sizes[pairing], night.deals - begun[pairing])
        first, second = pairing
        chunks.append(LeagueChunk(night=night, first=first, second=second, first_deal=begun[pairing] + 1, deals=deals))
        begun[pairing] += deals
    return chunks


def _chunk_deals(league: BotLeague, pairing: Pairing) -> int:
    """As many deals as took `CHUNK_SECONDS` when this pairing was played last."""
    played = LeagueChunk.objects.filter(night__league=league, first=pairing[0], second=pairing[1], seconds__gt=0)
    known = played.order_by("pk").last()
    if known is None or not known.seconds:
        return FIRST_CHUNK_DEALS
    return max(1, int(CHUNK_SECONDS * known.deals / known.seconds))


def play_chunk(*, chunk_id: int, now: datetime) -> None:
    """Plays the deals of a chunk, outside of any transaction, and stores them unless another worker has."""
    chunk = LeagueChunk.objects.select_related("night").get(pk=chunk_id)
    if chunk.status != LeagueChunk.Status.CLAIMED:
        return
    began = time.monotonic()
    played = _played(chunk)
    store_chunk(chunk_id=chunk_id, played=played, seconds=time.monotonic() - began, now=now)


def _played(chunk: LeagueChunk) -> Played:
    night, pairing = chunk.night, (chunk.first, chunk.second)
    return [
        (
            deal,
            pure.play_mirrored_deal(
                night.game, pairing, deal, lots=night.lots, seats=night.seats, options=night.options
            ),
        )
        for deal in chunk.deal_numbers
    ]


@transaction.atomic
def store_chunk(*, chunk_id: int, played: Played, seconds: float, now: datetime) -> bool:
    """Stores a chunk's games, once, and hands out the next one. False: they were stored already."""
    chunk = LeagueChunk.objects.select_related("night").get(pk=chunk_id)
    night = LeagueNight.objects.select_for_update().get(pk=chunk.night_id)
    shares = [match_share(match) for _, match in played]
    claimed = night.chunks.filter(pk=chunk_id, status=LeagueChunk.Status.CLAIMED)
    if not claimed.update(status=LeagueChunk.Status.DONE, shares=shares, seconds=seconds):
        return False
    crews = _crews(night, (chunk.first, chunk.second), [deal for deal, _ in played])
    LeagueGame.objects.bulk_create(
        _game_row(chunk, deal, turn, game, crews[deal]) for deal, match in played for turn, game in enumerate(match)
    )
    hand_out_chunks(night_id=night.pk, now=now)
    _announce(night)
    return True


def _game_row(chunk: LeagueChunk, deal: int, turn: int, game: MirroredGame, crews: DealCrews) -> LeagueGame:
    outcome = game.record.outcome
    return LeagueGame(
        chunk=chunk,
        deal=deal,
        turn=turn,
        players=crews.seated(game.side, chunk.night.seats),
        moves="\n".join(f"{seat} {move}" for seat, move in game.record.moves),
        places=list(outcome.places),
        scores=list(outcome.scores),
    )


def _bots(game: str, level: str) -> list[int]:
    """User ids of the house bots of a level, always in the same order."""
    return list(HouseBot.objects.filter(game=game, level=level).order_by("pk").values_list("user_id", flat=True))


def _crews(night: LeagueNight, pairing: Pairing, deals: Iterable[int]) -> dict[int, DealCrews]:
    """Which bots play these deals for the two levels."""
    first, second = (_bots(night.game, level) for level in pairing)
    side_size = len(night.rules.sides(night.options, night.seats)[0])
    return {deal: pure.crews_for_deal(first, second, deal, side_size=side_size, seats=night.seats) for deal in deals}


def _announce(night: LeagueNight) -> None:
    transaction.on_commit(lambda: live.announce(night.channel, night_version(night.pk)), robust=True)


def night_version(night_id: int) -> int:
    """The version of a night page: its number of finished chunks."""
    return LeagueChunk.objects.filter(night=night_id, status=LeagueChunk.Status.DONE).count()


# The result


def night_results(night: LeagueNight) -> dict[Pairing, list[float]]:
    """By pairing, the first level's share of each mirrored match, in the order of the deals."""
    shares: dict[Pairing, list[float]] = {pairing: [] for pairing in pure.level_pairings(night.levels)}
    for first, second, own in night.chunks.values_list("first", "second", "shares"):
        shares[first, second].extend(own)
    return shares


def league_standings(night: LeagueNight) -> list[LevelStanding]:
    """The final standings, or those so far."""
    if night.standings is None:
        return pure.level_standings(night_results(night))
    return [LevelStanding(**row) for row in night.standings]


def _finish(night: LeagueNight, now: datetime) -> None:
    night.standings = [asdict(row) for row in pure.level_standings(night_results(night))]
    night.status, night.finished_at, night.due_at = LeagueNight.Status.FINISHED, now, None
    night.save(update_fields=["standings", "status", "finished_at", "due_at"])
    ratings.rate_results(_rated_matches(night), game=night.game, at=now)


def _rated_matches(night: LeagueNight) -> list[Result]:
    """One result for each mirrored match, so that luck of the deal counts for little: ahead, level or behind.

    The sides are those of the first turn, where the first level sits on the first of them.
    """
    sides = night.rules.sides(night.options, night.seats)
    games = LeagueGame.objects.filter(chunk__night=night, turn=0).select_related("chunk").defer("moves")
    return [
        Result(
            tuple(tuple(game.players[seat] for seat in side) for side in sides),
            pure.rating_places(game.share, len(sides)),
        )
        for game in games.order_by("chunk__first", "chunk__second", "deal")
    ]


# Replays


@transaction.atomic
def open_replay(*, game_id: int) -> Table:
    """The finished table of a game, created when it is first asked for."""
    game = LeagueGame.objects.select_for_update().select_related("chunk__night").get(pk=game_id)
    if game.table is None:
        night, chunk = game.chunk.night, game.chunk
        game.table = games.record_table(
            game=night.game,
            players=game.players,
            options=night.options,
            secret=pure.deal_secret(night.lots, (chunk.first, chunk.second), game.deal),
            moves=_moves(game.moves),
            at=night.starts_at,
        )
        game.save(update_fields=["table"])
    return game.table


def _moves(text: str) -> Sequence[tuple[int, str]]:
    lines = (line.split(" ", 1) for line in text.splitlines())
    return [(int(seat), move) for seat, move in lines]


def games_for_puzzles(most: int) -> Sequence[FinishedGame]:
    """The newest games of finished nights, newest first, to be searched for puzzles.

    All are read at once: SQLite begins no transaction beside an unfinished query once others have written.
    """
    over = LeagueGame.objects.filter(chunk__night__status=LeagueNight.Status.FINISHED)
    return [
        FinishedGame(f"league game {game.pk}", game.chunk.night.game, partial(_record_of, game))
        for game in over.select_related("chunk__night").order_by("-pk")[:most]
    ]


def _record_of(game: LeagueGame) -> Record:
    """:raises GameError: the rules have changed since."""
    night, chunk = game.chunk.night, game.chunk
    rules = night.rules
    if night.rules_version != rules.rules_version:
        raise GameError(f"The rules of {rules.name} have changed since.")
    secret = pure.deal_secret(night.lots, (chunk.first, chunk.second), game.deal)
    decks = verifiable_decks(rules.deck(night.options), secret, pure.bot_entropy(night.seats))
    start = rules.start(decks, seats=night.seats, options=night.options)
    return Record(rules, start, [(seat, rules.parse(text)) for seat, text in _moves(game.moves)])


# Old games


def prune_games(*, now: datetime) -> None:
    """Deletes the moves of nights that ended `GAMES_KEPT` ago; results stay, and games that were opened."""
    LeagueGame.objects.filter(chunk__night__finished_at__lte=now - GAMES_KEPT, table=None).delete()
