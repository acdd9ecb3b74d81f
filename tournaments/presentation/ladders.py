"""Ladders as pages show them: a row for each player, and the challenge of the visitor."""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from games.models import Table
from tournaments.models import Ladder, LadderChallenge, LadderPlayer
from tournaments.queries.ladders import LadderState, unfinished_challenge


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A player at their place. doing: what their challenge is, in words. table: of the game they play.

    answer_by: of a challenge that isn't answered. away_until: the end of a vacation. can_challenge: the visitor can
    challenge them now; refusal: why not, where only time or vacation is in the way.
    """

    place: int
    player: LadderPlayer
    is_own: bool
    doing: str = ""
    table: Table | None = None
    answer_by: datetime | None = None
    away_until: datetime | None = None
    can_challenge: bool = False
    refusal: str = ""


def ladder_rows(state: LadderState) -> list[LadderRow]:
    return [_row(state, place, player) for place, player in enumerate(state.players.values(), start=1)]


def _row(state: LadderState, place: int, player: LadderPlayer) -> LadderRow:
    asked = state.challenges.get(player.pk)
    is_open = asked is not None and asked.status == LadderChallenge.Status.OPEN
    return LadderRow(
        place=place,
        player=player,
        is_own=player == state.own,
        doing=_doing(asked, player) if asked else "",
        table=asked.table if asked else None,
        answer_by=asked.answer_by if asked and is_open else None,
        away_until=state.away_until.get(player.user_id),
        can_challenge=not state.objection(player.pk),
        refusal=state.refused.get(player.pk, ""),
    )


def _doing(asked: LadderChallenge, player: LadderPlayer) -> str:
    is_challenger = player.pk == asked.challenger_id
    rival = asked.challenged if is_challenger else asked.challenger
    if asked.status == LadderChallenge.Status.PLAYING:
        return f"plays {rival}"
    return f"has challenged {rival}" if is_challenger else f"challenged by {rival}"


def own_challenge(state: LadderState) -> LadderChallenge | None:
    """The visitor's challenge that is not over."""
    return state.challenges.get(state.own.pk) if state.own else None


def if_declined(state: LadderState) -> str:
    """What declining costs the visitor, who is challenged."""
    asked = own_challenge(state)
    if asked is None or state.own is None:
        return ""
    left = state.ladder.allowed_declines - state.own.declines
    if left > 0:
        return f"You can decline {left} more in a row and keep your place. No answer counts as declining."
    return f"If you decline or don't answer, {asked.challenger} takes your place."


@dataclass(frozen=True, slots=True)
class OwnLadder:
    """A ladder that the visitor is on. challenge: theirs that is not over."""

    player: LadderPlayer
    place: int
    challenge: LadderChallenge | None

    @property
    def ladder(self) -> Ladder:
        return self.player.ladder

    @property
    def size(self) -> int:
        return len(self.ladder.order)

    @property
    def rival(self) -> LadderPlayer | None:
        if self.challenge is None:
            return None
        return self.challenge.challenged if self.has_challenged else self.challenge.challenger

    @property
    def has_challenged(self) -> bool:
        return self.challenge is not None and self.challenge.challenger_id == self.player.pk

    @property
    def is_playing(self) -> bool:
        return self.challenge is not None and self.challenge.status == LadderChallenge.Status.PLAYING


def own_ladders(user: User) -> tuple[OwnLadder, ...]:
    """The ladders that a user is on now."""
    players = LadderPlayer.objects.filter(user=user).select_related("ladder").order_by("ladder__name")
    return tuple(
        OwnLadder(player, player.ladder.order.index(player.pk) + 1, unfinished_challenge(player))
        for player in players
        if player.pk in player.ladder.order
    )
