"""Actions of the director's console on matches: adding time, deciding, correcting, annulling, trying again."""

from collections.abc import Iterator
from typing import Any, ClassVar

from django import forms

from tournaments import services
from tournaments.console.actions.base import CAN_BE_UNDONE, CANNOT_BE_UNDONE, Action, ActionPreview, reason_field
from tournaments.models import Event, Match, MatchSide
from tournaments.queries.permissions import EventRank
from tournaments.services.adjudicating import BYE_RESULTS

MOST_POINTS = 99_999
MOST_ADDED_MINUTES = 24 * 60
BY_SCORE = "score"
EVERYONE, APPEARING = "all", "appear"  # whom added time is for, besides players


def has_boards(match: Match) -> bool:
    """A match between teams that is decided by its boards, and not by itself."""
    return match.is_between_teams and match.boards.exists()


class MatchAction(Action):
    """An action on a `match`. A result is chosen among `results`; with more than two sides the places are typed in."""

    tab, rank = "results", EventRank.HELPER

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.match: Match = self._chosen_row("match", services.with_games(self.event.matches.all()))
        self.sides = list(self.match.sides.all())

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.status in (Event.Status.RUNNING, Event.Status.FINISHED)

    @property
    def title(self) -> str:
        return f"{self.label}: {self.match}"


class ResultAction(MatchAction):
    """An action that gives a match its result: places, perhaps by forfeit, perhaps with a score."""

    by_score: ClassVar[bool] = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(self.sides) == 2:
            self.fields["result"] = forms.ChoiceField(choices=self.results(), widget=forms.RadioSelect, label="Result")
        else:
            for side in self.sides:
                field = forms.IntegerField(min_value=1, max_value=len(self.sides), label=f"Place of {side.entry.name}")
                self.fields[f"place-{side.number}"] = field
        self.fields["forfeit"] = forms.BooleanField(
            required=False, label="By forfeit", help_text="The match was not played: no score, and no win at the table."
        )
        for name, side, label, limits in self._score_fields():
            self.fields[name] = forms.IntegerField(
                required=False, label=f"{label} {side.name}", min_value=limits[0], max_value=limits[1]
            )
        self.order_fields([name for name in self.fields if name not in ("why", "cancels")])

    def _score_fields(self) -> Iterator[tuple[str, MatchSide, str, tuple[int, int]]]:
        """Field, side, label and limits of what a score consists of in this event."""
        if self.event.match_games > 1:
            most = self.event.match_games
            yield from ((f"games-{side.number}", side, "Games won by", (0, most)) for side in self.sides)
        if self.event.has_scores and not self.event.is_compared:
            most = MOST_POINTS
            yield from ((f"points-{side.number}", side, "Points of", (-most, most)) for side in self.sides)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        given = [data.get(name) is not None for name, *_ in self._score_fields()]
        if any(given) and not all(given):
            raise forms.ValidationError("Enter the whole score, or leave it empty.")
        if data.get("result") == BY_SCORE and (any(given) or data.get("forfeit")):
            raise forms.ValidationError("The current score decides, so enter no other one, and no forfeit.")
        if any(given) and data.get("forfeit"):
            raise forms.ValidationError("A match that was not played has no score.")
        return data

    def score(self) -> list[tuple[int, int]] | None:
        """By side, games won and points; None if none was entered."""
        data = self.cleaned_data
        if all(data.get(name) is None for name, *_ in self._score_fields()):
            return None
        return [(data.get(f"games-{n}") or 0, data.get(f"points-{n}") or 0) for n in range(len(self.sides))]

    def results(self) -> list[tuple[str, str]]:
        found = [("1 2", f"{self.sides[0].name} wins"), ("2 1", f"{self.sides[1].name} wins")]
        if not self.match.needs_winner:
            found.append(("1 1", "A draw"))
        found.append(("2 2", "Both lose"))
        if self.by_score and services.score_so_far(self.match):
            found.append((BY_SCORE, "Current score decides"))
        return found

    def places(self) -> list[int]:
        if "result" in self.fields:
            return [int(place) for place in self.cleaned_data["result"].split()]
        return [self.cleaned_data[f"place-{side.number}"] for side in self.sides]

    def result(self) -> dict[str, Any]:
        """Arguments of the services that store a result."""
        decided_by = Match.DecidedBy.FORFEIT if self.cleaned_data["forfeit"] else Match.DecidedBy.DIRECTOR
        return {"places": self.places(), "score": self.score(), "decided_by": decided_by}


