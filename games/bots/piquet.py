"""House bots of Piquet.

First steps throws low cards, sometimes says "good" too early, and takes a trick whenever it can. Club keeps long
suits and high cards, contests everything and cashes its winners. Strong imagines the hidden cards: it tries its best
exchanges on random deals, plays imagined deals to the end, and solves their last tricks exactly.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, groupby
from operator import itemgetter
from random import Random
from typing import Any, TypeAlias, cast

from games.bots import Reason
from games.core.card_bits import bits
from games.core.contract import Game
from games.core.tricks import SUIT_NAMES
from games.core.words import counted, joined
from games.engines.piquet.declaring import best_holding, extras, holdings
from games.engines.piquet.game import PIQUET
from games.engines.piquet.imagining import imagined_hands
from games.engines.piquet.moves import (
    ALL_CARDS,
    BIT,
    EQUAL,
    GOOD,
    LEAVE_DOWN,
    MAKING,
    NOT_GOOD,
    PLAY_OF,
    RANKS,
    SILENT,
    TALON_CARDS,
    TRICKS,
    CarteBlanche,
    Category,
    Claim,
    Exchange,
    Hand,
    Pass,
    Phase,
    PiquetMove,
    Play,
    cards_of,
    mask,
)
from games.engines.piquet.scoring import (
    BONUS_FROM,
    CAPOT_POINTS,
    CARTE_BLANCHE_POINTS,
    PIQUE_POINTS,
    REPIQUE_POINTS,
    cards_points,
)
from games.engines.piquet.state import PiquetState
from games.engines.piquet.view import PiquetView
from games.engines.piquet.words import holding_in_words, with_article

CARD_OF = {bit: card for card, bit in BIT.items()}
SUITS = tuple(255 << 8 * suit for suit in range(4))
RANK_BITS = tuple(0x01010101 << rank for rank in range(8))

# What cards are worth to keep: by rank from the seven, by the square of the suit's length, by neighbours, and by how
# many of a rank from the ten up are held.
RANK_WORTH = (0.0, 0.2, 0.5, 1.5, 2.0, 3.0, 4.5, 7.0)
LENGTH_WORTH, NEIGHBOUR_WORTH = 0.6, 0.8
SET_WORTH = (0.0, 0.0, 0.7, 3.0, 9.0)

Memo: TypeAlias = dict[tuple[Hand, Hand, int], int]


class FirstSteps:
    """Knows the rules, and little more.

    hasty: how often it says "good" where it could ask, and passes what it could claim.
    """

    hasty = 0.25

    def choose(self, view: PiquetView, rng: Random) -> PiquetMove:
        if view.phase is Phase.EXCHANGE:
            low, high = view.exchange_limits
            number = rng.randint(low, high)
            return exchange(sorted(view.hand, key=lambda card: RANKS.index(card[0]) + 4 * rng.random())[:number])
        if view.phase in (Phase.LEAD, Phase.PLAY):
            return self._play(view, rng)
        if rng.random() < self.hasty:
            return next((move for move in legal(view) if move == GOOD or isinstance(move, Pass)), speak(view))
        return speak(view)

    def _play(self, view: PiquetView, rng: Random) -> PiquetMove:
        """Leads high cards, and follows with the highest card allowed."""
        led, cards = view.led, [str(move) for move in view.moves]
        if led is None:
            return PLAY_OF[max(cards, key=lambda card: RANKS.index(card[0]) + 4 * rng.random())]
        return PLAY_OF[max(cards, key=lambda card: (1 if card[1] == led[1] else -1) * RANKS.index(card[0]))]


class Club:
    """Keeps long suits and high cards, but forgets about sets; claims its best, and plays winners first."""

    def choose(self, view: PiquetView, rng: Random) -> PiquetMove:
        if view.phase is Phase.EXCHANGE:
            suits = [card[1] for card in view.hand]
            by_worth = sorted(view.hand, key=lambda card: RANKS.index(card[0]) + 2 * suits.count(card[1]))
            return exchange(by_worth[: view.exchange_limits[1]])
        if view.phase not in (Phase.LEAD, Phase.PLAY):
            return speak(view)
        hand = mask(view.hand)
        bit = lead(hand, unseen(view)) if view.led is None else follow(hand, BIT[view.led])
        return PLAY_OF[CARD_OF[bit]]


CLUB = Club()


@dataclass(frozen=True, slots=True)
class Strong:
    """Monte Carlo search: chooses the move with the best average in sampled deals.

    exchanges, deals: how many exchanges it compares, and on how many deals. worlds: imagined hands for a card.
    """

    exchanges: int = 8
    deals: int = 28
    worlds: int = 28

    def choose(self, view: PiquetView, rng: Random) -> PiquetMove:
        if view.phase is Phase.EXCHANGE:
            return self._exchange(view, rng)
        if view.phase in (Phase.LEAD, Phase.PLAY):
            return self._play(view, rng) if len(view.moves) > 1 else legal(view)[0]
        return speak(view)

    def _exchange(self, view: PiquetView, rng: Random) -> PiquetMove:
        hand, (low, high) = mask(view.hand), view.exchange_limits
        weak = thrown(hand, min(high + 3, len(view.hand)))
        sizes = {high, max(low, high - 1)}
        tried = [sum(cards) for size in sizes for cards in combinations(weak, size)]
        tried.sort(key=lambda cards: (cards.bit_count(), worth(hand & ~cards)), reverse=True)
        fewer = [cards for cards in tried if cards.bit_count() < high][: self.exchanges // 4]
        tried = tried[: self.exchanges - len(fewer)] + fewer
        unseen = [BIT[card] for card in cards_of(ALL_CARDS & ~hand)]
        deals = [rng.sample(unseen, len(unseen)) for _deal in range(self.deals)]
        best = max(tried, key=lambda cards: sum(exchange_gain(view, hand, cards, deal) for deal in deals))
        return exchange(cards_of(best))

    def _play(self, view: PiquetView, rng: Random) -> PiquetMove:
        gains = dict.fromkeys(map(str, view.moves), 0)
        for _world in range(self.worlds):
            hands = imagined_hands(view, rng)
            memo: Memo = {}
            for card in gains:
                gains[card] += Deal.seen(view, hands, memo).gain(view.seat or 0, BIT[card])
        if view.led is None:
            return PLAY_OF[max(gains, key=gains.__getitem__)]
        hand = mask(view.hand)
        # A card costs nothing in these worlds if the other plays perfectly; people don't, so the high ones are kept.
        return PLAY_OF[max(gains, key=lambda card: (gains[card], -discard_cost(hand, BIT[card])))]

    def choose_open(self, world: PiquetState, rng: Random) -> PiquetMove:
        """Plays a card as in a `Deal`, and all else as the club bot does."""
        seat = world.to_act[0]
        hand, other = world.hands[seat], world.hands[1 - seat]
        if world.phase not in (Phase.LEAD, Phase.PLAY):
            return CLUB.choose(world.view(seat), rng)
        led = BIT[world.led] if world.led is not None else 0
        if hand.bit_count() > Deal.solved:
            return PLAY_OF[CARD_OF[follow(hand, led) if led else lead(hand, other)]]
        memo: Memo = {}
        cards = answers_worth_trying(hand, led) if led else leads_worth_trying(hand, other)
        return PLAY_OF[CARD_OF[max(cards, key=lambda card: Deal.of_world(world, memo).gain(seat, card))]]


LEVELS = {"first-steps": FirstSteps(), "club": CLUB, "strong": Strong()}


# Speaking and exchanging


def unseen(view: PiquetView) -> Hand:
    """Cards that may be in the other hand, as far as discards, tricks and the known cards of the talon tell."""
    seen = (*view.hand, *view.discards, *view.known_talon, *(card for _seat, card in view.played))
    return ALL_CARDS & ~mask(seen)


def legal(view: PiquetView) -> tuple[PiquetMove, ...]:
    """The viewer's moves, which are moves of Piquet."""
    return cast(tuple[PiquetMove, ...], view.moves)


