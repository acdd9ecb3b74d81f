"""Questions that players ask each other (undo, draw, score, pause, give up a deal): kinds, who is asked, for how long.

One question at a time is open at a table. It goes to all other people there (giving up a deal: to the partners only);
bots answer at once. It lapses with the deal, and after two rounds of moves; a request for undo with the next move.
After an answer, whatever it was, the same player has to wait before asking the same again.
"""

from dataclasses import asdict, dataclass, replace
from typing import Self

from games.core.contract import Event, Phrase, View
from games.core.words import joined
from games.models import Seat, Table

REST_MOVES = 10
LASTING_ROUNDS = 2
PAUSE_MINUTES = 30


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """Something that players can ask for. action: what is asked for, after "to". help: what it does.

    "{deal}" is the word of the game for one, see `question_kind`.
    """

    action: str
    help: str


QUESTION_KINDS = {
    "undo": QuestionKind(
        "take back the last move", "Only if no one has moved since and the move has shown no hidden cards."
    ),
    "share": QuestionKind("end the game in a draw", "The game ends now without a winner."),
    "count": QuestionKind("end the game on the current score", "The game ends now, and the current score decides."),
    "pause": QuestionKind(
        "pause", f"All clocks stop for up to {PAUSE_MINUTES} minutes. Anyone can resume the game earlier."
    ),
    "deal": QuestionKind("give up this {deal}", "A beginner bot plays out this {deal} for you. Then you play on."),
    "open": QuestionKind(
        "open finished {deal}s to spectators",
        "Spectators see all cards of a {deal} once it is over, but nothing of the current {deal}.",
    ),
}
IS_TOLD = ("undo", "deal", "open")  # the log says that it is done; of the others the table itself does
ENDS_GAME = ("share", "count")


def question_kind(table: Table, kind: str) -> QuestionKind:
    """What players of this table can ask for, in the words of its game."""
    found, word = QUESTION_KINDS[kind], table.rules.deal_word
    return QuestionKind(found.action.format(deal=word), found.help.format(deal=word))


@dataclass(frozen=True, slots=True)
class Question:
    """A request to the other players. seat: of the player who asks. agreed: seats that have accepted.

    move_count, deals: the moves made and the deals over when it was asked, or answered.
    answer: "" while it is open, then "yes", "no" or "withdrawn", by the seat `by`. undone: what the player had done, in
    the words of the log, where an undo alone with bots has taken it back.
    """

    kind: str
    seat: int
    move_count: int
    deals: int
    agreed: tuple[int, ...] = ()
    answer: str = ""
    by: int = 0
    undone: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A key that tells this question from all others ever asked at its table."""
        return f"{self.kind}-{self.seat}-{self.move_count}"

    def is_open(self, table: Table, deals: int) -> bool:
        """Whether it can still be answered. deals: how many are over."""
        lasts = 0 if self.kind == "undo" else LASTING_ROUNDS * table.seat_count
        is_fresh = self.deals == deals and table.move_count - self.move_count <= lasts
        return not self.answer and is_fresh and table.status == Table.Status.RUNNING

    def is_news(self, table: Table) -> bool:
        """Whether it was answered and no move has been made since."""
        return bool(self.answer) and self.move_count == table.move_count and not table.is_over

    def answered(self, table: Table, answer: str, by: int) -> Self:
        """The question with this answer, given by the seat `by` now."""
        return replace(self, answer=answer, by=by, move_count=table.move_count)

    def event(self, table: Table) -> Event | None:
        """The sentence of the log about it."""
        action = question_kind(table, self.kind).action
        if self.answer == "no":
            return Event(self.by, Phrase("refuse", f"to {action}"))
        if self.answer == "withdrawn":
            return Event(self.seat, Phrase("withdraw", "the question"))
        if self.undone:
            which = "the last move" if len(self.undone) == 1 else f"{len(self.undone)} moves"
            return Event(self.seat, Phrase("take", f"back {which}: {joined(self.undone)}"))
        if self.answer == "yes":
            return Event(self.seat, Phrase(*action.split(" ", 1))) if self.kind in IS_TOLD else None
        return Event(self.seat, Phrase("ask", f"to {action}"))


def last_question(table: Table) -> Question | None:
    """The last question asked at this table, open or not."""
    found = table.asked.get("question")
    return Question(**found | {name: tuple(found.get(name, ())) for name in ("agreed", "undone")}) if found else None


def people_asked(table: Table, kind: str, seat: int) -> list[Seat]:
    """The people at the table who are asked."""
    among = next(side for side in table.sides if seat in side) if kind == "deal" else range(table.seat_count)
    return [other for other in table.seat_rows if other.has_person and other.number in among and other.number != seat]


def people_yet_to_answer(table: Table, question: Question) -> list[Seat]:
    """The people asked who have not agreed yet."""
    asked = people_asked(table, question.kind, question.seat)
    return [seat for seat in asked if seat.number not in question.agreed]


def set_last_question(table: Table, question: Question) -> None:
    """Makes it the table's last question, to be stored; unless all agree, the asker has to wait before the next one."""
    asked_at, key = dict(table.asked.get("asked_at", {})), f"{question.kind} {question.seat}"
    if not question.answer:
        asked_at[key] = question.move_count
    elif question.answer == "yes":
        asked_at.pop(key, None)
    table.asked = {"question": asdict(question), "asked_at": asked_at}


