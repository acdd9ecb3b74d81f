"""Questions that players ask each other (`games.services.questions`) on the board: its bar, and buttons that ask."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.domain.wording import event_sentence
from games.models import Seat, Table
from games.services.questions import last_question, people_asked, people_yet_to_answer, question_kind, undoes_alone


@dataclass(frozen=True, slots=True)
class QuestionBar:
    """The bar of the board that shows the last question to one reader. is_undone: it tells of an undo."""

    say: str
    key: str = ""
    action: str = ""
    can_answer: bool = False
    can_withdraw: bool = False
    is_undone: bool = False


def question_bar(table: Table, seat: Seat | None, deals: int) -> QuestionBar | None:
    """The question bar; None where there is nothing to show. seat: the reader's. deals: how many are over."""
    question = last_question(table)
    event = question.event(table) if question else None
    if question is None or event is None:
        return None
    reader = seat.number if seat else None
    say = event_sentence(event, table.names, reader)
    if question.is_news(table):
        return QuestionBar(say, is_undone=question.kind == "undo" and question.answer == "yes")
    if not question.is_open(table, deals):
        return None
    waited = people_yet_to_answer(table, question)
    can_answer = reader is not None and reader in [other.number for other in waited]
    others = " and ".join(other.name for other in waited if other.number != reader)
    return QuestionBar(
        f"{say} Waiting for {others}." if others and not can_answer else say,
        question.key,
        question_kind(table, question.kind).action,
        can_answer=can_answer,
        can_withdraw=reader == question.seat,
    )


@dataclass(frozen=True, slots=True)
class QuestionButton:
    """A button that asks a question: its label, and what it does.

    has_to_be_judged: only the record can tell whether it is possible; the page asks once the menu is opened.
    """

    kind: str
    label: str
    help: str
    has_to_be_judged: bool = False


def question_buttons(table: Table, seat: Seat, kinds: Sequence[str]) -> list[QuestionButton]:
    """The requests in the menu of a player. kinds: the possible ones; to undo alone there is a button on the board."""
    return [
        replace(question_button(table, kind, seat.number), has_to_be_judged=kind == "undo")
        for kind in kinds
        if kind != "undo" or not undoes_alone(table)
    ]


def question_button(table: Table, kind: str, seat: int) -> QuestionButton:
    """The button of one kind; where no one has to agree it says what it does, without "Ask to"."""
    asked = question_kind(table, kind)
    label = f"Ask to {asked.action}" if people_asked(table, kind, seat) else asked.action.capitalize()
    return QuestionButton(kind, label, asked.help)