def speak(view: PiquetView) -> PiquetMove:
    """Carte blanche, the best claim, and the answer that contests most; cards left stay face down."""
    moves = legal(view)
    if any(isinstance(move, Claim) for move in moves):
        category = view.due[1]
        best = best_holding(mask(view.hand), category)
        assert best is not None, "there is something to claim"
        return Claim(category, best.notation)
    return LEAVE_DOWN if LEAVE_DOWN in moves else moves[-1]


def exchange(cards: Iterable[str]) -> Exchange:
    return Exchange(cards_of(mask(cards)))


def worth(hand: Hand) -> float:
    """Estimated value of the cards that are kept."""
    total = 0.0
    for rank, cards in enumerate(RANK_BITS):
        held = (hand & cards).bit_count()
        total += held * RANK_WORTH[rank] + (SET_WORTH[held] if rank >= 3 else 0)
    for suit in SUITS:
        cards = hand & suit
        length = cards.bit_count()
        total += LENGTH_WORTH * length * length + NEIGHBOUR_WORTH * (cards & cards >> 1 & suit).bit_count()
    return total


@lru_cache(maxsize=4096)
def thrown(hand: Hand, number: int) -> tuple[int, ...]:
    """The cards to discard, chosen one by one by least cost (greedy)."""
    found: list[int] = []
    for _card in range(number):
        found.append(max(bits(hand), key=lambda bit: worth(hand ^ bit)))
        hand ^= found[-1]
    return tuple(found)


