"""The sentences of Piquet: what players say, prompts, moves in words, and why a move is not allowed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from games.core.cards import Card
from games.core.contract import Event, HandResult, Options, Phrase
from games.core.tricks import SUIT_NAMES
from games.core.words import counted
from games.engines.piquet.declaring import Holding
from games.engines.piquet.moves import (
    BLANCHE,
    CLAIMS,
    DECLARE,
    ELDER_MOST,
    EQUAL,
    EXCHANGE,
    GOOD,
    LEAD,
    LEAVE_DOWN,
    LEFT,
    MAKING,
    NOT_GOOD,
    PLAY,
    POINT,
    RANKS,
    SEQUENCE,
    SET,
    SILENT,
    TURN_UP,
    Category,
    Word,
)

RANK_NAMES = dict(zip(RANKS, "seven eight nine ten jack queen king ace".split(), strict=True))
NUMBER_NAMES = "no one two three four five six seven eight nine ten eleven twelve".split()
SEQUENCE_NAMES = dict(enumerate("tierce quart quint sixième septième huitième".split(), start=3))


def sentence(words: str) -> str:
    """The words with a capital at the beginning."""
    return words[0].upper() + words[1:]


def count_range(low: int, high: int) -> str:
    return f"{low} to {high} cards" if low < high else counted(low, "card")


def with_article(words: str) -> str:
    return words if words.startswith(("three", "four")) else f"a {words}"


# Holdings


def size_in_words(holding: Holding) -> str:
    """What is said of it first: "point of five", "quart", "three kings"."""
    if holding.category is POINT:
        return f"point of {NUMBER_NAMES[holding.size]}"
    if holding.category is SEQUENCE:
        return SEQUENCE_NAMES[holding.size]
    return f"{NUMBER_NAMES[holding.size]} {RANK_NAMES[RANKS[holding.height]]}s"


def height_in_words(holding: Holding) -> str:
    """What decides between equal sizes: "making 48", "to the king"."""
    if holding.category is POINT:
        return f"making {holding.height}"
    return f"to the {RANK_NAMES[RANKS[holding.height]]}"


def holding_in_words(holding: Holding) -> str:
    """Everything that can be said of it: "quart to the king in hearts"."""
    if holding.category is SET:
        return size_in_words(holding)
    tail = f" {height_in_words(holding)}" if holding.category is SEQUENCE else ""
    return f"{size_in_words(holding)}{tail} in {SUIT_NAMES[holding.suit]}"


# What players say


def says_size(claim: Holding) -> str:
    return sentence(size_in_words(claim))


def says_height(claim: Holding) -> str:
    return sentence(height_in_words(claim))


def says_suit(claim: Holding) -> str:
    return f"In {SUIT_NAMES[claim.suit]}"


def says_extras(extras: Iterable[Holding]) -> str:
    return f"Also {' and '.join(with_article(holding_in_words(extra)) for extra in extras)}"


def says_better(best: Holding, *, is_longer: bool, options: Options) -> str:
    """Younger's answer that beats a claim: the figure that wins, or a bare "Not good" at a table that has it so."""
    if options["replies"] == "bare":
        return "Not good"
    if best.category is SET:
        return f"I have {size_in_words(best)}"
    if is_longer:
        return f"I have {NUMBER_NAMES[best.size]}" if best.category is POINT else f"I have a {size_in_words(best)}"
    return f"I have {best.height}" if best.category is POINT else f"Mine is {height_in_words(best)}"


def says_reply(reply: Holding, *, is_won: bool, names_height: bool) -> str:
    """What younger shows after the lead: a holding that has won, or the suit of one that is equal."""
    name = size_in_words(reply) if is_won else f"equal {reply.category}"
    height = f" {height_in_words(reply)}" if names_height else ""
    where = f" in {SUIT_NAMES[reply.suit]}" if reply.suit else ""
    return sentence(name + height + where)


# Prompts


def blanche_prompt(elder: int, *, can_declare: bool) -> str:
    if can_declare:
        return "You were dealt carte blanche. Declare it now, or go on."
    return f"Look at your hand, then go on. @{elder} [exchange] first."


def exchange_prompt(low: int, high: int) -> str:
    return f"Choose {count_range(low, high)} to exchange."


def declare_prompt(category: Category) -> str:
    return f"Declare your {category}, or pass."


def answer_prompt(elder: int, spoken: Sequence[tuple[int, str]]) -> str:
    heard = [f'"{said}"' for seat, said in spoken if seat == elder]
    return f"Answer {', '.join(heard)}."


def claim_prompt(elder: int, category: Category) -> str:
    return f"@{elder} passed the {category}. Declare yours, or pass."


def left_prompt(number: int) -> str:
    what = counted(number, "card") if number > 1 else "card"
    return f"Turn up the {what} left in the talon? You'll both see {'them' if number > 1 else 'it'}."


def play_prompt(led: Card | None, hand: Iterable[Card]) -> str:
    if led is None:
        return "Lead any card."
    suit = SUIT_NAMES[led[1]]
    held = sum(card[1] == led[1] for card in hand)
    if not held:
        return f"You have no {suit}. Play any card."
    return f"Play one of your {suit}." if held > 1 else f"Play your {suit[:-1]}: you have only one."


# Moves as they are offered

WORD_PHRASES = {
    GOOD: Phrase("say", '"Good"'),
    MAKING: Phrase("say", '"Making?"'),
    EQUAL: Phrase("say", '"Equal"'),
    NOT_GOOD: Phrase("say", '"Not good"'),
    SILENT: Phrase("go", "on"),
}


