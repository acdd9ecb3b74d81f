"""Courses: read from `seeds/<game>/lessons.yaml`. The format is described in `seeds/README.md`.

Texts are HTML here, unless they are said to be plain. Moves stay in their text form, cards in their codes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.core.contract import Move, State
from tutorials.content.seedfile import SeedError, check_keys, read_yaml, render_markdown, render_markdown_line
from tutorials.content.values import check_values, refuse_typed_scores

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_CARD = re.compile(r"(?:X[BR]|[A2-9TJQK][CDHS])[12]?")

TURN_KEYS = ("do", "goal", "refused", "unwanted", "hint", "replies", "bot", "then")


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """An answer to a question. cards: drawn in place of the text, if the answer is only cards."""

    html: str
    is_right: bool
    because: str
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LessonQuestion:
    """A quiz question. If several answers are right, all of them must be marked, and no others."""

    ask: str
    answers: tuple[QuestionAnswer, ...]

    @property
    def right(self) -> frozenset[int]:
        return frozenset(index for index, answer in enumerate(self.answers) if answer.is_right)

    @property
    def asks_for_all(self) -> bool:
        return len(self.right) > 1

    @property
    def picks_a_card(self) -> bool:
        """Whether every answer is a single card."""
        return all(len(answer.cards) == 1 for answer in self.answers)


@dataclass(frozen=True, slots=True)
class MoveGoal:
    """What a move must achieve; all given conditions must hold.

    touches: cards and zone ids the move uses. zones: zone ids with the cards that must be there afterwards.
    hand_at_most: cards left in the learner's hand. ends: "hand" or "game". wins: the game, by the learner.
    """

    touches: tuple[str, ...] = ()
    zones: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hand_at_most: int | None = None
    ends: str = ""
    wins: bool = False

    def is_reached(self, before: State, seat: int, move: Move, after: State) -> bool:
        """before and after: the position without and with the legal move."""
        return all(self._parts(before, seat, move, after))

    def _parts(self, before: State, seat: int, move: Move, after: State) -> Iterator[bool]:
        yield not self.touches or {*self.touches} <= {*before.view(seat).choice(move).touches}
        zones = {zone.id: zone for zone in after.view(seat).zones}
        for name, cards in self.zones.items():
            yield name in zones and {*cards} <= {*zones[name].cards}
        if self.hand_at_most is not None:
            yield (sum(z.count for z in zones.values() if z.kind == "hand" and z.owner == seat) <= self.hand_at_most)
        outcome = after.outcome()
        if self.ends == "hand":
            yield len(after.results) > len(before.results)
        if self.ends == "game":
            yield outcome is not None
        if self.wins:
            yield outcome is not None and seat in outcome.winners


@dataclass(frozen=True, slots=True)
class TemptingMove:
    """An illegal move that is tempting. rule: short id. say: plain text with card codes; "" for the engine's text."""

    rule: str
    say: str = ""


@dataclass(frozen=True, slots=True)
class UnwantedMove:
    """A legal move that misses the point. replies: what the others would do then, shown with the answer."""

    say: str
    replies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LessonTurn:
    """A move of the learner, and the answers of the others.

    accept: moves that are right; goal: any other move that reaches it is right as well.
    replies: the moves that follow; without them `bot` plays, at that level. say, then: plain text with card codes, the
    prompt and the text after the replies; both are shown on the table. hints: a nudge and, if the author wrote one, the
    reason with the answer.
    """

    say: str
    accept: tuple[str, ...]
    goal: MoveGoal | None
    refused: Mapping[str, TemptingMove]
    unwanted: Mapping[str, UnwantedMove]
    hints: tuple[str, ...]
    replies: tuple[str, ...]
    bot: str
    then: str


@dataclass(frozen=True, slots=True)
class PracticeGame:
    """A game against bots of a level, until the first hand or the game is over.

    It is played at a table of its own (seats, options) or, in a step with a position, from there in the lesson, with
    the advice of the bot `adviser`.
    """

    bot: str
    until: str
    seats: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    adviser: str = ""


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A step: turns from a position, a question (perhaps with a position), or a practice game.

    rules: short ids of the rules it teaches. decided_by: those that decide its question, or which legal move of the
    first turn is best, so that a test can ask about these. seat: the learner's. not_yet: see `Chapter`.
    """

    id: str
    title: str
    place: str
    rules: tuple[str, ...]
    decided_by: tuple[str, ...]
    say: str
    done: str
    position: dict[str, Any] | None
    seat: int
    not_yet: tuple[str, ...] = ()
    turns: tuple[LessonTurn, ...] = ()
    question: LessonQuestion | None = None
    practice: PracticeGame | None = None

    @property
    def missed_rule(self) -> str:
        """The rule to review after a miss: the first that decides the step, else the first that it teaches."""
        return (self.decided_by or self.rules)[0]

    @property
    def is_at_table(self) -> bool:
        """Whether it is a practice game at a table of its own."""
        return self.practice is not None and self.position is None


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter. not_yet: patterns (fnmatch) of moves that it does not offer, since they are taught later."""

    id: str
    title: str
    say: str
    placement: LessonQuestion
    steps: tuple[LessonStep, ...]
    not_yet: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Course:
    game: str
    title: str
    say: str
    chapters: tuple[Chapter, ...]

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        return tuple(step for chapter in self.chapters for step in chapter.steps)

    @property
    def rule_ids(self) -> frozenset[str]:
        """Every rule that a step teaches."""
        return frozenset(rule for step in self.steps for rule in step.rules)