def exchange_gain(view: PiquetView, hand: Hand, cards: Hand, deal: Sequence[int]) -> int:
    """Value of a deal to the viewer after an exchange, with the hidden cards in the order of `deal`."""
    me, number = view.seat or 0, cards.bit_count()
    if me == view.elder:
        talon, other = deal[:TALON_CARDS], sum(deal[TALON_CARDS:])
        more = TALON_CARDS - number
        other = other & ~sum(thrown(other, more)) | sum(talon[number:])
    else:
        talon, other = deal[: view.talon_count], sum(deal[view.talon_count :])
        other &= ~sum(thrown(other, view.discard_counts[view.elder]))
    hands = [hand & ~cards | sum(talon[:number]), other]
    if me == 1:
        hands.reverse()
    return Deal(view.elder, hands, declared(hands[view.elder], hands[view.younger], view.elder)).rest(me)


def declared(elder: Hand, younger: Hand, seat: int) -> list[int]:
    """Points of both for their best declarations, with a repique; by seat, elder sitting at `seat`."""
    hands, points = (elder, younger), [0, 0]
    for category in Category:
        best = [best_holding(hand, category) for hand in hands]
        figures = [(0, 0) if found is None else found.figure for found in best]
        if figures[0] == figures[1]:
            continue
        winner = 0 if figures[0] > figures[1] else 1
        claim = best[winner]
        assert claim is not None, "the winner has something"
        points[winner] += claim.points + sum(extra.points for extra in extras(hands[winner], claim))
        if BONUS_FROM <= points[winner] < REPIQUE_POINTS and points[1 - winner] == 0:
            points[winner] += REPIQUE_POINTS
    return points if seat == 0 else points[::-1]


# Playing


