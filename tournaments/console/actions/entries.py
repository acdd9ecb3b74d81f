"""Actions of the director's console on entries: adding, check-in, withdrawal, substitutes, notes, fees, seeds."""

from typing import Any

from django import forms

from tournaments import services
from tournaments.console.actions.base import CAN_BE_UNDONE, CANNOT_BE_UNDONE, Action, message_field, reason_field
from tournaments.forms.events import PersonField
from tournaments.models import LONGEST_TEAM_NAME, Entry, Event
from tournaments.queries.permissions import EventRank
from tournaments.services.arranging import unpublished_round
from tournaments.services.teams import line_up_key, most_members, next_line_up

GUESTS_ENTER_THEMSELVES = (
    "A guest needs no account: they open the page of the tournament on any device and enter there."
)


class AddEntry(Action):
    slug, label, tab = "add", "Add an entry", "entries"
    name = PersonField(
        label="Name",
        help_text="The name of a player or bot. You can ignore the entry conditions.",
        error_messages={"unknown": f"There is no player with this name. {GUESTS_ENTER_THEMSELVES}"},
    )
    partner = PersonField(required=False, label="Partner")
    team = forms.CharField(
        max_length=LONGEST_TEAM_NAME,
        label="Team",
        help_text="The player above is its captain. You can add more players.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.event.has_pairs:
            del self.fields["partner"]
        if not self.event.has_teams:
            del self.fields["team"]

    @property
    def description(self) -> str:
        if self.event.is_before_start:
            return CAN_BE_UNDONE
        number = services.joining_round(self.event)
        return f"The tournament is running, so a late entry starts in round {number}. {CANNOT_BE_UNDONE}"

    def run(self) -> object:
        data = self.cleaned_data
        also = {"partner": data.get("partner"), "team": data.get("team", "")}
        return services.add_entry(event_id=self.event.pk, user=data["name"], **also, by=self.by, late=True)


class EntryAction(Action):
    """An action on one `entry`."""

    tab = "entries"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.entry: Entry = self._chosen_row("entry", self.event.entries.with_players())

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        """Whether the action makes sense now for this entry."""
        return cls.is_open(event)

    @property
    def title(self) -> str:
        return f"{self.label}: {self.entry.name}"


class CompetingEntryAction(EntryAction):
    """An action on an entry that competes for a place."""

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return super().is_for(event, entry) and entry.is_in and entry.place is None


class CheckIn(EntryAction):
    slug, label, rank = "check-in", "Check in", EventRank.HELPER

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        is_early = event.is_before_start and entry.is_in and not entry.is_here
        return is_early or (event.is_running and entry.is_sitting_out)

    def run(self) -> object:
        return services.check_in_entry(entry_id=self.entry.pk, by=self.by)


class CheckOut(EntryAction):
    slug, label, rank = "check-out", "Not here", EventRank.HELPER

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return event.is_before_start and entry.is_here

    def run(self) -> object:
        return services.check_out_entry(entry_id=self.entry.pk, by=self.by)


class Withdraw(CompetingEntryAction):
    """For a player who has asked a director to withdraw them."""

    slug, label = "withdraw", "Withdraw"
    why = reason_field()

    @property
    def description(self) -> str:
        back = "They can come back." if self.event.is_before_start or self.event.plan.takes_late_entries else ""
        return (
            f"{self.entry.name} leaves the tournament and is notified. A match in progress is decided by the rule for "
            f"players who leave. {back}"
        )

    def run(self) -> object:
        return services.withdraw_for(entry_id=self.entry.pk, by=self.by, why=self.cleaned_data["why"])


class SitOut(CompetingEntryAction):
    """Rounds that an entry does not play, asked for before they are paired."""

    slug, label = "sit-out", "Sits out a round"
    round = forms.TypedChoiceField(label="Round", coerce=int)
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        asked = self.entry.requested_byes.filter(round__gte=unpublished_round(self.event))
        choices = [(number, f"Sits out round {number}") for number in services.open_rounds(self.event, self.entry)]
        choices += [(-bye.round, f"Plays round {bye.round} after all") for bye in asked]
        self.fields["round"] = forms.TypedChoiceField(label="Round", coerce=int, choices=choices)

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return super().is_for(event, entry) and event.plan.pairs_around

    @property
    def description(self) -> str:
        return (
            f"{self.entry.name} isn't paired in this round. The first {self.event.half_byes} of these byes give "
            f"{self.event.half_bye_worth} each; more of them, and any in the last round, give no points. You can "
            "change it until the round is paired."
        )

    def run(self) -> object:
        number, why = self.cleaned_data["round"], self.cleaned_data["why"]
        if number < 0:
            return services.play_round(entry_id=self.entry.pk, number=-number, by=self.by)
        return services.sit_out_round(entry_id=self.entry.pk, number=number, by=self.by, why=why)


class Disqualify(CompetingEntryAction):
    slug, label, is_dangerous = "disqualify", "Disqualify", True
    why = reason_field(required=True)

    @property
    def description(self) -> str:
        name = self.entry.name
        if self.event.is_before_start:
            return f"{name} is removed and can't enter again without a director. {CAN_BE_UNDONE}"
        return (
            f"{name} is removed and notified. A match in progress is decided by the rule for players who leave, "
            f"and then this can't be undone. Between matches you can undo it."
        )

    def run(self) -> object:
        return services.remove_entry(entry_id=self.entry.pk, by=self.by, why=self.cleaned_data["why"])


class Substitute(CompetingEntryAction):
    slug, label = "substitute", "Substitute"
    out = forms.ChoiceField(label="Player who leaves")
    name = PersonField(label="Replacement", help_text="The name of a player or bot.")
    why = reason_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        players = [(player.pk, player.display_name) for player in self.entry.players]
        self.fields["out"] = forms.ChoiceField(label="Player who leaves", choices=players)

    @property
    def description(self) -> str:
        return (
            "The new player keeps the results so far. A game in progress is handed over at once, with the same "
            "cards and "
            f"a full clock, and is not rated. {CAN_BE_UNDONE}"
        )

    def run(self) -> object:
        data = self.cleaned_data
        return services.substitute(
            entry_id=self.entry.pk, out_id=int(data["out"]), to_id=data["name"].pk, by=self.by, why=data["why"]
        )


class AddMember(CompetingEntryAction):
    """A director adds a player to a team, also while the event runs."""

    slug, label = "add-member", "Add a player"
    name = PersonField(label="Name", help_text="The name of a player or bot, who plays after the others of the team.")

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        has_room = event.has_teams and entry.members.count() < most_members(event)
        return has_room and super().is_for(event, entry)

    @property
    def description(self) -> str:
        return f"{self.entry.name} may have {most_members(self.event)} players. You can remove a player on its page."

    def run(self) -> object:
        return services.invite_member(entry_id=self.entry.pk, member=self.cleaned_data["name"], by=self.by)


class LineUp(CompetingEntryAction):
    """Who of a team plays its next match."""

    slug, label = "line-up", "Line-up"
    players = forms.TypedMultipleChoiceField(label="Players", coerce=int, widget=forms.CheckboxSelectMultiple)
    published = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(member.pk, str(member)) for member in self.entry.team]
        self.fields["players"] = forms.TypedMultipleChoiceField(
            label="Players", coerce=int, choices=choices, widget=forms.CheckboxSelectMultiple
        )
        self.initial = {
            **self.initial,
            "players": [member.pk for member in next_line_up(self.event, self.entry)],
            "published": line_up_key(self.event, self.entry),
        }

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        has_choice = event.team_boards is not None and len(entry.team) > event.team_boards
        return has_choice and super().is_for(event, entry)

    @property
    def description(self) -> str:
        return (
            f"For the next match of {self.entry.name} that isn't published yet. They play in the order of the team, "
            f"one at each of {self.event.team_boards} boards. After that the first players have their turn again."
        )

    def run(self) -> object:
        data = self.cleaned_data
        chosen = {"players": data["players"], "seen": data["published"]}
        return services.set_line_up(entry_id=self.entry.pk, **chosen, by=self.by)