def word_phrase(word: Word, left: int) -> Phrase:
    """left: the cards in the talon."""
    them = "it" if left == 1 else "them"
    ways = {TURN_UP: Phrase("turn", f"{them} up"), LEAVE_DOWN: Phrase("leave", f"{them} face down")}
    return WORD_PHRASES.get(word) or ways[word]


def exchange_phrase(cards: Sequence[Card]) -> Phrase:
    return Phrase("exchange", " ".join(cards) or "nothing")


def claim_phrase(holding: Holding) -> Phrase:
    """Short, for a button: "declare five spades (48)", "declare a quart to QS", "declare four tens"."""
    if holding.category is POINT:
        suit = SUIT_NAMES[holding.suit] if holding.size > 1 else SUIT_NAMES[holding.suit][:-1]
        return Phrase("declare", f"{NUMBER_NAMES[holding.size]} {suit} ({holding.height})")
    to = f" to {RANKS[holding.height]}{holding.suit}" if holding.category is SEQUENCE else ""
    return Phrase("declare", with_article(size_in_words(holding)) + to)


def blanche_phrase(number: int) -> Phrase:
    """number: the cards that elder promises to exchange, else 0."""
    promise = f", exchange {counted(number, 'card')}" if number else ""
    return Phrase("declare", f"carte blanche{promise}")


# Moves as the log has them


def blanche_event(seat: int, number: int) -> Event:
    promise = f" and [promise] to exchange {counted(number, 'card')}" if number else ""
    return Event(seat, Phrase("declare", f"carte blanche{promise}"))


def exchange_event(seat: int, number: int, *, left: int, seen: Sequence[Card] = ()) -> Event:
    """left: how many cards more the player could have taken. seen: these cards, for elder, who has looked at them."""
    leaving = f", leaving {left}" if left else ""
    if seen:
        leaving += f". Only @{seat} [see] the cards left: {' '.join(seen)}"
    return Event(seat, Phrase("exchange", counted(number, "card") + leaving), ("talon",))


def with_left_named(log: Sequence[Event], elder: int, seen: Sequence[Card]) -> tuple[Event, ...]:
    """Elder's own log: their exchange names the cards that they left, which only they have seen."""
    public, own = _elder_exchanges(elder, seen)
    return tuple(own if event == public else event for event in log)


def without_left_named(log: Sequence[Event], elder: int, seen: Sequence[Card]) -> tuple[Event, ...]:
    """The log that everyone may read, from elder's own."""
    public, own = _elder_exchanges(elder, seen)
    return tuple(public if event == own else event for event in log)


def _elder_exchanges(elder: int, seen: Sequence[Card]) -> tuple[Event, Event]:
    """Elder's exchange as everyone hears it, and as elder does."""
    number, left = ELDER_MOST - len(seen), len(seen)
    return exchange_event(elder, number, left=left), exchange_event(elder, number, left=left, seen=seen)


def left_event(seat: int, number: int, *, is_turned_up: bool) -> Event:
    what = f"the {counted(number, 'card') if number > 1 else 'card'} in the talon"
    phrase = Phrase("turn", f"up {what}") if is_turned_up else Phrase("leave", f"{what} face down")
    return Event(seat, phrase, ("talon",))


def said_event(seat: int, said: str) -> Event:
    return Event(seat, Phrase("say", f'"{said}"'))


def play_event(seat: int, card: Card, *, wins: bool) -> Event:
    return Event(seat, Phrase("play", f"{card} and [{'win' if wins else 'lose'}] the trick"), (card,))


def result_events(results: Sequence[HandResult]) -> list[Event]:
    """The last deal in a line, which stands before the log of the deal that is played."""
    return [Event(None, Phrase("", f"Deal {result.number}: {result.summary}")) for result in results[-1:]]


# Why a move is not allowed: by phase, the rule and the sentence for a player who is not to act (WAITING), and for one
# who tries another kind of move (NOW); by rule, what comes first where the time for such a move is over (TOO_LATE).

WAITING = {
    BLANCHE: ("elder-exchange", "The dealer looks at their hand first. You exchange next."),
    EXCHANGE: ("elder-exchange", "Elder exchanges first. Your turn comes next."),
    DECLARE: ("declare-order", "It's the other player's turn to speak."),
    LEAD: ("elder-leads", "Elder leads to the first trick. Your turn comes next."),
    CLAIMS: ("younger-declares-after-lead", "The other player may declare what you passed. Your turn comes next."),
    LEFT: ("younger-left-cards", "The other player decides whether to turn up the cards left in the talon."),
    PLAY: ("trick-winner", "It's the other player's turn to play."),
}
NOW = {
    BLANCHE: ("elder-exchange", "Go on first. Elder exchanges next."),
    EXCHANGE: ("elder-exchange", "Exchange first. Declaring and playing come later."),
    DECLARE: ("declare-order", "The declarations come first: declare, pass or answer."),
    LEAD: ("elder-leads", "The declarations are settled. Lead any card."),
    CLAIMS: ("younger-declares-after-lead", "Declare what elder passed, or pass it too."),
    LEFT: ("younger-left-cards", "First decide whether to turn up the cards left in the talon."),
    PLAY: ("elder-leads", "Play a card."),
}
TOO_LATE = {
    "late-declaration": "It's too late to declare.",
    "exchange-final": "The exchange is over for this deal.",
    "carte-blanche-when": "It's too late for carte blanche.",
}


def not_as_promised(number: int) -> str:
    return f"You promised to exchange {counted(number, 'card')}. Choose exactly that many."


def wrong_number(low: int, high: int, *, is_younger: bool) -> str:
    why = ", as many as the talon still holds" if is_younger else ""
    return f"You can exchange {count_range(low, high)}{why}."