class Deal:
    """A deal with all cards open, played to its end by simple rules, the last tricks by an exact search.

    points: of the deal, by seat. memo: of the search, for deals with the same hands.
    """

    solved = 5

    def __init__(self, elder: int, hands: list[Hand], points: list[int]) -> None:
        self.elder = elder
        self.hands = hands
        self.points = points
        self.leader = elder
        self.led = 0
        self.tricks = [0, 0]
        self.is_pique_open = max(points) < REPIQUE_POINTS
        self.memo: Memo = {}

    @classmethod
    def seen(cls, view: PiquetView, hands: Sequence[Hand], memo: Memo) -> "Deal":
        """The deal as a view has it, with these hands."""
        deal = cls(view.elder, list(hands), list(view.deal_score))
        deal.tricks, deal.memo, deal.is_pique_open = list(view.tricks), memo, not view.has_bonus
        if view.led is not None:
            deal.leader, deal.led = view.played[-1][0], BIT[view.led]
        else:
            deal.leader = view.to_act[0]
        return deal

    @classmethod
    def of_world(cls, world: PiquetState, memo: Memo) -> "Deal":
        """The last tricks of an imagined deal; the points before them are left out."""
        deal = cls(world.elder, list(world.hands), [0, 0])
        deal.tricks, deal.memo, deal.is_pique_open = list(world.tricks), memo, False
        deal.leader = world.to_act[0]
        if world.led is not None:
            deal.leader, deal.led = 1 - deal.leader, BIT[world.led]
        return deal

    def gain(self, me: int, card: int) -> int:
        """Gain of a seat over the other if it plays this card now."""
        if self.led:
            self._answer(card)
        else:
            self._lead(card)
        return self.rest(me)

    def rest(self, me: int) -> int:
        """Gain of a seat over the other from here to the end."""
        while any(self.hands):
            if self.led:
                self._answer(follow(self.hands[1 - self.leader], self.led))
            elif self.hands[0].bit_count() <= self.solved:
                return self._difference(me) + self._solved(me)
            else:
                self._lead(lead(self.hands[self.leader], self.hands[1 - self.leader]))
        return self._difference(me) + cards_points(self.tricks[me]) - cards_points(self.tricks[1 - me])

    def _difference(self, me: int) -> int:
        return self.points[me] - self.points[1 - me]

    def _solved(self, me: int) -> int:
        leader, other = self.leader, 1 - self.leader
        found = solve(self.hands[leader], self.hands[other], self.tricks[leader], self.tricks[other], self.memo)
        return found if me == leader else -found

    def _lead(self, card: int) -> None:
        self.led = card
        self.hands[self.leader] ^= card
        self._count(self.leader)

    def _answer(self, card: int) -> None:
        other = 1 - self.leader
        self.hands[other] ^= card
        if wins(card, self.led):
            self.leader = other
            self._count(other)
        self.led = 0
        self.tricks[self.leader] += 1
        if not self.hands[0]:
            self._count(self.leader)

    def _count(self, seat: int) -> None:
        self.points[seat] += 1
        elder = self.elder
        if self.is_pique_open and self.points[elder] >= BONUS_FROM and not self.points[1 - elder]:
            self.points[elder] += PIQUE_POINTS
            self.is_pique_open = False


def suit_of_bit(bit: int) -> Hand:
    return next(suit for suit in SUITS if bit & suit)


def wins(answer: int, led: int) -> bool:
    return answer > led and bool(answer & suit_of_bit(led))


def lead(hand: Hand, other: Hand) -> int:
    """The top card of the longest suit that the other cannot beat, else a low card of the longest suit."""
    best, chosen = (-1, -1), 0
    for suit in SUITS:
        mine = hand & suit
        if mine:
            is_master = mine > other & suit
            figure = (int(is_master), mine.bit_count())
            if figure > best:
                best, chosen = figure, 1 << mine.bit_length() - 1 if is_master else mine & -mine
    return chosen


def follow(hand: Hand, led: int) -> int:
    """The cheapest card that wins, else the lowest of the suit, else the card that costs least."""
    mine = hand & suit_of_bit(led)
    if not mine:
        return min(bits(hand), key=lambda bit: discard_cost(hand, bit))
    higher = mine & -(led << 1)
    return higher & -higher if higher else mine & -mine


def discard_cost(hand: Hand, bit: int) -> int:
    """Low cards first, and rather from long suits than a guard of a high card."""
    suit = hand & suit_of_bit(bit)
    rank = (bit.bit_length() - 1) % 8
    guards = suit.bit_count() == 2 and (suit.bit_length() - 1) % 8 == RANKS.index("K")
    return 2 * rank + 5 * guards - suit.bit_count()


def solve(mine: Hand, theirs: Hand, my_tricks: int, their_tricks: int, memo: Memo) -> int:
    """Exact search: gain of the player on lead with best play on both sides, the points for cards included."""
    if not mine:
        return cards_points(my_tricks) - cards_points(their_tricks)
    key = mine, theirs, my_tricks
    found = memo.get(key)
    if found is not None:
        return found
    best = -TRICKS - CAPOT_POINTS
    for card in leads_worth_trying(mine, theirs):
        worst = -best + 2 * CAPOT_POINTS
        for answer in answers_worth_trying(theirs, card):
            left, right = mine ^ card, theirs ^ answer
            last = 0 if left else 1
            if wins(answer, card):
                value = -last - solve(right, left, their_tricks + 1, my_tricks, memo)
            else:
                value = 1 + last + solve(left, right, my_tricks + 1, their_tricks, memo)
            worst = min(worst, value)
        best = max(best, worst)
    memo[key] = best
    return best


