"""Checks the deals of a finished table: python3 verify_deal.py deals.json (Python 3.9 or newer).

--mine VALUE: the number that your browser kept must be in the shuffle.
--saw COMMITMENTS: those that your browser was shown before it revealed its number must be those of the table.
"""

import argparse
import hashlib
import hmac
import itertools
import json
import sys

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("file")
parser.add_argument("--mine")
parser.add_argument("--saw")
options = parser.parse_args()
with open(options.file) as file:
    record = json.load(file)
secret, seal, seats = bytes.fromhex(record["secret"]), record["seal"], record["contributions"]
entropy = ",".join(seat["value"] for seat in seats)
wrong = []


def check(is_right, words, otherwise):
    print(words if is_right else otherwise)
    if not is_right:
        wrong.append(otherwise)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


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


check(sha256(secret) == seal, "The secret fits its seal.", "THE SECRET DOES NOT FIT ITS SEAL.")
for number, seat in enumerate(seats):
    value, commitment = seat["value"], seat["commitment"]
    print(f"Seat {number}: {value or 'no number'} ({seat['how']}).", end=" ")
    if value and commitment:
        fits = sha256(f"{seal}:{value}".encode()) == commitment
        check(fits, "It fits its commitment.", "IT DOES NOT FIT ITS COMMITMENT.")
    else:
        print("No commitment to check.")
differ = [n for n, deck in enumerate(record["decks"], start=1) if shuffled(n) != deck]
check(not differ, f"All {len(record['decks'])} deals are as computed.", f"DEALS THAT DIFFER: {differ}")
drawn, dealer = below(len(seats), draws(0)), record["first_dealer"]
if record["first_dealer_by"] == "draw":
    otherwise = f"SEAT {dealer} DEALT FIRST, BUT SEAT {drawn} WAS DRAWN."
    check(drawn == dealer, f"Seat {dealer} dealt first, as drawn.", otherwise)
else:
    print(f"Seat {dealer} dealt first. It was not drawn: {record['first_dealer_by']}.")
if options.mine:
    found = any(options.mine == seat["value"] for seat in seats)
    check(found, "Your number is in the shuffle.", "YOUR NUMBER IS NOT IN THE SHUFFLE.")
if options.saw:
    same = options.saw.split(",") == [seat["commitment"] for seat in seats]
    check(same, "The commitments are those that your browser saw.", "YOUR BROWSER SAW OTHER COMMITMENTS.")
sys.exit(bool(wrong))