def parse_course(text: str, *, path: str) -> Course:
    """:raises SeedError: the file breaks the format; the message names file, chapter and step."""
    data = check_keys(read_yaml(text, path=path), path, needed=("game", "title", "say", "chapters"))
    chapters = tuple(_chapter(item, path) for item in _items(data["chapters"], path))
    course = Course(str(data["game"]), str(data["title"]), render_markdown(data["say"]), chapters)
    _check_ids([chapter.id for chapter in chapters], path, "chapter")
    _check_ids([step.id for step in course.steps], path, "step")
    return course


def _chapter(data: Any, path: str) -> Chapter:
    place = f"{path}, chapter {_name(data)}"
    data = check_keys(data, place, needed=("id", "title", "say", "placement", "steps"), allowed=("not_yet",))
    not_yet = _texts(data.get("not_yet", ()))
    return Chapter(
        id=str(data["id"]),
        title=str(data["title"]),
        say=render_markdown(data["say"]),
        placement=_question(data["placement"], f"{place}, placement"),
        steps=tuple(_step(item, place, not_yet) for item in _items(data["steps"], place)),
        not_yet=not_yet,
    )


def _step(data: Any, place: str, not_yet: tuple[str, ...]) -> LessonStep:
    place = f"{place}, step {_name(data)}"
    shape = ("decided_by", "done", "position", "seat", "task", "turns", "answers", "ask", "practice")
    data = check_keys(data, place, needed=("id", "title", "rules", "say"), allowed=(*shape, *TURN_KEYS))
    kinds = [kind for kind in ("turns", "answers", "practice") if kind in data]
    if any(key in data for key in TURN_KEYS):
        kinds.append("do")
    if len(kinds) != 1:
        raise SeedError(place, "a step has one of: a move to make (do, goal), turns, answers, practice.")
    kind = kinds[0]
    if "task" in data and kind != "do":
        raise SeedError(place, "a task belongs to a move to make; turns have their own words.")
    if kind in ("turns", "do") and ("position" not in data or "seat" not in data):
        raise SeedError(place, "a move needs a position and the learner's seat.")
    has_position = "position" in data
    turns: tuple[LessonTurn, ...] = ()
    if kind == "do":
        turn = {key: data[key] for key in TURN_KEYS if key in data}
        turns = (_turn(turn | {"say": data.get("task", "")}, place),)
    elif kind == "turns":
        turns = tuple(_turn(item, f"{place}, turn {n}") for n, item in enumerate(_items(data["turns"], place), 1))
    return LessonStep(
        id=str(data["id"]),
        title=str(data["title"]),
        place=place,
        rules=_texts(data["rules"]),
        decided_by=_decided_by(data, place, kind),
        say=render_markdown(_checked(data["say"], place, has_position)),
        done=render_markdown(_checked(data.get("done", ""), place, has_position)),
        position=data.get("position"),
        seat=data.get("seat", 0),
        not_yet=not_yet,
        turns=turns,
        question=_question({k: data[k] for k in ("ask", "answers") if k in data}, place, has_position=has_position)
        if kind == "answers"
        else None,
        practice=_practice(data["practice"], place, has_position=has_position) if kind == "practice" else None,
    )


def _decided_by(data: Mapping[str, Any], place: str, kind: str) -> tuple[str, ...]:
    rules = _texts(data["rules"])
    if "decided_by" in data:
        return _texts(data["decided_by"])
    if kind == "answers" and len(rules) > 1:
        raise SeedError(place, "a question of a step with several rules says which of them decide it (decided_by).")
    return rules if len(rules) == 1 else ()


def _turn(data: Any, place: str) -> LessonTurn:
    data = check_keys(data, place, needed=("hint",), allowed=("say", *TURN_KEYS))
    if "do" not in data and "goal" not in data:
        raise SeedError(place, "the learner must have something to do: a move (do) or a goal.")
    if "replies" in data and "bot" in data:
        raise SeedError(place, "the others either make the written replies or are played by a bot.")
    refused, unwanted = data.get("refused", {}), data.get("unwanted", {})
    return LessonTurn(
        say=_plain(_checked(data.get("say", ""), place)),
        accept=_texts(data.get("do", ())),
        goal=_goal(data["goal"], place) if "goal" in data else None,
        refused={
            str(move): _refusal(item, place) for move, item in check_keys(refused, place, allowed=refused).items()
        },
        unwanted={str(m): _unwanted(item, place) for m, item in check_keys(unwanted, place, allowed=unwanted).items()},
        hints=_hints(data["hint"], place),
        replies=_texts(data.get("replies", ())),
        bot=str(data.get("bot", "")),
        then=_plain(_checked(data.get("then", ""), place)),
    )


