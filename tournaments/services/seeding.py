"""Seeding: collect the entries at the start, fill up with bots, assign seeds."""

from collections.abc import Iterable
from statistics import fmean
from typing import Any

from accounts.models import User
from games.bots import QUICK_LEVELS
from games.queries.ratings import ratings_of
from games.services import house_bots
from infra.bulk import update_rows
from tournaments.formats import lots
from tournaments.models import LONGEST_TEAM_NAME, Entry, Event, TeamMember
from tournaments.services.common import log_action
from tournaments.services.partners import match_up_partners
from tournaments.services.teams import fewest_players
from tournaments.services.waiting_list import admit_waiting

FEW_BOTS = 2  # no more than these are added to make tables full


def collect_entries(event: Event, *, after_check_in: bool) -> list[Entry]:
    """Everyone who plays. Places of absent entries go to the waiting list, free ones to bots."""
    if after_check_in:
        _set_aside_absent(event)
    admit_waiting(event, only_ready=after_check_in)
    if event.has_pairs:
        while match_up_partners(event, only_ready=after_check_in) and admit_waiting(event, only_ready=after_check_in):
            pass  # two who make a pair give a place back
        _find_places_for_lonely(event)
    if event.has_teams:
        _complete_teams(event)
    add_bots(event)
    return list(event.entries.present().with_players(teams=event.has_teams))


def _set_aside_absent(event: Event) -> None:
    absent = event.entries.filter(status=Entry.Status.ENTERED).update(status=Entry.Status.NO_SHOW)
    if absent:
        log_action(event, f"{absent} didn't check in.")


def _find_places_for_lonely(event: Event) -> None:
    """Gives entries without a partner a bot, where bots may play; else they stay out."""
    for entry in event.entries.present().looking().with_players():
        if event.has_bots:
            entry.partner = bots_for(event, 1)[0]
            log_action(event, f"A bot joined {entry.user}: {entry.name}.")
        else:
            entry.status = Entry.Status.WAITING
            log_action(event, f"{entry.name} doesn't play, because there was no partner left.")
        entry.save(update_fields=["partner", "status"])


def _complete_teams(event: Event) -> None:
    """Fills the boards of teams with bots, where bots may play; else a team with less than half of them stays out."""
    boards = event.team_boards or 0
    for entry in event.entries.present():
        team = entry.team
        missing = boards - len(team)
        if missing > 0 and event.has_bots:
            _add_bots_to_team(entry, bots_for(event, missing), first=len(team) + 1)
            log_action(event, f"{missing} bot{'s' * (missing > 1)} joined {entry.name}.")
        elif len(team) < fewest_players(event):
            entry.status = Entry.Status.WAITING
            entry.save(update_fields=["status"])
            log_action(event, f"{entry.name} doesn't play, because it has fewer than half of its players.")
    TeamMember.objects.filter(entry__event=event, has_accepted=False).delete()


def _add_bots_to_team(entry: Entry, bots: Iterable[User], *, first: int = 1) -> None:
    TeamMember.objects.bulk_create(
        TeamMember(entry=entry, user=bot, number=number, has_accepted=True)
        for number, bot in enumerate(bots, start=first)
    )


def _add_teams_of_bots(event: Event, count: int) -> None:
    boards = event.team_boards or 0
    bots = bots_for(event, count * boards)
    for number in range(count):
        own = bots[number * boards : (number + 1) * boards]
        name = f"{own[0].display_name}'s team"[:LONGEST_TEAM_NAME]
        entry = Entry.objects.create(event=event, user=own[0], team_name=name, status=Entry.Status.CHECKED_IN)
        _add_bots_to_team(entry, own)
    log_action(event, f"{count} team{'s' * (count > 1)} of bots took empty seats.")


def add_bots(event: Event) -> None:
    """Fills free places with bots as the event says."""
    count = bots_wanted(event, event.entries.present().count())
    if not count:
        return
    if event.has_teams:
        _add_teams_of_bots(event, count)
        return
    players = iter(bots_for(event, count * event.entry_size))
    Entry.objects.bulk_create(
        Entry(
            event=event,
            user=next(players),
            partner=next(players) if event.has_pairs else None,
            is_pair=event.has_pairs,
            status=Entry.Status.CHECKED_IN,
        )
        for _ in range(count)
    )
    pairs = " in pairs" if event.has_pairs else ""
    log_action(event, f"{count * event.entry_size} bots took empty seats{pairs}.")


def bots_wanted(event: Event, entries: int) -> int:
    """How many bots join so many other entries."""
    count = max(event.fill_to - entries, 0)
    if event.is_evened:
        count += _short_of_full_tables(event, entries + count)
    return count if event.max_entries is None else min(count, max(event.max_entries - entries, 0))


def _short_of_full_tables(event: Event, entries: int) -> int:
    size = event.table_sizes[0] if event.has_pods else 2
    short = -entries % size
    return short if short <= FEW_BOTS else 0


def bots_for(event: Event, count: int) -> list[User]:
    """House bots of the level of the event that have not been in it; where only bots play, of every quick level."""
    levels = [event.bot_level]
    if event.bots_only:
        levels += [level for level in QUICK_LEVELS if level != event.bot_level]
    known = {pk for pair in event.entries.values_list("user_id", "partner_id") for pk in pair if pk}
    known |= {*TeamMember.objects.filter(entry__event=event).values_list("user_id", flat=True)}
    return house_bots.pick_house_bots(game=event.game, levels=levels, count=count, without=known)


def assign_seeds(event: Event, entries: Iterable[Entry]) -> None:
    """Assigns seeds 1 ... n in the order that the event asks for; lots decide between equals."""
    ordered = entries_in_seed_order(event, entries)
    for seed, entry in enumerate(ordered, start=1):
        entry.has_come = entry.is_here or entry.is_bot
        entry.seed, entry.status = seed, Entry.Status.PLAYING
    update_rows(ordered, ["seed", "status", "rating", "has_come"])


def entries_in_seed_order(event: Event, entries: Iterable[Entry]) -> list[Entry]:
    """The entries in the order of their seeds now, with ratings. Not stored yet."""
    by_pk = {entry.pk: entry for entry in entries}
    set_ratings(event, by_pk.values())
    drawn = [by_pk[pk] for pk in lots.order_by_lot(event.lots, by_pk)]
    return sorted(drawn, key=_ORDERS[event.seeding])


_ORDERS: dict[str, Any] = {
    Event.Seeding.LOT: lambda entry: entry.is_bot,  # people first, so that they meet late
    Event.Seeding.RATING: lambda entry: -entry.rating,
    Event.Seeding.HAND: lambda entry: (entry.wanted_seed is None, entry.wanted_seed or 0, entry.is_bot),
}


def set_ratings(event: Event, entries: Iterable[Entry]) -> None:
    """Sets the current ratings; partners, and the first boards of a team, have the mean of theirs. Not stored yet."""
    players = [(entry, entry.players[: event.team_boards]) for entry in entries]
    known = ratings_of((player for _, of_entry in players for player in of_entry), event.game)
    for entry, of_entry in players:
        entry.rating = fmean(known[player.pk].number for player in of_entry)
