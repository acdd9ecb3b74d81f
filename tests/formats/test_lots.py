from hashlib import sha256

from tournaments.formats.lots import drawn, lot, number


def test_a_lot_can_be_checked_with_any_sha256():
    assert lot("autumn", 7) == sha256(b"autumn|7").hexdigest()


def test_the_same_text_draws_the_same_order_whatever_the_order_of_entry():
    assert drawn("autumn", range(20)) == drawn("autumn", reversed(range(20)))
    assert sorted(drawn("autumn", range(20))) == list(range(20))
    assert drawn("autumn", range(20)) != drawn("winter", range(20))


def test_numbers_by_lot_are_even():
    heads = sum(number("autumn", name, 2) for name in range(1000))
    assert 440 < heads < 560
