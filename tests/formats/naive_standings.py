"""Standings once more, slow and obvious: every figure from the list of matches, nothing kept, nothing shared."""

from fractions import Fraction as F
from hashlib import sha256

HALF = F(1, 2)


class Naive:
    """half_bye: what the format pays for half a win."""

    def __init__(self, records, points_of, half_bye, dummies, capped=True):
        self.ids = [entrant.id for entrant in sorted(records.entrants, key=lambda e: e.seed)]
        self.matches = [m for m in records.matches if m.how != "annulled"]
        self.stays = {entrant.id: entrant.is_active for entrant in records.entrants}
        self.annulled = [m for m in records.matches if m.how == "annulled"]
        self.points_of, self.half_bye, self.dummies, self.lots = points_of, half_bye, dummies, records.lots
        self.capped = capped

    # One entrant

    def mine(self, me):
        return sorted((m for m in self.matches if me in m.entrants), key=lambda m: m.spot.round)

    def points(self, me):
        return sum((self.points_of(m, m.entrants.index(me)) for m in self.mine(me) if m.places), F(0))

    def last_round(self):
        return max([m.spot.round for m in self.matches if m.places], default=0)

    def missed(self, me):
        """Rounds in which nothing was arranged for an entrant."""
        busy = {m.spot.round for m in self.matches + self.annulled if me in m.entrants}
        return [number for number in range(1, self.last_round() + 1) if number not in busy]

    def is_met(self, match):
        """Whether those in a match count as having met."""
        return bool(match.places) and len(match.entrants) > 1 and (match.how == "played" or not self.dummies)

    def against(self, match, me, other):
        mine, theirs = (match.places[match.entrants.index(e)] for e in (me, other))
        if min(match.places) > 1 or mine > theirs:
            return F(0)
        return HALF if mine == theirs else F(1)

    def strength(self, me):
        """What an entrant counts for opponents."""
        total = self.points(me)
        if not self.dummies:
            return total
        available = [m.spot.round for m in self.mine(me) if not self.is_own_will(m, me)]
        since = max(available, default=0)
        total += sum(self.half_bye for number in self.missed(me) if number > since)
        for m in self.mine(me):
            if m.spot.round > since and m.how != "forfeit":
                total += self.half_bye - self.points_of(m, 0)
        return total

    def is_own_will(self, match, me):
        """Unplayed, and not because of others."""
        if not match.places:
            return False
        if match.how == "forfeit":
            return match.places[match.entrants.index(me)] > 1
        return match.how in ("half-bye", "zero-bye")

    def opposition(self, me):
        """Of each round that counts: what the opponents count, times the result, and whether it was missed by will."""
        terms = []
        for m in self.mine(me):
            others = [e for e in m.entrants if e != me]
            if self.is_met(m):
                plain = sum(self.strength(e) for e in others) / F(len(others))
                weighted = sum(self.strength(e) * self.against(m, me, e) for e in others) / F(len(others))
                terms.append((plain, weighted, False))
            elif m.places and self.dummies:
                if m.how == "forfeit":
                    part = F(m.places.count(1) == 1 and m.places[m.entrants.index(me)] == 1)
                    part = HALF if m.places.count(1) > 1 and m.places[m.entrants.index(me)] == 1 else part
                else:
                    part = {"bye": F(1), "half-bye": HALF, "zero-bye": F(0)}[m.how]
                opponent = self.nobody(me, others)
                terms.append((opponent, opponent * part, self.is_own_will(m, me)))
        if self.dummies:
            terms += [(self.nobody(me, []), F(0), True) for _ in self.missed(me)]
        return terms

    def nobody(self, me, absent):
        """What the opponent of an unplayed round counts. absent: who should have been met."""
        if not self.capped:
            return self.points(me)
        limits = [self.strength(e) for e in absent] or [self.half_bye * self.last_round()]
        return min(self.points(me), sum(limits) / F(len(limits)))

    def buchholz(self, me, low=0, high=0):
        terms = [(plain, own_will) for plain, _, own_will in self.opposition(me)]
        for _ in range(low):
            candidates = [t for t in terms if t[1]] or terms
            if candidates:
                terms.remove(min(candidates))
        for _ in range(high):
            if terms:
                terms.remove(max(terms))
        return sum((plain for plain, _ in terms), F(0))

    def games(self, me):
        """Points made, and those of the others, of each match played."""
        found = []
        for m in self.mine(me):
            if m.how == "played" and m.places and m.points:
                by_entrant = dict(zip(m.entrants, m.points, strict=True))
                made = by_entrant.pop(me)
                found.append((made, list(by_entrant.values())))
        return found

    def board_points(self, me):
        """Whatever was entered as points, also where nobody played."""
        return sum((m.points[m.entrants.index(me)] for m in self.mine(me) if m.places and m.points), F(0))

    def match_points(self, me):
        """Two for a win or a bye, one for a draw or half a bye."""
        total = F(0)
        for m in self.mine(me):
            if m.places and m.how != "zero-bye" and m.places[m.entrants.index(me)] == 1:
                total += 1 if m.how == "half-bye" or m.places.count(1) > 1 else 2
        return total

    def average_place(self, me):
        places = []
        for m in self.mine(me):
            if m.how == "played" and m.places:
                own = m.places[m.entrants.index(me)]
                sharing = range(own, own + m.places.count(own))
                places.append(F(sum(sharing), len(sharing)))
        return -sum(places) / F(len(places)) if places else F(-len(self.ids) - 1)

    def progressive(self, me):
        return sum(
            (
                self.points_of(m, m.entrants.index(me))
                for until in range(1, self.last_round() + 1)
                for m in self.mine(me)
                if m.places and m.spot.round <= until
            ),
            F(0),
        )

    def drawn(self, me):
        order = sorted(self.ids, key=lambda e: sha256(f"{self.lots}|{e}".encode()).hexdigest())
        return F(-1 - order.index(me))

    def record(self, me):
        """Wins, draws, losses."""
        wins = draws = losses = 0
        for m in self.mine(me):
            if m.places and len(m.entrants) > 1:
                if m.places[m.entrants.index(me)] > 1:
                    losses += 1
                elif m.places.count(1) > 1:
                    draws += 1
                else:
                    wins += 1
        return wins, draws, losses

    # Those who are level

    def meetings(self, me, other):
        return [self.against(m, me, other) for m in self.mine(me) if other in m.entrants and self.is_met(m)]

    def head_to_head(self, me, tied):
        """How many of those who are level one is ahead of."""
        if any(not self.meetings(a, b) for a in tied for b in tied if a != b):
            return self.whatever_is_missing(me, tied)
        return F(sum(self.is_ahead(me, other, tied) for other in tied if other != me))

    def whatever_is_missing(self, me, tied):
        """The same, from the best and the worst that the missing meetings could bring."""
        first = [e for e in tied if all(self.bounds(e, tied)[0] > self.bounds(o, tied)[1] for o in tied if o != e)]
        if not first:
            return F(0)
        sure, left = [], list(tied)
        while first := [
            e for e in left if all(self.bounds(e, tied)[0] > self.bounds(o, tied)[1] for o in left if o != e)
        ]:
            sure, left = sure + first, [e for e in left if e not in first]
        if me in sure:
            return F(len(tied) - 1 - sure.index(me))
        return self.head_to_head(me, left)

    def bounds(self, me, tied):
        """The least and the most that someone can have against the others, with the missing meetings lost or won."""
        found = [self.meetings(me, other) for other in tied if other != me]
        least = sum((sum(shares) / F(len(shares)) for shares in found if shares), F(0))
        return least, least + sum(not shares for shares in found)

    def is_ahead(self, me, other, tied):
        def taken(e):
            return sum((sum(self.meetings(e, o)) / F(len(self.meetings(e, o))) for o in tied if o != e), F(0))

        if taken(me) != taken(other):
            return taken(me) > taken(other)
        still = [e for e in tied if taken(e) == taken(me)]
        return len(still) < len(tied) and self.is_ahead(me, other, still)

    def figure(self, code, me, tied):
        return {
            "BH": lambda: self.buchholz(me),
            "BH-C1": lambda: self.buchholz(me, low=1),
            "BH-C2": lambda: self.buchholz(me, low=2),
            "BH-M1": lambda: self.buchholz(me, low=1, high=1),
            "SB": lambda: sum((weighted for _, weighted, _ in self.opposition(me)), F(0)),
            "DE": lambda: self.head_to_head(me, tied),
            "WON": lambda: F(sum(m.how == "played" and m.places is not None and m.winner == me for m in self.mine(me))),
            "DIFF": lambda: sum((made - sum(others) / F(len(others)) for made, others in self.games(me)), F(0)),
            "MADE": lambda: sum((made for made, _ in self.games(me)), F(0)),
            "BP": lambda: self.board_points(me),
            "MP": lambda: self.match_points(me),
            "PS": lambda: self.progressive(me),
            "AVG": lambda: self.average_place(me),
            "LOTS": lambda: self.drawn(me),
        }[code]()

    def standings(self, codes):
        """Rows of entrant, place, last place, points, figures, (wins, draws, losses)."""
        merits = {me: [self.points(me), self.stays[me]] for me in self.ids}
        for code in codes:
            new = {me: self.figure(code, me, [e for e in self.ids if merits[e] == merits[me]]) for me in self.ids}
            for me in self.ids:
                merits[me].append(new[me])
        best_first = sorted(self.ids, key=lambda me: merits[me], reverse=True)  # stable: equals stay in seed order
        rows = []
        for me in best_first:
            ahead = sum(merits[e] > merits[me] for e in self.ids)
            level = sum(merits[e] == merits[me] for e in self.ids)
            rows.append((me, ahead + 1, ahead + level, merits[me][0], merits[me][2:], self.record(me)))
        return rows