def leads_worth_trying(mine: Hand, theirs: Hand) -> Iterator[int]:
    """One card of each group of equivalent cards (the opponent has none between them)."""
    for suit in SUITS:
        above = 0
        for bit in sorted(bits((mine | theirs) & suit), reverse=True):
            if bit & mine and not above & mine:
                yield bit
            above = bit


def answers_worth_trying(hand: Hand, led: int) -> Iterator[int]:
    """The cheapest winner and the lowest card of the suit; without one the lowest of each other suit."""
    mine = hand & suit_of_bit(led)
    if not mine:
        for suit in SUITS:
            if hand & suit:
                yield hand & suit & -(hand & suit)
        return
    yield mine & -mine
    higher = mine & -(led << 1)
    if higher and higher & -higher != mine & -mine:
        yield higher & -higher


# What speaks for a move


def reason(view: PiquetView, move: PiquetMove) -> Reason:
    return explained(PIQUET, view, move)


def explained(game: Game[Any, Any, Any], view: PiquetView, move: PiquetMove) -> Reason:
    match move:
        case Exchange():
            text, rule = _for_exchange(view, move)
        case Claim():
            text, rule = _for_claim(view, move)
        case Play() if view.led is None:
            text, rule = _for_lead(view, move.card), "play-lead-1"
        case Play():
            text, rule = _for_answer(view, move.card)
        case _:
            text, rule = _for_word(view, move)
    return Reason(text, f"{game.slug}:{rule}")


def _for_exchange(view: PiquetView, move: Exchange) -> tuple[str, str]:
    if _may_declare_blanche(view):
        text = f"The {CARTE_BLANCHE_POINTS} points for carte blanche are lost if you exchange first."
        return text, "carte-blanche-when"
    kept = mask(view.hand) & ~mask(move.cards)
    point = best_holding(kept, Category.POINT)
    more = [held for category in (Category.SEQUENCE, Category.SET) if (held := best_holding(kept, category))]
    holdings = [with_article(holding_in_words(held)) for held in ([point] if point else []) + more]
    rule = "elder-exchange" if view.seat == view.elder else "younger-exchange"
    drawn = counted(len(move.cards), "card")
    return f"You keep {joined(holdings)}, and draw {drawn}.", rule


def _may_declare_blanche(view: PiquetView) -> bool:
    return any(isinstance(move, CarteBlanche) for move in view.moves)


def _for_claim(view: PiquetView, move: Claim) -> tuple[str, str]:
    hand = mask(view.hand)
    holding = next(held for held in holdings(hand, move.category) if held.notation == move.what)
    more = sum(extra.points for extra in extras(hand, holding))
    is_best = holding == best_holding(hand, move.category)
    best = f"It's your best {move.category}. " if is_best else ""
    added = f", and {more} more for what comes along" if more else ""
    return f"{best}If it's good, it scores {holding.points}{added}.", f"{move.category}-score"


def _for_word(view: PiquetView, move: PiquetMove) -> tuple[str, str]:
    if isinstance(move, CarteBlanche):
        return f"A hand without court cards scores {CARTE_BLANCHE_POINTS} points at once.", "carte-blanche"
    if move == SILENT:
        text = (
            "You may keep a carte blanche secret."
            if _may_declare_blanche(view)
            else "You have court cards, so there is nothing to declare."
        )
        return text, "carte-blanche"
    if isinstance(move, Pass) or move in (GOOD, MAKING, EQUAL, NOT_GOOD):
        return _for_talk(view, move)
    if move == LEAVE_DOWN:
        return "Face down, the cards left over tell the other player nothing.", "younger-left-cards"
    return "Turned up, the cards left over are known to both of you.", "younger-left-cards"


