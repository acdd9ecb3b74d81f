from hashlib import sha256

from tournaments.formats.lots import lot, number_by_lot, order_by_lot


def test_a_lot_can_be_checked_with_any_sha256():
    assert lot("autumn", 7) == sha256(b"autumn|7").hexdigest()


def test_the_same_text_draws_the_same_order_whatever_the_order_of_entry():
    assert order_by_lot("autumn", range(20)) == order_by_lot("autumn", reversed(range(20)))
    assert sorted(order_by_lot("autumn", range(20))) == list(range(20))
    assert order_by_lot("autumn", range(20)) != order_by_lot("winter", range(20))


def test_numbers_by_lot_are_even():
    heads = sum(number_by_lot("autumn", name, 2) for name in range(1000))
    assert 440 < heads < 560