class Decide(ResultAction):
    slug, label, by_score = "decide", "Decide", True
    why = reason_field(required=True)

    @classmethod
    def is_for(cls, match: Match) -> bool:
        return match.status in (Match.Status.WAITING, Match.Status.PLAYING) and not has_boards(match)

    @property
    def description(self) -> str:
        return "A game in progress stops, isn't rated and can't be resumed. You can correct the result later."

    def run(self) -> object:
        which = {"match_id": self.match.pk, "by": self.by, "why": self.cleaned_data["why"]}
        if self.cleaned_data.get("result") == BY_SCORE:
            return services.adjudicate_by_score(**which)
        return services.adjudicate(**self.result(), **which)


class Correct(ResultAction):
    slug, label, confirm_label, has_preview = "correct", "Correct", "Correct the result", True
    why = reason_field(required=True)
    cancels = forms.BooleanField(required=False, widget=forms.HiddenInput)

    @classmethod
    def is_for(cls, match: Match) -> bool:
        is_decided = match.status == Match.Status.FINISHED and match.decided_by not in BYE_RESULTS
        return is_decided and not has_boards(match)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.match.decided_by != Match.DecidedBy.ANNULLED:
            self.initial = {**self._stored_result(), **self.initial}

    def _stored_result(self) -> dict[str, object]:
        """The result of the match now, by field. A score of nothing but zeros is none."""
        found: dict[str, object] = {
            "result": " ".join(str(side.place) for side in self.sides),
            "forfeit": self.match.decided_by == Match.DecidedBy.FORFEIT,
            **{f"place-{side.number}": side.place for side in self.sides},
        }
        if any(side.games_won or side.points for side in self.sides):
            found |= {f"games-{side.number}": side.games_won for side in self.sides}
            found |= {f"points-{side.number}": side.points for side in self.sides}
        return found

    @property
    def description(self) -> str:
        return f"The form shows the result as it is. You'll see the changes before you confirm. {CAN_BE_UNDONE}"

    def preview(self) -> ActionPreview | None:
        return ActionPreview(consequences=services.consequences(self.event, self.match, **self.result()))

    def run(self) -> object:
        data = self.cleaned_data
        which = {"match_id": self.match.pk, "by": self.by, "why": data["why"], "cancels": data["cancels"]}
        return services.correct_result(**self.result(), **which)


class Annul(MatchAction):
    slug, label, rank, is_dangerous = "annul", "Annul", EventRank.DIRECTOR, True
    confirm_label, has_preview = "Annul the match", True
    why = reason_field(required=True)

    @classmethod
    def is_for(cls, match: Match) -> bool:
        annulled = match.decided_by == Match.DecidedBy.ANNULLED
        return (Decide.is_for(match) or Correct.is_for(match)) and not annulled and not match.needs_winner

    @property
    def description(self) -> str:
        undone = "A game in progress stops, and this can't be undone." if Decide.is_for(self.match) else CAN_BE_UNDONE
        return f"The match doesn't count for anyone. {undone}"

    def preview(self) -> ActionPreview | None:
        places = [2] * len(self.sides)
        annulled = Match.DecidedBy.ANNULLED
        return ActionPreview(consequences=services.consequences(self.event, self.match, places, decided_by=annulled))

    def run(self) -> object:
        return services.annul_match(match_id=self.match.pk, by=self.by, why=self.cleaned_data["why"])


class AddTime(MatchAction):
    slug, label, tab = "add-time", "Add time", "now"
    player = forms.ChoiceField(widget=forms.RadioSelect, label="Time for")
    minutes = forms.IntegerField(min_value=1, max_value=MOST_ADDED_MINUTES, label="Minutes")
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = {str(user.pk): user for user in services.players_at_table(self.match)}
        choices = [(pk, user.display_name) for pk, user in self.players.items()]
        if len(choices) != 1:  # also where the game has ended meanwhile
            choices.append((EVERYONE, "Everyone"))
        if services.waits_for_players(self.match):
            choices.insert(0, (APPEARING, "Coming to the table"))
        field = self.fields["player"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @classmethod
    def is_for(cls, match: Match) -> bool:
        return bool(services.players_at_table(match))

    @property
    def description(self) -> str:
        of_clocks = "Time on a clock is for the rest of the game."
        return f"{of_clocks} We notify the players of the match. {CANNOT_BE_UNDONE}"

    def run(self) -> object:
        data = self.cleaned_data
        match_id, minutes, why = self.match.pk, data["minutes"], data["why"]
        if data["player"] == APPEARING:
            return services.add_time_to_appear(match_id=match_id, minutes=minutes, by=self.by, why=why)
        user = self.players.get(data["player"])
        return services.add_time(match_id=match_id, minutes=minutes, user=user, by=self.by, why=why)


class TryAgain(MatchAction):
    """For a match that was set aside."""

    slug, label, tab = "try-again", "Try again", "now"

    @classmethod
    def is_for(cls, match: Match) -> bool:
        return match.is_set_aside

    def run(self) -> object:
        return services.retry_match(match_id=self.match.pk, by=self.by)


MATCH_ACTIONS = (TryAgain, AddTime, Decide, Correct, Annul)
