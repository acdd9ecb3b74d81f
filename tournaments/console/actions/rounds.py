"""Actions of the director's console on rounds: swaps, forbidden pairs, byes, matches by hand, publishing."""

from collections.abc import Sequence
from typing import Any

from django import forms

from tournaments import services
from tournaments.console.actions.base import CAN_BE_UNDONE, Action, ActionPreview, EntryChoice, reason_field
from tournaments.formats.contract import How
from tournaments.models import Event, Match
from tournaments.presentation.names import with_entry_names
from tournaments.services.arranging import BYE_KINDS, unpublished_round


class PairAction(Action):
    """An action on two entries."""

    tab = "rounds"
    first = EntryChoice("One entry")
    second = EntryChoice("The other")
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            field = self.fields[name]
            assert isinstance(field, EntryChoice)
            field.queryset = self.choices()

    def choices(self) -> Any:
        return self.event.entries.present().with_players()

    def pair(self) -> dict[str, int]:
        return {name: self.cleaned_data[name].pk for name in ("first", "second")}


class Swap(PairAction):
    slug, label = "swap", "Swap two entries"
    confirm_label = "Swap anyway"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_running and event.matches.filter(status=Match.Status.PROPOSED).exists()

    def choices(self) -> Any:
        proposed = self.event.matches.filter(status=Match.Status.PROPOSED)
        return super().choices().filter(sides__match__in=proposed).distinct()

    @property
    def description(self) -> str:
        within = " If they play each other, they change seats." if self.event.plan.seats_in_order else ""
        return f"They swap places in the unpublished round.{within} {CAN_BE_UNDONE}"

    def preview(self) -> ActionPreview | None:
        bent = services.bent_by_swap(self.event, **self.pair())
        return ActionPreview(_named(self.event, bent)) if bent else None

    def run(self) -> object:
        return services.swap_entries(event_id=self.event.pk, **self.pair(), by=self.by, why=self.cleaned_data["why"])


class Forbid(PairAction):
    slug, label = "forbid", "Forbid a pairing"

    @property
    def description(self) -> str:
        again = "an unpublished round can be paired again"
        return f"They won't be paired in new rounds; {again}. {CAN_BE_UNDONE}"

    def run(self) -> object:
        return services.forbid_pair(event_id=self.event.pk, **self.pair(), by=self.by, why=self.cleaned_data["why"])


class Allow(Action):
    slug, label, tab = "allow", "Allow the pairing", "rounds"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pair = self._chosen_row("pair", self.event.forbidden_pairs.all())

    def run(self) -> object:
        pair = {"first": self.pair.first_id, "second": self.pair.second_id}
        return services.allow_pair(event_id=self.event.pk, **pair, by=self.by)


class Arrange(Action):
    """A match or bye by hand. entries: by choice, in seat order."""

    tab = "rounds"
    confirm_label = "Arrange anyway"

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_running and event.publishes_by_hand and event.plan.pairs_around

    @property
    def how(self) -> How:
        return "bye"

    def entries(self) -> list[int]:
        return [self.cleaned_data[name].pk for name in self.fields if name.startswith("entry")]

    def players(self) -> Any:
        return self.event.entries.present().with_players()

    @property
    def description(self) -> str:
        return f"The rest of round {unpublished_round(self.event)} is paired again without them. {CAN_BE_UNDONE}"

    def preview(self) -> ActionPreview | None:
        bent = services.bent_by_arranging(self.event, self.entries(), how=self.how)
        return ActionPreview(_named(self.event, bent)) if bent else None

    def run(self) -> object:
        why = self.cleaned_data["why"]
        return services.arrange_match(event_id=self.event.pk, entries=self.entries(), how=self.how, by=self.by, why=why)


class GiveBye(Arrange):
    slug, label = "bye", "Give a bye"
    entry = EntryChoice("Entry")
    kind = forms.ChoiceField(choices=list(BYE_KINDS.items()), label="Type of bye")
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["entry"]
        assert isinstance(field, EntryChoice)
        field.queryset = self.players()

    @property
    def how(self) -> How:
        kind: How = self.cleaned_data["kind"]
        return kind


class PairByHand(Arrange):
    slug, label = "pair", "Arrange a match"
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sizes = self.event.plan.sides
        for number in range(1, max(sizes) + 1):
            field = EntryChoice(f"Entry {number}")
            field.queryset, field.required = self.players(), number <= min(sizes)
            self.fields[f"entry-{number}"] = field
        self.order_fields([*[name for name in self.fields if name != "why"], "why"])

    def entries(self) -> list[int]:
        chosen = [self.cleaned_data[name] for name in self.fields if name.startswith("entry")]
        return [entry.pk for entry in chosen if entry]


class RoundAction(Action):
    """An action on the unpublished matches of a section and round."""

    tab = "rounds"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.round = self._chosen_row("round", self.event.rounds.all())

    def which(self) -> dict[str, Any]:
        return {"event_id": self.event.pk, "section": self.round.section, "number": self.round.number, "by": self.by}


class Publish(RoundAction):
    slug, label = "publish", "Publish"

    def run(self) -> object:
        return services.publish_round(**self.which())


class PairAgain(RoundAction):
    slug, label = "pair-again", "Pair the rest again"

    def run(self) -> object:
        return services.pair_again(**self.which())


class PairAfresh(RoundAction):
    slug, label = "pair-afresh", "Pair everything again"

    def run(self) -> object:
        return services.pair_again(**self.which(), keep_fixed=False)


def _named(event: Event, sentences: Sequence[str]) -> list[str]:
    names = {entry.pk: entry.name for entry in event.entries.with_players()}
    return [with_entry_names(sentence, names) for sentence in sentences]