def _hints(data: Any, place: str) -> tuple[str, ...]:
    texts = _texts(data)
    if not 1 <= len(texts) <= 2:
        raise SeedError(place, "a hint has one text, or two: a nudge, then the reason with the answer.")
    return tuple(render_markdown_line(_checked(text, place)) for text in texts)


def _goal(data: Any, place: str) -> MoveGoal:
    data = check_keys(data, place, allowed=("touches", "zones", "hand_at_most", "ends", "wins"))
    if not data:
        raise SeedError(place, "an empty goal is reached by everything.")
    zones = data.get("zones", {})
    if data.get("ends", "hand") not in ("hand", "game"):
        raise SeedError(place, "a goal ends the hand or the game.")
    return MoveGoal(
        touches=tuple(str(data.get("touches", "")).split()),
        zones={str(k): tuple(str(v).split()) for k, v in check_keys(zones, place, allowed=zones).items()},
        hand_at_most=data.get("hand_at_most"),
        ends=data.get("ends", ""),
        wins=bool(data.get("wins", False)),
    )


def _refusal(data: Any, place: str) -> TemptingMove:
    if isinstance(data, str):
        return TemptingMove(data)
    data = check_keys(data, place, needed=("rule", "say"))
    return TemptingMove(str(data["rule"]), _checked(data["say"], place))


def _unwanted(data: Any, place: str) -> UnwantedMove:
    if isinstance(data, str):
        return UnwantedMove(render_markdown_line(_checked(data, place)))
    data = check_keys(data, place, needed=("say",), allowed=("replies",))
    return UnwantedMove(render_markdown_line(_checked(data["say"], place)), _texts(data.get("replies", ())))


def _question(data: Any, place: str, *, has_position: bool = False) -> LessonQuestion:
    data = check_keys(data, place, needed=("ask", "answers"))
    question = LessonQuestion(
        render_markdown(_checked(data["ask"], place, has_position)),
        tuple(_answer(item, place) for item in _items(data["answers"], place)),
    )
    if not question.right or len(question.right) == len(question.answers):
        raise SeedError(place, "a question needs a right answer and a wrong one.")
    return question


def _answer(data: Any, place: str) -> QuestionAnswer:
    is_right = isinstance(data, Mapping) and "right" in data
    key = "right" if is_right else "wrong"
    data = check_keys(data, place, needed=(key, "because"))
    text = str(data[key])
    cards = tuple(text.split()) if all(_CARD.fullmatch(word) for word in text.split()) else ()
    return QuestionAnswer(render_markdown_line(text), is_right, render_markdown_line(data["because"]), cards)


def _practice(data: Any, place: str, *, has_position: bool) -> PracticeGame:
    if has_position:
        data = check_keys(data, place, needed=("bot", "until", "adviser"))
    else:
        data = check_keys(data, place, needed=("bot", "until", "seats"), allowed=("options",))
    if data["until"] not in ("hand", "game"):
        raise SeedError(place, "a practice game lasts until the end of the hand or of the game.")
    options = data.get("options", {})
    options = check_keys(options, place, allowed=options)
    return PracticeGame(data["bot"], data["until"], data.get("seats", 0), options, data.get("adviser", ""))


def _items(data: Any, place: str) -> list[Any]:
    if not isinstance(data, list) or not data:
        raise SeedError(place, f"a list with at least one entry is needed, not {data!r}.")
    return data


def _texts(data: Any) -> tuple[str, ...]:
    """A list of texts, or a single one."""
    return tuple(map(str, data)) if isinstance(data, list | tuple) else (str(data),)


def _checked(text: Any, place: str, has_position: bool = True) -> str:
    """A text of a step, its values well written and, where there is a position, no score typed. :raises SeedError:"""
    if has_position:
        refuse_typed_scores(str(text), place)
    return check_values(str(text), place, has_position=has_position)


def _plain(text: str) -> str:
    """Text for the table, which knows card codes but no Markdown."""
    return text.replace("`", "").replace("**", "").strip()


def _name(data: Any) -> str:
    return str(data.get("id", "without an id")) if isinstance(data, Mapping) else "that is no mapping"


def _check_ids(ids: list[str], path: str, what: str) -> None:
    for id in ids:
        if not _ID.fullmatch(id):
            raise SeedError(f"{path}, {what} {id}", "an id is made of small letters, figures and hyphens.")
        if ids.count(id) > 1:
            raise SeedError(f"{path}, {what} {id}", "the id is there twice.")
