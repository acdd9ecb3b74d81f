"""Nothing that leaves the site holds a card that its reader may not see.

Every game is played over HTTP by people, with bots and by people who rearrange and mark cards, while everybody asks for
every address there is, and sends nonsense to it. Two laws are checked. What an answer names, in whatever way, lies in
the reader's own view (`open_cards`). And an answer does not depend on what its reader cannot know: with other cards in
the other hands and in the stock, and another secret, it is the same to the letter.

HIDDEN_TIMES=n plays on and looks around n times in each game.
"""

import json
import os
from base64 import b64encode
from contextlib import contextmanager
from itertools import zip_longest
from random import Random
from urllib.parse import quote

import pytest
from django.core.cache import cache

from accounts.models import User
from accounts.services import join_account
from games import engines, services
from games.core.cards import is_joker, pack, sign
from games.core.contract import GameError, UnreadableMove
from games.engines import GAMES
from games.models import Table
from games.presentation import table_page
from games.presentation.board import Remark
from games.record import replay
from games.record.hand_ends import hand_end
from games.services import questions
from games.templatetags.cards import card_name
from tests.games.open_cards import check, check_of, hidden_in, lasting, may_know, named, own_seat, secrets_in
from tests.games.recorder import Ask, Reader, addresses, addresses_of_tables, forget, watched
from tests.tables import add_values

