"""Texts of engines in both persons: a table of cases, and every text of every game along random games."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random
from typing import NamedTuple

import pytest

from games.core.contract import Event, Game, GameError, Phrase, State, Zone
from games.core.words import (
    counted,
    joined,
    players_in_words,
    render_text,
    with_full_stop,
    within_sentence,
)
from games.domain.wording import event_sentence
from tests.core.test_contract import TABLES, near_misses, positions, start, strangers, viewers, whole_game
from tests.hand_ends import random_ends

NAMES = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay")

# The markup


@pytest.mark.parametrize(
    ("text", "for_others", "for_ada"),
    [
        ("@0 [go] out and [win].", "Ada goes out and wins.", "You go out and win."),
        ("@0 [have] gin. @0 [pass]", "Ada has gin. Ada passes", "You have gin. You pass"),
        ("@0 [be] ahead", "Ada is ahead", "You are ahead"),
        ("@0 [do] nothing", "Ada does nothing", "You do nothing"),
        ("@0 [carry] over 1 and [play]", "Ada carries over 1 and plays", "You carry over 1 and play"),
        ("@0 [miss], [push], [catch]", "Ada misses, pushes, catches", "You miss, push, catch"),
        ("@0 and @2 [win]", "Ada and Cleo win", "You and Cleo win"),
        ("@2 and @0 [have] 5", "Cleo and Ada have 5", "You and Cleo have 5"),
        ("@1, @0 and @2 [share] the win", "Ben, Ada and Cleo share the win", "You, Ben and Cleo share the win"),
        ("Nobody can play: @0 [win] with 3.", "Nobody can play: Ada wins with 3.", "Nobody can play: you win with 3."),
        ("Gin for @0, @1 [have] 25", "Gin for Ada, Ben has 25", "Gin for you, Ben has 25"),
        ("@1 [push] QC to @0 and [draw]", "Ben pushes QC to Ada and draws", "Ben pushes QC to you and draws"),
        ("@0 [push] QC to @1 and [draw]", "Ada pushes QC to Ben and draws", "You push QC to Ben and draw"),
        ("@0's hand", "Ada's hand", "Your hand"),
        ("Over. @0's hand", "Over. Ada's hand", "Over. Your hand"),
        ("@1 [add] 4C to @0's meld", "Ben adds 4C to Ada's meld", "Ben adds 4C to your meld"),
        ("Won by @0", "Won by Ada", "Won by you"),
        ("[take] 3C and [trail] 4D", "Take 3C and trail 4D", "Take 3C and trail 4D"),
        ("You can [push] it to @0 and [draw]", "You can push it to Ada and draw", "You can push it to you and draw"),
        ("8Sx[8]", "8Sx[8]", "8Sx[8]"),
    ],
)
def test_a_text_is_rendered_for_others_and_for_the_player_it_is_about(text, for_others, for_ada):
    assert render_text(text, NAMES) == for_others
    assert render_text(text, NAMES, viewer=0) == for_ada


def test_names_are_not_read_as_markup_and_keep_their_letters():
    names = ["@1 [win]", "you"]
    assert render_text("@0 [lose] to @1", names) == "@1 [win] loses to you"
    assert render_text("@1 [lose]", names, viewer=0) == "you loses"


@pytest.mark.parametrize(
    ("phrase", "button", "log", "own_log"),
    [
        (Phrase("take", "3C with 8S"), "Take 3C with 8S", "Ada takes 3C with 8S.", "You take 3C with 8S."),
        (Phrase("pass"), "Pass", "Ada passes.", "You pass."),
        (Phrase("go", "out"), "Go out", "Ada goes out.", "You go out."),
        (Phrase("say", '"Making?"'), 'Say "Making?"', 'Ada says "Making?"', 'You say "Making?"'),
        (
            Phrase("play", "QC and [lose] the trick"),
            "Play QC and lose the trick",
            "Ada plays QC and loses the trick.",
            "You play QC and lose the trick.",
        ),
    ],
)
def test_a_phrase_fits_a_button_and_both_logs(phrase, button, log, own_log):
    event = Event(0, phrase)
    assert render_text(phrase.text, NAMES) == button
    assert (event_sentence(event, NAMES, 1), event_sentence(event, NAMES, 0)) == (log, own_log)


def test_small_words():
    assert (counted(1, "card"), counted(2, "card")) == ("1 card", "2 cards")
    assert within_sentence("Big casino: TD") == "big casino: TD"
    assert joined(["a", "b", "c"]) == "a, b and c"
    assert (players_in_words([1]), players_in_words([0, 2])) == ("@1", "@0 and @2")
    assert [with_full_stop(text) for text in ("Go", "Go.", "Go?", "Go!")] == ["Go.", "Go.", "Go?", "Go!"]


# Every text of every game

BASE_VERBS = (
    "add announce be build claim count deal declare discard do draw end exchange give go have hold knock lay lead make "
    "meld miss open pass pay peg place play push reach say score share show take trade trail turn undercut win"
).split()
POSITIONS = 40
HANDS = 3
WRONG = {
    "markup is left": r"@\d|\[[a-z]",
    "verb or possessive of another person": r"\byou('s| is| has| does)\b|\b[Yy]ou [a-z]*[^s ]s\b",
    "two determiners": r"\b([Tt]he|[Yy]our) ([Tt]he|[Yy]our|\w+'s) (hand|stock|pile|crib|meld|build)\b",
    "base form of a verb": rf"(?:^|[.:;] )(?:{'|'.join(NAMES)}) ({'|'.join(BASE_VERBS)})\b",
    "spaces": r"  | [,.;:?!]|^ | $",
    "punctuation": r"\.\.|,\.|[;:,]$|;;|::",
    "plural of one": r"\b(?<![\d.])1 (cards|points|pairs|tricks|hands|deals)\b",
}


def faults_of(text: str) -> list[str]:
    """What is wrong with a text that has been rendered."""
    return [fault for fault, pattern in WRONG.items() if re.search(pattern, text)]


def refused(action: Callable[[], object]) -> str:
    """What is said of something that cannot be done, "" if it can."""
    try:
        action()
    except GameError as error:
        return str(error)
    return ""


def refusals(game: Game, position: State, seat: int, rng: Random) -> Iterator[str]:
    """What a player to act is told of near misses of a legal move and of picks at random, and another player of it."""
    view, move = position.view(seat), rng.choice(position.legal_moves(seat))
    texts = near_misses(str(move)) - {""}
    picks = [zone.id for zone in view.zones] + [card for zone in view.zones for card in zone.cards]
    for text in texts:
        yield refused(partial(game.parse, text))
    for other in sorted(strangers(game, texts), key=str):
        yield refused(partial(position.copy().play, seat, other))
    for other in set(range(view.seats)) - set(position.to_act):
        yield refused(partial(position.copy().play, other, move))
    for number in (1, 2, 3):
        yield refused(partial(game.attempt, view, rng.sample(picks, min(number, len(picks)))))


class Texts(NamedTuple):
    """Texts with their markup: whole sentences, lines that begin with a capital, and parts that need none."""

    sentences: set[str]
    lines: set[str]
    parts: set[str]

    def add_zones(self, zones: Iterable[Zone]) -> None:
        for zone in zones:
            (self.parts if zone.kind == "cell" else self.lines).add(zone.label)
            self.parts.add(zone.note)


def texts_of_position(game: Game, position: State, viewer: int | None, rng: Random) -> Texts:
    view = position.view(viewer)
    texts = Texts({event.text for event in view.log} | {view.prompt}, set(), set())
    if viewer in position.to_act:
        texts.sentences.update(refusals(game, position, viewer, rng))
    texts.lines.update(view.choice(move).phrase.text for move in view.offered[:40])
    texts.lines.update(words for _seat, words in view.announcements)
    texts.lines.update(label for label, _value in view.facts)
    texts.parts.update(value for _label, value in view.facts)
    texts.add_zones(view.zones)
    return texts


def texts_of_ends(game: Game, seats: int, last: State) -> Texts:
    """The texts of finished hands and of the end of the game."""
    outcome, results = last.outcome(), last.results
    texts = Texts({outcome.reason, *(result.summary for result in results)}, set(), set())
    for end in random_ends(game, seats, hands=HANDS):
        show = game.show(end)
        texts.sentences.update(Event(stage.seat, stage.phrase).text for stage in show.stages)
        texts.add_zones(show.zones)
    for result in results:
        texts.add_zones(result.zones)
    texts.lines.update(line.text for lines in (outcome.lines, *(result.lines for result in results)) for line in lines)
    return texts


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_text_of_a_game_reads_well_for_every_reader(game: Game, seats: int):
    rng, wrong = Random(23), set()
    *_, last = whole_game(game, seats, 1)
    ends = texts_of_ends(game, seats, last)
    walked = [position.copy() for position in positions(start(game, seats, 23), 23, POSITIONS)]
    for viewer in viewers(seats):
        found = [ends, *(texts_of_position(game, position, viewer, rng) for position in walked)]
        sentences, lines, parts = (set().union(*texts) - {""} for texts in zip(*found, strict=True))
        for text in sentences | lines | parts:
            rendered = render_text(text, NAMES, viewer)
            faults = faults_of(with_full_stop(rendered) if text in sentences else rendered)
            if text not in parts and rendered[0].islower():
                faults.append("no capital")
            if faults:
                wrong.add(f"{', '.join(faults)}: {rendered}")
    assert not wrong, "\n".join(sorted(wrong))
