"""Actions of the director's console: each with its words, its form fields and the service it calls.

An action without fields is a button. One with fields has a page of its own, which says what it does, to whom, and
whether it can be undone. Some show a preview first (`Action.preview`), and run once it was seen.
"""

from tournaments.console.actions.base import Action
from tournaments.console.actions.director_calls import AnswerCall
from tournaments.console.actions.entries import ENTRY_ACTIONS, AddEntry, NotPaid, Paid, SeedBy
from tournaments.console.actions.event import EVENT_ACTIONS, CheckInEveryone, Undo
from tournaments.console.actions.people import Announce, DropRole, NameRole, SendMessage, TakeDown
from tournaments.console.actions.results import MATCH_ACTIONS
from tournaments.console.actions.rounds import (
    Allow,
    Forbid,
    GiveBye,
    PairAfresh,
    PairAgain,
    PairByHand,
    Publish,
    Swap,
)

ACTIONS: dict[str, type[Action]] = {
    kind.slug: kind
    for kind in (
        *EVENT_ACTIONS, *ENTRY_ACTIONS, *MATCH_ACTIONS, Undo, AddEntry, CheckInEveryone, Paid, NotPaid, SeedBy, Swap,
        Forbid, Allow, GiveBye, PairByHand, Publish, PairAgain, PairAfresh, NameRole, DropRole, Announce, SendMessage,
        TakeDown, AnswerCall,
    )
}  # fmt: skip