TIMES = int(os.environ.get("HIDDEN_TIMES", "1"))
MOVES = 5  # made before each look around
pytestmark = pytest.mark.only_on("sqlite")  # two tellings are compared, and PostgreSQL gives no number of a row twice
COMPANIES = [
    pytest.param(game, seats, people, id=f"{game.slug}-{seats}-{name}")
    for game in GAMES
    for seats, people, name in (
        (game.seats[0], game.seats[0], "people"),
        (game.seats[-1], max(1, game.seats[-1] // 2), "with-bots"),
    )
]


class Room:
    """A table over HTTP, all who play there, and two who watch."""

    def __init__(self, table, rng, commit):
        self.pk, self.rng, self.commit = table.pk, rng, commit
        self.players = {seat.number: Reader(seat.name, seat.user) for seat in table.seats.all() if seat.has_person}
        self.readers = [*self.players.values()]

    @property
    def table(self):
        return Table.objects.with_seats().get(pk=self.pk)

    def some_addresses(self):
        """Those of the board, and three others by lot: each comes up in some game."""
        return [*filter(is_board, addresses_of_tables()), *self.rng.sample(addresses_of_tables(), 3)]

    def go_on(self, table, hand):
        """All people go on from the end of a hand; then bots move."""
        ask = Ask(f"/tables/{table.code}/seen/", {"hand": hand}, is_post=True, is_partial=True)
        with self.commit(execute=True):
            for player in self.players.values():
                check_of(f"the answer to {ask}", player.does(ask), self.table, player)
        assert self.table.move_count > table.move_count, "the bots still wait"

    def move(self):
        """One of the people to act makes a legal move, in one of the ways in which a page may send it."""
        table = self.table
        state = replay.state_of(table)
        if self.players.keys().isdisjoint(state.to_act):  # bots wait until the hand that is over has been seen
            return self.go_on(table, len(state.results))
        seat = self.rng.choice([seat for seat in state.to_act if seat in self.players])
        move = self.rng.choice(state.legal_moves(seat))
        fields = written(table.rules, state, seat, move) | {"version": table.version}
        ask = Ask(f"/tables/{table.code}/moves/", fields, is_post=True, is_partial=True)
        with self.commit(execute=True):  # then bots move
            text = self.players[seat].does(ask)
            after = self.table
            check_of(f"the answer to {ask}", text, after, self.players[seat])
            assert after.move_count > table.move_count, f"{ask} was refused"
        table = self.table
        for reader in self.readers:
            check_of(f"what {reader} saw after {ask}", watched(reader, table), table, reader)


def is_board(address):
    return address.name in ("games:table", "games:board")


def written(game, state, seat, move):
    """The fields of a form for a move: marked cards or a rearranged table where that means it, or its text."""
    view = state.view(seat)
    touches = list(view.choice(move).touches)
    if view.selection and set(touches) <= set(view.selection.cards) and means(move, lambda: game.select(view, touches)):
        return {"is_selection": "1", "text": touches}
    after = state.copy()
    after.play(seat, move)
    melds = [zone.cards for zone in after.view(seat).zones if zone.kind == "meld" and zone.cards]
    if game.workbench and melds and means(move, lambda: game.arrange(view, melds)):
        return {"is_arrangement": "1", "text": " / ".join(map(" ".join, melds))}
    return {"text": str(move)}


def means(move, read):
    try:
        return read() == move
    except GameError:
        return False


@pytest.fixture
def room_of(person, house_bot, eager_tasks, django_capture_on_commit_callbacks):
    """`room_of(game, seats, people)`: a running table, bots in the other seats."""

    def make(game, seats, people, **conditions):
        rng = Random(f"{game.slug} {seats} {people}")
        with django_capture_on_commit_callbacks(execute=True):
            table = services.open_table(
                game=game.slug, seats=seats, options=None, created_by=None, secret=rng.randbytes(32), **conditions
            )
            for seat in range(people):
                table = services.sit_down(table_id=table.pk, user=person(f"player{seat}"), shuffles=True)
            for number in range(seats - people):
                house_bot(f"Bot{number}", game.slug)
                table = services.seat_bot(table_id=table.pk, level="first-steps")
            table = add_values(table)
        room = Room(table, rng, django_capture_on_commit_callbacks)
        room.readers += [Reader("watcher", person("watcher")), Reader("nobody")]
        return room

    return make


# The first law


def given_by(game, ask):
    """What needs no game to be known: what one has written, and how the rules say that it is no move."""
    sent = ask.data.get("text", "")
    try:
        said = game.parse(sent if isinstance(sent, str) else " ".join(sent))
    except UnreadableMove as error:
        said = error
    return f"{ask} {said}"


# The second law


@contextmanager
def another_world(table, reader, rng):
    """The same for this reader, and different in everything that he cannot know. Its past is not to be replayed."""
    state, seat = replay.state_of(table), own_seat(table, reader.user_id)
    imagined = table.rules.sample(state.view(seat), rng)
    if seat is not None:
        imagined.mark_fresh(seat, *state.fresh[seat])  # the cards that came last are known to him; a sample has none
    for hand in range(1, len(state.results) + 1):
        hand_end(table, hand)  # finished hands are the same in each world, and from now on in memory
    real = bytes(table.secret)
    forget(table)
    replay.cache_position(table.code, table.move_count, imagined)
    Table.objects.filter(pk=table.pk).update(secret=rng.randbytes(32))
    yield
    Table.objects.filter(pk=table.pk).update(secret=real)
    forget(table)


def check_sameness(what, here, there):
    lines = zip_longest(lasting(here).splitlines(), lasting(there).splitlines(), fillvalue="")
    differing = [f"{line[:400]}\n{other[:400]}" for line, other in lines if line != other]
    assert not differing, f"{what} depends on hidden cards:\n{differing[0]}"


def nonsense(table, reader, rng):
    """What one may send to any address. Two of the cards that the reader may not know are in it."""
    hidden = sorted(set(table.rules.deck(table.options)) - may_know(table, reader.user_id))
    some = rng.sample(hidden, min(2, len(hidden)))
    return {
        "at": "2", "seat": "1", "hands": "open", "text": " ".join(some), "pick": some, "seen": "0", "kind": "pause",
        "answer": "agree", "mark": "", "level": "first-steps", "version": str(table.version), "name": "player0",
    }  # fmt: skip


def asks_of(table, addresses, wild):
    for address in addresses:
        path = address.path(table, "player0")
        yield Ask(path)
        yield Ask(path, wild, is_partial=True)
        yield Ask(path, wild, is_post=True)


def asks_of_player(table, seat, wild):
    """Moves and questions that are refused, each for another reason; `wild` names hidden cards."""
    state, base, some = replay.state_of(table), f"/tables/{table.code}", wild["pick"]
    own = [card for zone in state.view(seat).zones if zone.owner == seat for card in zone.cards][:2]
    others = [str(state.legal_moves(other)[-1]) for other in state.to_act if other != seat]
    for fields in (
        {"text": "no move"}, {"text": some[:1]}, {"text": own[:1], "version": "0"}, *({"text": one} for one in others),
        {"text": some, "is_selection": "1"}, {"text": own, "is_selection": "1"},
        {"text": " ".join([*own, *some]), "is_arrangement": "1"},
    ):  # fmt: skip
        yield Ask(f"{base}/moves/", {"version": str(table.version), **fields}, is_post=True, is_partial=True)
    for picks in (own, [*own[:1], *some[:1]], ["stock"]):
        yield Ask(f"{base}/why/", {"pick": picks}, is_partial=True)
    yield Ask(f"{base}/check/", {"text": " / ".join([" ".join(own), " ".join(some)])})
    yield from (Ask(f"{base}/ask/", {"kind": kind}, is_post=True, is_partial=True) for kind in questions.QUESTION_KINDS)


def goes_back(ask):
    """It is answered from an earlier position, which the record does not lead to in another world."""
    return "undo" in ask.data.values() or ask.path.endswith("/undo/")


def look_around(room, reader, addresses):
    """Somebody asks for these addresses, and sends nonsense, in this world and in another one."""
    table = room.table
    wild, seat = nonsense(table, reader, room.rng), own_seat(table, reader.user_id)
    asks = [*asks_of(table, addresses, wild), *(asks_of_player(table, seat, wild) if seat is not None else ())]
    cache.clear()  # or there would be too many questions
    answers = [reader.tries(ask, table) for ask in asks]
    for answer in answers:
        check(f"{answer.ask} of {reader}", answer.text, table, answer.known, given_by(table.rules, answer.ask))
    quiet = [answer for answer in answers if not answer.has_changed and not goes_back(answer.ask)]
    cache.clear()
    with another_world(table, reader, room.rng):
        there = [reader.tries(answer.ask, table).text for answer in quiet]
        seen_there = watched(reader, table)
    for answer, other in zip(quiet, there, strict=True):
        check_sameness(f"{answer.ask} of {reader}", answer.text, other)
    check_sameness(f"the stream of {reader}", watched(reader, table), seen_there)


@pytest.mark.parametrize(("game", "seats", "people"), COMPANIES)
@pytest.mark.django_db
def test_no_answer_holds_a_card_that_its_reader_may_not_see(game, seats, people, room_of):
    room = room_of(game, seats, people)
    for _ in range(TIMES):
        for _ in range(MOVES):
            if room.table.status == Table.Status.RUNNING:
                room.move()
        if room.table.status == Table.Status.RUNNING:
            look_around(room, room.rng.choice(room.readers), room.some_addresses())


@pytest.mark.parametrize(
    ("slug", "seats", "people", "readers"),
    [
        ("gin-rummy", 2, 1, ("player0", "watcher", "nobody")),
        ("partnership-cribbage", 4, 2, ("player0",)),  # and his partner's cards
    ],
)
@pytest.mark.django_db
def test_no_address_of_a_table_shows_anybody_a_card_that_he_may_not_see(slug, seats, people, readers, room_of):
    room = room_of(engines.get(slug), seats, people)
    for _ in range(5):
        room.move()
    for name in readers:
        look_around(room, next(reader for reader in room.readers if reader.name == name), addresses_of_tables())


# Whoever comes, goes, or is somebody else now


def look_at_cards(room, reader):
    look_around(room, reader, [address for address in addresses_of_tables() if is_board(address)])


@pytest.fixture
def room(room_of):
    """Three people at Shanghai, who have moved."""
    room = room_of(engines.get("shanghai"), 3, 3)
    for _ in range(4):
        room.move()
    for reader in room.readers:  # then whatever may be kept is kept
        reader.does(Ask(f"/tables/{room.table.code}/"))
    return room


def test_who_leaves_sees_no_more_than_who_watches(room):
    leaver = room.players.pop(1)
    with room.commit(execute=True):
        leaver.does(Ask(f"/tables/{room.table.code}/leave/", is_post=True))
    assert room.table.seats.get(number=1).has_left
    look_at_cards(room, leaver)
    room.move()
    look_at_cards(room, leaver)


def test_an_account_that_takes_over_a_seat_of_a_guest_sees_its_cards_and_nobody_else_does(room, person):
    guest, account = room.players[1], Reader("account", person("account"))
    account.does(Ask(f"/tables/{room.table.code}/"))
    room.players[1] = account
    User.objects.filter(pk=guest.user_id).update(is_guest=True)
    with room.commit(execute=True):
        join_account(guest=User.objects.get(pk=guest.user_id), user=account.user)
    assert own_seat(room.table, account.user_id) == 1
    room.move()
    for reader in (guest, account):
        look_at_cards(room, reader)


def test_who_plays_elsewhere_still_only_watches_here(room, table_of):
    table_of("watcher", "someone", game="gin-rummy", secret=b"other".ljust(32))
    look_at_cards(room, next(reader for reader in room.readers if reader.name == "watcher"))


def test_who_has_logged_out_sees_no_more_than_who_watches(room):
    player = room.players[1]
    player.does(Ask("/accounts/logout/", is_post=True))
    player.user = None
    look_at_cards(room, player)


# Pages that belong to no table


@pytest.mark.django_db
def test_no_other_page_shows_a_card_of_a_running_game(room_of, person):
    game = engines.get("sixty-six")
    wild = {"name": "player0", "seen": "0", "text": "no card", "at": "2", "kind": "pause"}
    asks = [ask for ask in asks_of(Table(game=game.slug), site_addresses(), wild) if not ask.is_partial]
    reader = Reader("player0", person("player0"))
    before = {str(ask): named(reader.tries(ask, Table()).text) for ask in asks}
    room = room_of(game, 2, 2)
    for _ in range(5):
        room.move()
    table = room.table
    cache.clear()
    for ask in asks:
        answer = reader.tries(ask, table)
        if answer.known is not None:
            check(f"{ask} of {reader}", answer.text, table, answer.known | before[str(ask)])


def site_addresses():
    """Without those for people who run the site, which send everybody else away."""
    return [a for a in addresses() if "code" not in a.parts and not a.name.startswith("admin:")]


# The laws themselves


FORMS = {
    "notation": lambda card: f"He has {card}.",
    "marked": lambda card: f"[data-pick={card}]",
    "symbol": lambda card: f"cards.svg#card-{card}",
    "sign": lambda card: sign(card),
    "plain sign": lambda card: sign(card).removesuffix("\ufe0e"),
    "words": lambda card: f"the {card_name(card)}",
    "half words": lambda card: f"{card[0]} of {card_name(card).split()[-1].upper()}",
    "JSON": lambda card: json.dumps({"cards": [card]}),
    "escaped": lambda card: json.dumps(sign(card)),
    "address": lambda card: quote(sign(card)),
    "Python": lambda card: repr((card, None)),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_card_is_found_in_whatever_way_it_is_written(form):
    for card in pack(jokers=2):
        if not is_joker(card) or form not in ("sign", "plain sign", "half words", "escaped", "address"):
            assert named(FORMS[form](card)) == {card}


def test_a_copy_is_not_known_because_the_other_one_is():
    assert hidden_in("7H2 7H1 7♥", {"7H1"}) == {"7H2"}
    assert hidden_in("7♥", {"7H1"}) == set()


@pytest.mark.parametrize("write", [bytes.hex, repr, lambda s: b64encode(s).decode(), int.from_bytes, list])
def test_the_secret_is_found_in_whatever_way_it_is_written(write):
    secret = Random(1).randbytes(32)
    assert secrets_in(f"It is {write(secret)}.", secret)
    assert not secrets_in("It is 7.", secret)


def first_hand(table):
    return replay.state_of(table).view(0).zones[-1].cards


LEAKS = {
    "cards in words": ("names", lambda table: [" ".join(map(card_name, first_hand(table)))] * 2),
    "numbers in the pack": ("depends", lambda table: [str([*map(pack().index, first_hand(table))])] * 2),
    "colours": ("depends", lambda table: ["".join("br"[card[1] in "DH"] for card in first_hand(table))] * 2),
    "the secret": ("betrays", lambda table: [bytes(table.secret).hex()] * 2),
    "what the secret makes": ("depends", lambda table: [str(sum(bytes(table.secret)))] * 2),
}


@pytest.mark.parametrize("part", [Remark, lambda text: Remark(brief=text)], ids=["text", "brief"])
@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.django_db
def test_a_leak_in_what_the_plates_say_is_found(leak, part, room_of, monkeypatch):
    room = room_of(engines.get("gin-rummy"), 2, 2)
    how, words = LEAKS[leak]
    monkeypatch.setattr(table_page, "notes", lambda table: [part(text) for text in words(table)])
    with pytest.raises(AssertionError, match=how):
        look_at_cards(room, room.readers[-1])


@pytest.mark.django_db
def test_a_board_that_is_shown_to_the_wrong_reader_is_found(room_of, monkeypatch):
    room = room_of(engines.get("gin-rummy"), 2, 2)
    monkeypatch.setattr(Table, "seat_of", lambda table, user_id: table.seats.all()[0])
    with pytest.raises(AssertionError, match="names"):
        look_at_cards(room, room.players[1])
