"""Counts the decks of a game again: python3 count_decks.py decks.jsonl (Python 3.9 or newer)."""

import hashlib
import hmac
import itertools
import json
import sys


def draws(secret, entropy, number):  # 32-bit numbers that belong to deck `number`
    for counter in itertools.count():
        block = hmac.new(secret, f"{entropy}|{number}|{counter}".encode(), hashlib.sha256).digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))


def below(bound, numbers):  # one of 0 ... bound - 1, each equally likely
    return next(n for n in numbers if n < 2**32 - 2**32 % bound) % bound


def shuffled(pack, numbers):
    deck = pack.split()
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1, numbers)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


counts, decks, sealed, broken = {}, {}, 0, []
with open(sys.argv[1]) as file:
    for table in map(json.loads, file):
        if table["secret"] is None:
            sealed += 1
            continue
        secret, pack = bytes.fromhex(table["secret"]), table["pack"]
        if hashlib.sha256(secret).hexdigest() != table["commitment"]:
            broken.append(table["table"])
        seen = counts.setdefault(pack, {})
        for number in range(table["first_deck"], table["last_deck"] + 1):
            decks[pack] = decks.get(pack, 0) + 1
            for cell in enumerate(shuffled(pack, draws(secret, table["entropy"], number))):
                seen[cell] = seen.get(cell, 0) + 1

for pack, seen in counts.items():
    cards = pack.split()
    expected = decks[pack] / len(cards)
    pearson = sum((seen.get((i, card), 0) - expected) ** 2 / expected for i in range(len(cards)) for card in cards)
    chi_square, freedom = pearson * (len(cards) - 1) / len(cards), (len(cards) - 1) ** 2
    print(f"{decks[pack]} decks of {len(cards)} cards: chi-square {chi_square:.2f}, {freedom} degrees of freedom")
if sealed:
    print(f"Not counted here: {sealed} tables whose cards are offered to others, so that their secret is not told yet.")
print(f"SECRETS THAT WERE NOT PROMISED: {broken}" if broken else "Every secret is the one that was promised.")
sys.exit(bool(broken))
