"""Minimum-cost perfect matching in a complete graph, exact.

Edmonds' blossom algorithm in its primal-dual form with slacks, O(n³): J. Edmonds, "Paths, trees, and flowers"
(1965); Z. Galil, "Efficient algorithms for finding maximum matching in graphs" (1986). Costs are ints of any size,
so that several criteria in order of weight can be one number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

FREE, EVEN, ODD = -1, 0, 1
"""Where a vertex or blossom stands: in no tree yet, or at an even or odd distance from the root of its tree."""


def least_cost_pairs(cost: Sequence[Sequence[int]]) -> list[int]:
    """The partner of each vertex in a perfect matching with the least sum of costs.

    cost: symmetric, for an even number of vertices; the diagonal is not read.
    """
    assert len(cost) % 2 == 0, "an odd number has no perfect matching"
    search = _Search(cost)
    while search.grow():
        pass
    return [search.mate[vertex] - 1 for vertex in range(1, search.size + 1)]


class _Search:
    """Vertices are 1 ... size, blossoms come after them, 0 is nothing.

    Every vertex has a label so that slack(u, v) = 2 cost(u, v) - label(u) - label(v) is never negative, and is
    zero along the matching and the trees. Costs are doubled, so that half of a slack is whole.
    """

    def __init__(self, cost: Sequence[Sequence[int]]) -> None:
        size = self.size = len(cost)
        most = self.most = size + size // 2 + 1
        self.weight = [[0] * (size + 1), *([0, *(2 * value for value in row)] for row in cost)]
        cheapest = [min(row[:i] + row[i + 1 :]) for i, row in enumerate(map(list, cost))] if size else []
        self.label = [0, *(2 * value for value in cheapest)] + [0] * (most - size)
        self.edge = [[(u, v) for v in range(most + 1)] for u in range(most + 1)]  # its ends in vertices
        self.mate = [0] * (most + 1)  # the vertex at the other end of the matched edge
        self.top = list(range(size + 1)) + [0] * (most - size)  # the outermost blossom around; 0: not in use
        self.petals: list[list[int]] = [[] for _ in range(most + 1)]
        self.petal_of = [[v if u == v else 0 for v in range(size + 1)] for u in range(most + 1)]
        self.parent = [0] * (most + 1)
        self.nearest = [0] * (most + 1)  # the even vertex with the least slack to it
        self.side = [FREE] * (most + 1)
        self.queue: deque[int] = deque()
        self._match_cheapest()

    def _match_cheapest(self) -> None:
        """A start: edges without slack, as they come."""
        for u in range(1, self.size + 1):
            for v in range(u + 1, self.size + 1):
                if not self.mate[u] and not self.mate[v] and not self.slack(u, v):
                    self.mate[u], self.mate[v] = v, u

    def slack(self, u: int, v: int) -> int:
        return 2 * self.weight[u][v] - self.label[u] - self.label[v]

    def slack_to(self, x: int) -> int:
        return self.slack(*self.edge[self.nearest[x]][x])

    def used(self) -> list[int]:
        """Vertices and blossoms that lie in no blossom."""
        return [x for x in range(1, self.most + 1) if self.top[x] == x]

    def grow(self) -> bool:
        """Matches two more vertices; False once all are matched."""
        self.side = [FREE] * (self.most + 1)
        self.nearest = [0] * (self.most + 1)
        self.queue.clear()
        for x in self.used():
            if not self.mate[x]:
                self.parent[x], self.side[x] = 0, EVEN
                self._enqueue(x)
        if not self.queue:
            return False
        while not (self._scan() or self._relabel()):
            pass
        return True

    def _scan(self) -> bool:
        """Follows the edges without slack from even vertices; True if that lengthened the matching."""
        while self.queue:
            u = self.queue.popleft()
            weight, label, top = self.weight[u], self.label, self.top
            own = label[u]
            for v in range(1, self.size + 1):
                if top[u] == top[v]:
                    continue
                if 2 * weight[v] - own - label[v]:
                    self._note(u, top[v])
                elif self._found(u, v):
                    return True
        return False

    def _relabel(self) -> bool:
        """Shifts labels until another edge has no slack; True if that edge lengthened the matching."""
        outer = self.used()
        steps = [self.label[b] // 2 for b in outer if b > self.size and self.side[b] == ODD]
        for x in outer:
            if self.nearest[x] and self.side[x] != ODD:
                slack = self.slack_to(x)
                steps.append(slack if self.side[x] == FREE else slack // 2)
        step = min(steps)
        for u in range(1, self.size + 1):
            self.label[u] += (step, -step, 0)[self.side[self.top[u]]]
        for b in outer:
            if b > self.size:
                self.label[b] += (2 * step, -2 * step, 0)[self.side[b]]
        for x in outer:
            near = self.nearest[x]
            is_tight = self.top[x] == x and near and self.top[near] != x and not self.slack_to(x)
            if is_tight and self._found(*self.edge[near][x]):
                return True
        for b in outer:
            if b > self.size and self.top[b] == b and self.side[b] == ODD and not self.label[b]:
                self._dissolve(b)
        return False

    def _note(self, u: int, x: int) -> None:
        """Remembers the even vertex u if it is nearer to x than the nearest so far."""
        near = self.nearest[x]
        if not near or self.slack(*self.edge[u][x]) < self.slack(*self.edge[near][x]):
            self.nearest[x] = u

    def _look_around(self, x: int) -> None:
        """Finds the nearest even vertex again."""
        self.nearest[x] = 0
        for u in range(1, self.size + 1):
            if self.top[u] != x and self.side[self.top[u]] == EVEN:
                self._note(u, x)

    def _found(self, u: int, v: int) -> bool:
        """An edge without slack from an even vertex u: grows a tree, closes a blossom or, True, joins two trees."""
        x, y = self.top[u], self.top[v]
        if self.side[y] == FREE:
            self.parent[y], self.side[y] = u, ODD
            after = self.top[self.mate[y]]
            self.side[after] = EVEN
            self._enqueue(after)
        elif self.side[y] == EVEN:
            root = self._common_root(x, y)
            if not root:
                self._flip(x, y)
                self._flip(y, x)
                return True
            self._close(x, root, y)
        return False

    def _enqueue(self, x: int) -> None:
        if x <= self.size:
            self.queue.append(x)
        for petal in self.petals[x]:
            self._enqueue(petal)

    def _path_up(self, x: int) -> list[int]:
        """Even tops from x to the root of its tree."""
        path = [x]
        while self.mate[path[-1]]:
            path.append(self.top[self.parent[self.top[self.mate[path[-1]]]]])
        return path

    def _common_root(self, x: int, y: int) -> int:
        """Where the ways up from two even tops meet; 0 in different trees."""
        above = set(self._path_up(x))
        return next((z for z in self._path_up(y) if z in above), 0)

    def _flip(self, x: int, y: int) -> None:
        """Matches the top x with y, and turns over the matching from x to its root."""
        while True:
            next_y = self.top[self.mate[x]]
            self._match(x, y)
            if not next_y:
                return
            next_x = self.top[self.parent[next_y]]
            self._match(next_y, next_x)
            x, y = next_x, next_y

    def _match(self, x: int, y: int) -> None:
        """Sets the mate of x, and inside a blossom what follows from it."""
        u, v = self.edge[x][y]
        self.mate[x] = v
        if x > self.size:
            entry = self.petal_of[x][u]
            for i in range(place := self._even_place(x, entry)):
                self._match(self.petals[x][i], self.petals[x][i ^ 1])
            self._match(entry, y)
            self.petals[x] = self.petals[x][place:] + self.petals[x][:place]

    def _even_place(self, b: int, petal: int) -> int:
        """Where a petal lies in its blossom, which is turned round if that makes the place even."""
        place = self.petals[b].index(petal)
        if place % 2 == 0:
            return place
        self.petals[b][1:] = reversed(self.petals[b][1:])
        return len(self.petals[b]) - place

    def _put_under(self, x: int, b: int) -> None:
        self.top[x] = b
        for petal in self.petals[x]:
            self._put_under(petal, b)

    def _close(self, x: int, root: int, y: int) -> None:
        """Makes a blossom of the odd cycle root ... x y ... root."""
        b = next(b for b in range(self.size + 1, self.most + 1) if not self.top[b])
        left, right = self._way_to(root, x), self._way_to(root, y)
        self.label[b], self.side[b], self.mate[b], self.parent[b] = 0, EVEN, self.mate[root], self.parent[root]
        self.petals[b] = [root, *reversed(left), *right]
        self._put_under(b, b)
        for petal in [*left, *right]:
            if self.side[petal] == ODD:
                self._enqueue(petal)
        self.petal_of[b] = [0] * (self.size + 1)
        for petal in self.petals[b]:
            self._take_edges(b, petal)
        self._look_around(b)

    def _way_to(self, root: int, x: int) -> list[int]:
        """Tops from x up to, but without, a root."""
        way = []
        while x != root:
            odd = self.top[self.mate[x]]
            way += [x, odd]
            x = self.top[self.parent[odd]]
        return way

    def _take_edges(self, b: int, petal: int) -> None:
        """Gives a blossom the edges of a petal that have less slack than its own."""
        is_first = petal == self.petals[b][0]
        for x in range(1, self.most + 1):
            if self.top[x] and self.top[x] != b:
                mine, other = self.edge[b][x], self.edge[petal][x]
                if is_first or self.slack(*other) < self.slack(*mine):
                    self.edge[b][x], self.edge[x][b] = other, self.edge[x][petal]
        for u in range(1, self.size + 1):
            if self.petal_of[petal][u]:
                self.petal_of[b][u] = petal

    def _dissolve(self, b: int) -> None:
        """Takes an odd blossom apart: the petals on the even way through it stay in the tree."""
        for petal in self.petals[b]:
            self._put_under(petal, petal)
        entry = self.petal_of[b][self.edge[b][self.top[self.parent[b]]][0]]
        place = self._even_place(b, entry)
        petals = self.petals[b]
        for i in range(0, place, 2):
            odd, even = petals[i], petals[i + 1]
            self.parent[odd] = self.edge[even][odd][0]
            self.side[odd], self.side[even] = ODD, EVEN
            self._enqueue(even)
        self.side[entry], self.parent[entry] = ODD, self.parent[b]
        for petal in petals[place + 1 :]:
            self.side[petal] = FREE
            self._look_around(petal)
        self.top[b], self.petals[b] = 0, []
