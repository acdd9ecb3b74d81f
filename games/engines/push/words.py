"""Words of Push: melds and moves as the log and the buttons name them, prompts, and why a card can't be added."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.cards import Card, face
from games.core.contract import Options, Phrase
from games.core.rummy.initial_melds import Contract
from games.core.rummy.melds import Fault, Growth, MeldRules
from games.core.words import capitalized
from games.engines.push.melds import ONE_OF_A_SUIT, faces, meld_fault
from games.engines.push.moves import (
    GROWTH_AT,
    PUSHED_CARDS,
    STALL_TURNS,
    LayOff,
    NewMeld,
    Open,
    PushMeld,
    Spot,
    Swap,
    is_wild,
)


def in_words(meld: PushMeld) -> str:
    """A meld as players name it, "the run from 5S to 7S: XB1 2D1 7S1"; also where the cards are no meld."""
    cards = " ".join(meld.cards)
    is_wild_run = meld.kind == "run" and any(map(is_wild, meld.cards))
    if not is_wild_run or meld_fault(ONE_OF_A_SUIT, meld) is not None:
        return f"the {meld.kind} {cards}"
    low, *_, high = ONE_OF_A_SUIT.run_faces(meld.cards)
    return f"the run from {low} to {high}: {cards}"


def laid_phrase(move: Open | NewMeld) -> Phrase:
    if isinstance(move, NewMeld):
        return Phrase("lay", in_words(move.meld))
    return Phrase("open", f"with {' and '.join(map(in_words, move.melds))}")


def swap_phrase(rules: MeldRules, table: Mapping[int, PushMeld], move: Swap, owner: int | None = None) -> Phrase:
    """An exchange by where the joker goes, which is what one exchange differs in from another.

    owner: of the meld where it goes, if that is to be named by it.
    """
    if isinstance(move.use, Spot):
        phrase = _added_phrase(rules, table, move.joker, move.use, owner)
        return Phrase(phrase.verb, f"{phrase.rest}, freed by {move.card}")
    if move.use is None:
        return Phrase("free", f"{move.joker} with {move.card} and [keep] it")
    phrase = laid_phrase(move.use)
    return Phrase(phrase.verb, f"{phrase.rest}, with {move.joker} freed by {move.card}")


def lay_off_phrase(rules: MeldRules, table: Mapping[int, PushMeld], move: LayOff, owner: int | None) -> Phrase:
    """owner: the seat that laid the meld, None if that is not known."""
    return _added_phrase(rules, table, move.card, move.spot, owner)


def _added_phrase(rules: MeldRules, table: Mapping[int, PushMeld], card: Card, spot: Spot, owner: int | None) -> Phrase:
    """What a wild card of a run stands for is said, since it may fit both ends."""
    number, end = spot.number, GROWTH_AT[spot.end]
    fitting = rules.growth(table[number]).get(end, ()) if number in table else ()
    shown = f" as {min(fitting)}" if is_wild(card) and end != "set" and fitting else ""
    named = f"meld {number}" if owner is None or number not in table else f"@{owner}'s {kind_in_words(table[number])}"
    return Phrase("add", f"{card}{shown} to {named}")


def kind_in_words(meld: PushMeld) -> str:
    """A meld by what distinguishes it on the table: "set of 8S 8D 2H", "run from 9H to JH"."""
    if meld.kind == "set":
        return f"set of {' '.join(meld.cards)}"
    low, *_, high = ONE_OF_A_SUIT.run_faces(meld.cards)
    return f"run from {low} to {high}"


def wild_note(rules: MeldRules, meld: PushMeld) -> str:
    """What the wild cards of a run stand for; in a set they stand for whatever suit is missing."""
    if meld.kind == "set":
        return ""
    shown = zip(meld.cards, faces(rules, meld), strict=True)
    return ", ".join(f"{card} is {next(iter(names))}" for card, names in shown if is_wild(card))


def deal_name(options: Options, deal_number: int, extra_deals: int) -> str:
    if extra_deals:
        return f"extra deal {extra_deals}"
    return "for practice" if options["deals"] == 1 else f"{deal_number} of {options['deals']}"


# Prompts


def draw_prompt(upcard: Card | None, stock_count: int, stall: int) -> str:
    """The button says to whom a push goes."""
    decline = "end the deal" if stock_count < PUSHED_CARDS else "push it and a stock card"
    if stall >= STALL_TURNS:
        return f"You can't take {upcard}, after {STALL_TURNS} turns in a row that laid nothing: {decline}."
    return f"Take {upcard}, or {decline}."


def contract_note(contract: Contract) -> str:
    return f"Contract: {contract.words}."


def play_prompt(contract: Contract, has_opened: bool) -> str:
    if not has_opened:
        return f"Discard a card, or choose all the cards of your contract: {contract.words}."
    return "Add cards to melds, or choose three or more for a new meld; then discard a card."


# Why not


def lay_off_fault(rules: MeldRules, meld: PushMeld, number: int, card: Card, end: Growth) -> Fault | None:
    """Why a card does not fit one end of meld `number`, None if it does."""
    fitting = rules.growth(meld).get(end)
    if fitting is not None and (is_wild(card) or face(card) in fitting):
        return None
    name = f"meld {number} ({in_words(meld)})"
    repeats_suit = not is_wild(card) and face(card) in map(face, meld.cards)
    if end == "set" and rules.set_suits == "different" and repeats_suit:
        return Fault("set-suits-differ", f"The suit of {card} is already in {name}: a set has each suit once.")
    if fitting is None:
        if end == "set":
            return Fault("set-max-four", f"{capitalized(name)} is full: a set has at most {len(meld.cards)} cards.")
        return Fault("run-ace-ends", f"Nothing fits at that end of {name}: an ace ends a run.")
    wanted = " or ".join(sorted(fitting))
    return Fault("lay-off-fits", f"{card} doesn't fit {name}, which takes {wanted} or a wild card there.")
