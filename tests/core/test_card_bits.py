"""Cards as bits."""

from games.core.card_bits import ALL_CARDS, BIT, CARD, cards, mask, union


def test_the_bits_are_the_pack_in_display_order():
    assert len(BIT) == 52
    assert union(BIT.values()) == ALL_CARDS
    assert cards(mask(["KS", "AC", "AD", "2C"])) == ("AC", "AD", "2C", "KS")
    assert all(CARD[bit] == card for card, bit in BIT.items())
