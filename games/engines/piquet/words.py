"""Sentences of Piquet: what players say, the words of buttons and of the log, what is said to who plays out of turn."""

from __future__ import annotations

from games.core.contract import Event, HandResult, Options, Phrase
from games.engines.piquet.declaring import NUMBER_NAMES, Holding
from games.engines.piquet.moves import (
    BLANCHE,
    CLAIMS,
    DECLARE,
    EQUAL,
    EXCHANGE,
    GOOD,
    LEAD,
    LEFT,
    MAKING,
    NOT_GOOD,
    PLAY,
    POINT,
    SET,
    SILENT,
    TURN_UP,
)

# For each phase what a player who is not to act is told, and what one is told who tries another kind of move.
WAITING = {
    BLANCHE: ("The dealer looks at the hand first; you exchange next.", "elder-exchange"),
    EXCHANGE: ("Elder exchanges first; your exchange comes next.", "elder-exchange"),
    DECLARE: ("The other player is speaking; your turn comes next.", "declare-order"),
    LEAD: ("Elder leads to the first trick; your turn comes next.", "elder-leads"),
    CLAIMS: ("The other player may claim what you passed; wait.", "younger-declares-after-lead"),
    LEFT: ("The other player decides about the cards left; wait.", "younger-left-cards"),
    PLAY: ("It is the other player's turn to play; wait for the card.", "trick-winner"),
}
NOW = {
    BLANCHE: ("elder-exchange", "go on first (NB); elder exchanges next."),
    EXCHANGE: ("elder-exchange", "exchange first; declaring and playing come later."),
    DECLARE: ("declare-order", "the declarations come first: claim, pass or answer."),
    LEAD: ("elder-leads", "the declarations are settled; lead any card."),
    CLAIMS: ("younger-declares-after-lead", "claim in the category that elder passed, or pass it (-)."),
    LEFT: ("younger-left-cards", "say first whether the cards left are turned up (LK) or not (NL)."),
    PLAY: ("elder-leads", "play a card."),
}

WORD_PHRASES = {
    GOOD: Phrase("say", '"Good"'),
    MAKING: Phrase("say", '"Making?"'),
    EQUAL: Phrase("say", '"Equal"'),
    NOT_GOOD: Phrase("say", '"Not good"'),
    SILENT: Phrase("go", "on"),
    TURN_UP: Phrase("turn", "them up"),
}


def count_cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def sentence(words: str) -> str:
    return words[0].upper() + words[1:]


def with_article(words: str) -> str:
    return words if words.startswith(("three", "four")) else f"a {words}"


def winning_words(best: Holding, is_longer: bool, options: Options) -> str:
    """Younger's answer that beats a claim: the figure that wins, or a bare "Not good" at a table that has it so."""
    if options["replies"] == "bare":
        return "Not good"
    if best.category is SET:
        return f"I have {best.size_in_words}"
    if is_longer:
        return f"I have {NUMBER_NAMES[best.size]}" if best.category is POINT else f"I have a {best.size_in_words}"
    return f"I have {best.height}" if best.category is POINT else f"Mine is {best.height_in_words}"


def result_events(results: tuple[HandResult, ...]) -> list[Event]:
    return [Event(None, Phrase("", f"Deal {result.number}: {result.summary}")) for result in results[-1:]]
