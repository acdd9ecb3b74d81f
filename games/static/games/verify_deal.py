"""Checks the deals of a finished table: python3 verify_deal.py deals.json (Python 3.9 or newer)."""

import hashlib
import hmac
import itertools
import json
import sys

with open(sys.argv[1]) as file:
    record = json.load(file)
secret, entropy = bytes.fromhex(record["secret"]), record["entropy"]


def draws(number):  # 32-bit numbers that belong to deal `number`
    for counter in itertools.count():
        block = hmac.new(secret, f"{entropy}|{number}|{counter}".encode(), hashlib.sha256).digest()
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 32, 4))


def below(bound, numbers):  # one of 0 ... bound - 1, each equally likely
    return next(n for n in numbers if n < 2**32 - 2**32 % bound) % bound


def shuffled(number):
    deck, numbers = list(record["pack"]), draws(number)
    for last in range(len(deck) - 1, 0, -1):
        other = below(last + 1, numbers)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


wrong = [n for n, deck in enumerate(record["decks"], start=1) if shuffled(n) != deck]
kept = hashlib.sha256(secret).hexdigest() == record["commitment"]
print("The secret is the one that was promised." if kept else "THE SECRET IS NOT THE ONE THAT WAS PROMISED.")
print(f"DEALS THAT DIFFER: {wrong}" if wrong else f"All {len(record['decks'])} deals are as computed.")
print(f"The draw for the first deal names seat {below(record['seats'], draws(0))}.", end=" ")
print(f"Seat {record['first_dealer']} dealt first.")
sys.exit(bool(wrong) or not kept)