def is_too_early(table: Table, kind: str, seat: int) -> bool:
    """Whether it is too early for this player to ask this again."""
    asked_at = table.asked.get("asked_at", {}).get(f"{kind} {seat}")
    return asked_at is not None and table.move_count - asked_at < REST_MOVES


def possible_kinds(table: Table, seat: Seat, view: View) -> list[str]:
    """What a player may ask for now, as far as the table tells without its record."""
    question = last_question(table)
    is_asked = question is not None and question.is_open(table, len(view.results))
    if table.status != Table.Status.RUNNING or table.is_frozen or seat.gave_up_deal or is_asked:
        return []
    if not table.allows_agreements:
        return []
    return [
        kind
        for kind in QUESTION_KINDS
        if _makes_sense(kind, table, seat, view) and not is_too_early(table, kind, seat.number)
    ]


def _makes_sense(kind: str, table: Table, seat: Seat, view: View) -> bool:
    if kind == "undo":
        return may_undo(table) and _may_have_moved(table, seat, view)
    if kind == "count":
        return view.has_scores
    if kind == "pause":
        return table.clock is not None and not table.clock.is_turn_based
    if kind == "open" and (table.opens_deals or not people_asked(table, kind, seat.number)):
        return False
    return kind not in ("deal", "open") or (table.deals != 1 and table.rules.has_several_deals(table.options))


def may_undo(table: Table) -> bool:
    """Whether moves can be taken back at this table."""
    return table.allows_agreements and not table.is_rated


def undoes_alone(table: Table) -> bool:
    """Whether moves can be taken back at this table, and no other person has sat here who would have to agree."""
    return may_undo(table) and not table.has_company


def _may_have_moved(table: Table, seat: Seat, view: View) -> bool:
    """Whether the last move was the player's own; alone with bots, whether any move in the log is."""
    movers = [event.seat for event in view.log if event.seat is not None]
    return seat.number in (movers if undoes_alone(table) else movers[-1:])


def unwilling_bot(table: Table, kind: str, view: View) -> Seat | None:
    """A bot that declines: bots draw unless their side leads, and score the game unless their side is behind."""
    if kind not in ENDS_GAME:
        return None
    merits = table.rules.merits(table.options, view.scores)
    for seat in table.seat_rows:
        own = next(side for side in table.sides if seat.number in side)
        best = max(merits[other] for side in table.sides if side != own for other in side)
        lead = merits[seat.number] - best
        if not seat.has_person and (lead > 0 if kind == "share" else lead < 0):
            return seat
    return None