def _for_talk(view: PiquetView, move: PiquetMove) -> tuple[str, str]:
    place, category = view.due
    best = best_holding(mask(view.hand), category)
    mine = f"You have {with_article(holding_in_words(best))}" if best else f"You have no {category}"
    if isinstance(move, Pass):
        return f"{mine}. What you don't declare stays secret.", "sinking"
    size = view.talks[place].elder.size
    if move == NOT_GOOD:
        return f"{mine}, which is better.", "reply-figure"
    if move == MAKING:
        return f"{mine}. The numbers are the same, so ask what decides.", "reply-making"
    if move == EQUAL:
        return f"{mine}, the same as the other player, so no one scores.", "reply-equal"
    shorter = best is None or best.size < size
    return f"{mine}{'' if shorter else ', which you may keep secret'}.", "reply-good" if shorter else "sinking"


def _for_lead(view: PiquetView, card: str) -> str:
    if not _higher(view, card):
        return f"Nothing left beats {card}: you win the trick and lead again."
    parts = ["A lead scores 1 point, won or lost."]
    if _length(view, card) == max(_length(view, other) for other in view.hand):
        parts.append(f"{card} is from your longest suit.")
    highest = [max(suit, key=BIT.__getitem__) for _, suit in groupby(view.hand, key=itemgetter(1))]
    if kept := [other for other in highest if not _higher(view, other)]:
        parts.append(f"You keep {joined(kept)} to win later.")
    return " ".join(parts)


def _higher(view: PiquetView, card: str) -> int:
    """How many cards that the other player may hold beat this lead."""
    bit = BIT[card]
    return (unseen(view) & suit_of_bit(bit) & -(bit << 1)).bit_count()


def _length(view: PiquetView, card: str) -> int:
    """How many cards of its suit the viewer holds."""
    return (mask(view.hand) & suit_of_bit(BIT[card])).bit_count()


def comparison(view: PiquetView, better: PiquetMove, other: PiquetMove) -> Reason | None:
    return compared(PIQUET, view, better, other)


def compared(game: Game[Any, Any, Any], view: PiquetView, better: PiquetMove, other: PiquetMove) -> Reason | None:
    """Leads are compared by what tells them apart: both score 1 point."""
    if not isinstance(better, Play) or not isinstance(other, Play) or view.led is not None:
        return None
    return Reason(f"Both leads score 1 point. {_lead_apart(view, better.card, other.card)}", f"{game.slug}:play-lead-1")


def _lead_apart(view: PiquetView, better: str, other: str) -> str:
    """What sets a lead apart from a worse one."""
    above, above_other = _higher(view, better), _higher(view, other)
    if above and not above_other:
        return f"Nothing left beats {other}, so keep it: it can win a later trick and bring the lead back to you."
    if above_other and not above:
        return f"Nothing left beats {better}, so you win the trick and lead again. {other} may be beaten."
    if _length(view, better) > _length(view, other):
        return f"{better} is from a longer suit, which may win more tricks once its high cards are gone."
    if better[1] == other[1] and above > above_other:
        return f"{better} may lose the trick, and you keep {other}, the higher card, for later."
    if better[1] == other[1] and above < above_other:
        return f"{better} is higher, so fewer cards beat it."
    return f"No one reason tells them apart: {better} came out ahead in the deals that the coach tried."


def _for_answer(view: PiquetView, card: str) -> tuple[str, str]:
    assert view.led is not None, "somebody has led"
    if wins(BIT[card], BIT[view.led]):
        return f"{card} beats {view.led}: you score 1 point and lead next.", "play-win-1"
    suit = SUIT_NAMES[view.led[1]]
    if card[1] != view.led[1]:
        return f"You have no {suit}, so you can't win. {card} is one you can spare.", "follow-suit"
    can_win = any(wins(BIT[str(move)], BIT[view.led]) for move in view.moves)
    lead = f"You don't have to beat {view.led}" if can_win else f"None of your {suit} beats {view.led}"
    lowest = min((str(move) for move in view.moves), key=BIT.__getitem__)
    follow_up = f"{card} is your lowest" if card == lowest else f"You keep {lowest} for later"
    return f"{lead}. {follow_up}.", "no-duty-to-win" if can_win else "follow-suit"
