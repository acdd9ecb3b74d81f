"""Shapes of what the operations about games and tables take and answer, for the OpenAPI description."""

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Path, Schema
from pydantic import Field

from infra.numbers import LARGEST

CardText = Annotated[
    str, Field(description="A card: rank and suit, and the copy where two packs are used", examples=["8S"])
]
MoveText = Annotated[
    str, Field(description="A move in the notation of the rule book", max_length=1000, examples=["draw"])
]

RowId = Annotated[int, Path(ge=1, le=LARGEST)]


class GameOption(Schema):
    name: str
    label: str
    help: str
    default: bool | int | str
    choices: dict[str, str] = Field(description="Each value as text, with its label; with a maximum, the usual ones")
    minimum: int | None = Field(description="Any whole number from here to the maximum is allowed, null for none")
    maximum: int | None
    seats: list[int] | None = Field(description="The numbers of seats it can be chosen with, null for all")


class GameSummary(Schema):
    id: str = Field(examples=["gin-rummy"])
    name: str
    summary: str
    seats: list[int]
    rules_version: int
    rule_book: str = Field(description="Address of the rule book as data")


class GameDetails(GameSummary):
    options: list[GameOption]
    options_schema: dict[str, Any] = Field(description="JSON Schema of the options of a table")
    presets: dict[str, dict[str, bool | int | str]] = Field(description="Named sets of options")
    deck: list[CardText] = Field(description="The cards of the game by its usual options")


class Zone(Schema):
    """A panel of cards, as the viewer sees it."""

    id: str
    kind: str
    label: str
    cards: list[CardText] = Field(description="The cards whose faces the viewer sees")
    count: int = Field(description="How many cards there are in all")
    owner: int | None
    note: str


class LegalMove(Schema):
    move: MoveText
    words: str = Field(description="The move in words, as on a button", examples=["Take 3C 5D with 8S"])
    touches: list[str] = Field(description="The cards and zones that it touches")
    to: str


class CardSelection(Schema):
    """A move that is a choice of cards."""

    verb: str
    cards: list[CardText]
    low: int
    high: int
    to: str


class LogEvent(Schema):
    seat: int | None
    text: str
    touches: list[str]


class ScoreLine(Schema):
    seats: list[int]
    rule: str = Field(description="Id of a rule of the rule book")
    text: str
    points: int


class HandResult(Schema):
    number: int
    summary: str
    points: list[int]
    lines: list[ScoreLine]
    zones: list[Zone]


class Fact(Schema):
    label: str
    text: str


class Announcement(Schema):
    seat: int
    text: str


class Peg(Schema):
    seats: list[int]
    front: int
    rear: int


class View(Schema):
    """What one seat, or a spectator, may know of a game; the same form for every game."""

    seat: int | None = Field(description="The viewer's seat, null for a spectator")
    seats: int
    options: dict[str, bool | int | str]
    to_act: list[int] = Field(description="The seats that may move now")
    waiting_on: list[int] = Field(description="The seats that the table waits for")
    scores: list[int] | None = Field(description="Points by seat; null where points mean nothing")
    running: list[int] = Field(description="Points of this deal so far, by seat, or []")
    prompt: str = Field(description="What the viewer may do now", examples=["Draw from the stock or take 7C."])
    zones: list[Zone]
    moves: list[LegalMove] = Field(description="The viewer's legal moves, [] if it isn't their turn")
    selection: CardSelection | None
    forced: MoveText | None = Field(description="The only move, where playing it at once spoils nothing")
    fresh: list[CardText] = Field(description="The cards that last came into the viewer's hand")
    facts: list[Fact]
    announcements: list[Announcement]
    log: list[LogEvent]
    results: list[HandResult] = Field(description="The finished hands")
    track: int | None = Field(description="Length of the cribbage board, null without one")
    pegs: list[Peg]


class SeatClock(Schema):
    turn: float = Field(description="Seconds left for this turn before the reserve is used, when it was last stopped")
    reserve: float
    runs_since: datetime | None


class TableSeat(Schema):
    seat: int
    name: str | None
    kind: Literal["", "person", "guest", "bot"] = Field(description='"" for an empty seat')
    is_played_by_site: bool = Field(description="A bot of the site moves here")
    note: str
    clock: SeatClock | None


class TableClock(Schema):
    base: int
    increment: int
    move: int
    words: str
    deadline: datetime | None


class TableEvent(Schema):
    name: str
    url: str
    round: int | None


class TableResult(Schema):
    scores: list[int]
    places: list[int]
    ended_by: str
    headline: str
    reason: str