class Reinstate(EntryAction):
    slug, label = "reinstate", "Reinstate"
    why = reason_field()

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        has_left = not entry.is_in and entry.place is None and not LetIn.is_for(event, entry)
        return has_left and (event.is_before_start or event.is_running and event.plan.takes_late_entries)

    @property
    def description(self) -> str:
        when = "at once" if self.event.is_before_start else f"from round {services.joining_round(self.event)} on"
        return f"{self.entry.name} plays {when}. You can disqualify {self.entry.name} again."

    def run(self) -> object:
        return services.reinstate_entry(entry_id=self.entry.pk, by=self.by, why=self.cleaned_data["why"])


class LetIn(EntryAction):
    """For an entry on the waiting list, or one that was absent at the start."""

    slug, label = "let-in", "Admit late"

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        came_late = entry.is_in_line or entry.status == Entry.Status.NO_SHOW
        return event.is_running and event.plan.takes_late_entries and came_late and not event.has_teams

    def run(self) -> object:
        user, partner = self.entry.user, self.entry.partner
        return services.add_entry(event_id=self.event.pk, user=user, partner=partner, by=self.by, late=True)


class MessageEntry(EntryAction):
    slug, label = "message-entry", "Message"
    message = message_field()
    description = CANNOT_BE_UNDONE

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return not entry.is_bot

    def run(self) -> object:
        return services.message_entry(entry_id=self.entry.pk, text=self.cleaned_data["message"], by=self.by)


class Note(EntryAction):
    slug, label = "note", "Note"
    note = forms.CharField(max_length=300, required=False, widget=forms.Textarea(attrs={"rows": 3}), label="Note")
    description = "Only directors of this tournament can read it. Players find it in a download of their data."

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["note"].initial = self.initial["note"] = self.entry.note

    @classmethod
    def is_for(cls, event: Event, entry: Entry) -> bool:
        return True

    def run(self) -> object:
        return services.note_entry(entry_id=self.entry.pk, note=self.cleaned_data["note"])


class Paid(EntryAction):
    """The fee is paid. It is one tap in the list of entries."""

    slug, label, rank = "paid", "Paid", EventRank.HELPER

    def run(self) -> object:
        return services.note_payment(entry_id=self.entry.pk, has_paid=True)


class NotPaid(EntryAction):
    slug, label, rank = "not-paid", "Not paid", EventRank.HELPER

    def run(self) -> object:
        return services.note_payment(entry_id=self.entry.pk, has_paid=False)


ENTRY_ACTIONS = (
    CheckIn, CheckOut, LetIn, Note, MessageEntry, SitOut, LineUp, AddMember, Substitute, Reinstate, Withdraw,
    Disqualify,
)  # fmt: skip


class SeedBy(Action):
    slug, label, tab = "seed-by", "Seed", "entries"
    how = forms.ChoiceField(choices=Event.Seeding.choices, label="Seeds go")

    @classmethod
    def is_open(cls, event: Event) -> bool:
        return event.is_before_start

    def run(self) -> object:
        return services.seed_by(event_id=self.event.pk, how=self.cleaned_data["how"], by=self.by)
