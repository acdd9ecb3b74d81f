"""A bot that plays Gin Rummy: `python3 gin_bot.py https://cards.example fs_token [code of a table]`.

Without a code it opens a table with a bot of the site. It takes a card that makes a pair, throws its highest single
card, and knocks as soon as it can.
"""

import sys

from bridge import Site, play

ORDER = "A23456789TJQK"


class GinBot:
    def step(self, view):
        """The text of a legal move."""
        moves = [move["move"] for move in view["moves"]]
        knocks = [move for move in moves if move.startswith("K ")]
        if knocks:
            return knocks[0]
        hand = next(zone["cards"] for zone in view["zones"] if zone["id"] == f"hand:{view['seat']}")
        pile = next(zone["cards"] for zone in view["zones"] if zone["id"] == "discards")
        if "U" in moves and pile and self.is_useful(pile[-1], hand):
            return "U"  # the upcard
        if "D" in moves or "P" in moves:
            return "D" if "D" in moves else "P"
        return max(moves, key=lambda move: self.cost(move, hand))

    def is_useful(self, card, hand):
        return any(card[0] == other[0] or self.is_next(card, other) for other in hand if other != card)

    def is_next(self, card, other):
        return card[1] == other[1] and abs(ORDER.index(card[0]) - ORDER.index(other[0])) == 1

    def cost(self, move, hand):
        """What a discard is worth throwing away: high cards that go with no other. Other moves come first."""
        card = move.removeprefix("X ")
        if card not in hand:
            return 100
        return ORDER.index(card[0]) - 20 * self.is_useful(card, hand)


if __name__ == "__main__":
    url, token, *code = sys.argv[1:]
    site = Site(url, token)
    code = code[0] if code else site.post("/tables", game="gin-rummy", company="bots")["code"]
    table = site.get(f"/tables/{code}")
    if table["own_seat"] is None:
        site.post(f"/tables/{code}/sit")
    print(play(site, code, GinBot())["result"]["headline"])