class TableSummary(Schema):
    code: str = Field(examples=["k7mq2xva"])
    game: str
    url: str
    status: str = Field(description="open, running, finished or aborted")
    version: int = Field(description="Rises with every change; send it along with a move")
    options: dict[str, bool | int | str]
    seats: list[TableSeat]
    clock: TableClock | None
    is_rated: bool
    is_private: bool
    chat: str
    frozen: str = Field(description="Why no player can move now, or empty")
    event: TableEvent | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    result: TableResult | None


class OpenQuestion(Schema):
    key: str
    kind: str
    seat: int
    asked: list[int] = Field(description="The seats that have yet to answer")


class TableDetails(TableSummary):
    own_seat: int | None
    view: View | None = Field(description="null before the cards are dealt")
    hand_end: int | None = Field(description="A finished hand that you have yet to go on from (see `seen`)")
    question: OpenQuestion | None
    can_ask: list[str] = Field(description="What you may ask the other players for now")
    rematch: str | None = Field(description="Code of the next table of these players")


class TablePage(Schema):
    items: list[TableSummary]
    next: str | None


class NewTable(Schema):
    game: str = Field(examples=["gin-rummy"])
    seats: int | None = Field(None, description="The fewest of the game if left out")
    options: dict[str, bool | int | str] = Field({}, description="Those left out have their defaults")
    company: Literal["bots", "anyone", "link"] = Field(
        "link", description="bots: the site's bots take the other seats; anyone: listed; link: only who knows the code"
    )
    level: Literal["first-steps", "club", "strong"] = Field("club", description="Of the site's bots")
    pace: str = Field("", description="quick, standard, calm, days-1, days-3, none or own")
    minutes: int | None = Field(None, ge=1, le=180, description="For each player, with the pace own")
    increment: int | None = Field(None, ge=0, le=180, description="Seconds added each turn, with the pace own")
    is_rated: bool = False
    chat: Literal["free", "phrases", "none"] = "free"


class NewSeek(Schema):
    game: str = Field(examples=["casino"])
    paces: list[Literal["quick", "standard", "calm", "days-1", "days-3"]] = Field(
        ["standard"], min_length=1, description="Those that you accept: real-time ones or ones over days"
    )
    seats: list[int] = Field([], description="Sizes of table that you accept; all of the game if left out")
    options: dict[str, bool | int | str] = Field({}, description="Those that must have these values")
    is_rated: bool | None = Field(None, description="null: both are fine. Bots that people run play no rated games")
    is_near: bool = Field(False, description="Only with players within 200 points of your rating")
    bot_level: Literal["first-steps", "club", "strong"] | None = Field(
        None, description="After half a minute the site's bots of this level take the empty seats"
    )


class OwnSeek(Schema):
    game: str
    seats: list[int]
    paces: list[str]
    is_rated: bool | None
    options: dict[str, bool | int | str]
    created_at: datetime
    others: int = Field(description="Other players who look for this game")
    fitting: int = Field(description="How many of them fit together with you so far")
    table: str | None = Field(description="Code of the table, once it is found")


class SeatChoice(Schema):
    seat: int | None = Field(None, ge=0, le=9, description="The first free seat if left out")


class BotChoice(SeatChoice):
    level: Literal["first-steps", "club", "strong"] = "club"


class NewMove(Schema):
    move: MoveText
    version: int = Field(ge=0, le=LARGEST, description="Of the table that the move was chosen for")


class SeenHand(Schema):
    hand: int = Field(ge=1, le=10_000, description="Its number")


class NewQuestion(Schema):
    kind: str = Field(description="undo, share (a draw), count, pause, deal or open", examples=["share"])


class QuestionReply(Schema):
    key: str
    answer: Literal["agree", "refuse", "withdraw"]


class PlayedMove(Schema):
    number: int
    seat: int
    text: str = Field(description="The move in notation; empty where moves are taken back")
    takes_back_to: int | None
    is_by_clock: bool
    is_by_stand_in: bool = Field(description="A bot made it for the player")
    played_at: datetime


class Replay(Schema):
    """The record of a finished game: with options, secret and entropy the deals can be made again."""

    code: str
    game: str
    rules_version: int
    options: dict[str, bool | int | str]
    players: list[str | None]
    first_dealer: int | None
    moves: list[PlayedMove]
    result: TableResult | None


class RatingRow(Schema):
    place: int
    name: str
    is_bot: bool
    rating: int
    games: int


class OwnRating(Schema):
    game: str
    rating: int
    is_provisional: bool
    games: int
