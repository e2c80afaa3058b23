"""Matching of maximum weight in any graph: the pairs whose weights are largest in sum.

Edmonds' blossom algorithm with labels, in O(n³), after Galil ("Efficient algorithms for finding maximum matching in
graphs", 1986). Of the maintained libraries, networkx has the same; it takes 19 MB for this one function, and three
times as long. Those made for chess (py4swiss, swisspair) are compiled for some systems only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Final

_OUTER, _INNER, _FREE = 0, 1, -1
_NONE: Final = 0

Edge = tuple[int, int]


def match_pairs(size: int, weights: Mapping[Edge, int]) -> frozenset[Edge]:
    """Return the pairs of `0 … size - 1` whose weights are largest in sum; no vertex is in two pairs.

    `weights` has the possible pairs, each with an integer over 0. For the largest possible number of pairs, add the
    same large number to each weight.
    """
    matching = _Matching(size, weights)
    while matching.grow():
        pass
    mates = matching.mate[1 : size + 1]
    return frozenset((one, mate - 1) for one, mate in enumerate(mates) if mate - 1 > one)


class _Matching:
    """A matching that grows by one augmenting path after the other.

    Vertices count from 1; the numbers above `size` are blossoms, odd cycles that are contracted to one vertex. `base`
    is the blossom that contains a vertex, `ends` the two original vertices of the best edge between any two. Outer
    vertices are those that a path from an unmatched one reaches by an even number of edges.
    """

    def __init__(self, size: int, weights: Mapping[Edge, int]) -> None:
        self.size = self.count = size
        room = size + size // 2 + 2
        self.ends: list[list[Edge | None]] = [[None] * room for _ in range(room)]
        # Twice the weight, so that all labels stay integers.
        self.weight = [[0] * (size + 1) for _ in range(size + 1)]
        for (one, other), weight in weights.items():
            for a, b in ((one + 1, other + 1), (other + 1, one + 1)):
                self.weight[a][b] = 2 * weight
                self.ends[a][b] = a, b
        self.neighbours = [[b for b, weight in enumerate(row) if weight] for row in self.weight]
        self.label = [max(weights.values(), default=0)] * (size + 1) + [0] * (room - size - 1)
        self.mate = [_NONE] * room
        self.base = [*range(size + 1), *([_NONE] * (room - size - 1))]
        self.parent = [_NONE] * room
        self.side = [_FREE] * room
        self.slack = [_NONE] * room
        self.circle: list[list[int]] = [[] for _ in range(room)]
        self.inside: list[list[int]] = [[_NONE] * (size + 1) for _ in range(room)]
        for vertex in range(1, size + 1):
            self.inside[vertex][vertex] = vertex
        self.queue: deque[int] = deque()
        self.visits = [0] * room
        self.visit = 0

    def grow(self) -> bool:
        """Find an augmenting path and apply it; return False if the matching has maximum weight."""
        self.side, self.slack = [_FREE] * len(self.side), [_NONE] * len(self.slack)
        self.queue.clear()
        for x in self._tops():
            if not self.mate[x]:
                self.parent[x], self.side[x] = _NONE, _OUTER
                self._enqueue(x)
        if not self.queue:
            return False
        while True:
            if self._search():
                return True
            if not self._relabel():
                return False
            if self._follow_slack():
                return True
            for b in self._blossoms():
                if self.side[b] == _INNER and not self.label[b]:
                    self._expand(b)

    def _tops(self) -> list[int]:
        """Return the vertices and blossoms that are in no blossom."""
        return [x for x in range(1, self.count + 1) if self.base[x] == x]

    def _blossoms(self) -> list[int]:
        return [b for b in range(self.size + 1, self.count + 1) if self.base[b] == b]

    def _gap(self, edge: Edge) -> int:
        """Return how much the weight of an edge is below its ends' labels; paths consist of edges without a gap."""
        a, b = edge
        return self.label[a] + self.label[b] - self.weight[a][b]

    def _edge(self, x: int, y: int) -> Edge:
        edge = self.ends[x][y]
        assert edge is not None
        return edge

    def _search(self) -> bool:
        """Follow all edges without a gap from outer vertices; return True if a path was found and applied."""
        label, base, side = self.label, self.base, self.side
        while self.queue:
            a = self.queue.popleft()
            if side[base[a]] == _INNER:
                continue
            weight, mine = self.weight[a], label[a]
            for b in self.neighbours[a]:
                if base[a] != base[b]:
                    if mine + label[b] > weight[b]:
                        self._keep_slack(a, base[b])
                    elif self._take((a, b)):
                        return True
        return False

    def _keep_slack(self, a: int, x: int) -> None:
        if not self.slack[x] or self._gap(self._edge(a, x)) < self._gap(self._edge(self.slack[x], x)):
            self.slack[x] = a

    def _set_slack(self, x: int) -> None:
        self.slack[x] = _NONE
        for a in range(1, self.size + 1):
            if self.ends[a][x] is not None and self.base[a] != x and self.side[self.base[a]] == _OUTER:
                self._keep_slack(a, x)

    def _relabel(self) -> bool:
        """Change labels until one more edge has no gap; return False if no path can increase the weight."""
        steps = [self.label[b] // 2 for b in self._blossoms() if self.side[b] == _INNER]
        for x in self._tops():
            if self.slack[x] and self.side[x] != _INNER:
                gap = self._gap(self._edge(self.slack[x], x))
                steps.append(gap if self.side[x] == _FREE else gap // 2)
        outer = [a for a in range(1, self.size + 1) if self.side[self.base[a]] == _OUTER]
        # An unmatched vertex has the least label of all outer ones.
        step = min([*steps, min(self.label[a] for a in outer)])
        if step >= min(self.label[a] for a in outer):
            return False
        for a in range(1, self.size + 1):
            side = self.side[self.base[a]]
            self.label[a] += -step if side == _OUTER else step if side == _INNER else 0
        for b in self._blossoms():
            side = self.side[b]
            self.label[b] += 2 * step if side == _OUTER else -2 * step if side == _INNER else 0
        return True

    def _follow_slack(self) -> bool:
        """Take the edges whose gap has closed; return True if a path was found and applied."""
        for x in self._tops():
            a = self.slack[x]
            # A blossom that was contracted before may contain this vertex by now.
            if self.base[x] != x or not a or self.base[a] == x or self._gap(self._edge(a, x)):
                continue
            if self._take(self._edge(a, x)):
                return True
        return False

    def _take(self, edge: Edge) -> bool:
        """Follow an edge from an outer vertex to a free one, around a cycle, or to the end of a path.

        Returns True at the end of a path.
        """
        x, y = self.base[edge[0]], self.base[edge[1]]
        if self.side[y] == _FREE:
            self.parent[y], self.side[y] = edge[0], _INNER
            mate = self.base[self.mate[y]]
            self.slack[y] = self.slack[mate] = _NONE
            self.side[mate] = _OUTER
            self._enqueue(mate)
        elif self.side[y] == _OUTER:
            ancestor = self._common_ancestor(x, y)
            if not ancestor:
                self._augment(x, y)
                self._augment(y, x)
                return True
            self._contract(x, ancestor, y)
        return False

    def _enqueue(self, x: int) -> None:
        if x <= self.size:
            self.queue.append(x)
        for part in self.circle[x] if x > self.size else ():
            self._enqueue(part)

    def _set_base(self, x: int, b: int) -> None:
        self.base[x] = b
        for part in self.circle[x] if x > self.size else ():
            self._set_base(part, b)

    def _even_way(self, b: int, part: int) -> int:
        """Orient a cycle so that the way from its first vertex to `part` has an even number of edges.

        Returns that number.
        """
        circle = self.circle[b]
        place = circle.index(part)
        if place % 2:
            circle[1:] = circle[:0:-1]
            place = len(circle) - place
        return place

    def _set_mate(self, x: int, y: int) -> None:
        """Match `x` to `y`; within a blossom, match everything else along the cycle."""
        edge = self._edge(x, y)
        self.mate[x] = edge[1]
        if x <= self.size:
            return
        part = self.inside[x][edge[0]]
        place = self._even_way(x, part)
        circle = self.circle[x]
        for number in range(place):
            self._set_mate(circle[number], circle[number ^ 1])
        self._set_mate(part, y)
        self.circle[x] = circle[place:] + circle[:place]

    def _augment(self, x: int, y: int) -> None:
        """Match `x` to `y`, and along the path from `x` to its root each vertex that lost its mate to the next."""
        while True:
            before = self.base[self.mate[x]]
            self._set_mate(x, y)
            if not before:
                return
            above = self.base[self.parent[before]]
            self._set_mate(before, above)
            x, y = above, before

    def _common_ancestor(self, x: int, y: int) -> int:
        """Return where the paths from two vertices to their roots meet; 0 if they do not."""
        self.visit += 1
        while x or y:
            if x:
                if self.visits[x] == self.visit:
                    return x
                self.visits[x] = self.visit
                x = self.base[self.mate[x]]
                x = self.base[self.parent[x]] if x else _NONE
            x, y = y, x
        return _NONE

    def _contract(self, x: int, ancestor: int, y: int) -> None:
        """Contract the cycle from an ancestor to `x`, over to `y`, and back, to a blossom."""
        b = next((b for b in range(self.size + 1, self.count + 1) if not self.base[b]), self.count + 1)
        self.count = max(self.count, b)
        self.label[b], self.side[b], self.mate[b] = 0, _OUTER, self.mate[ancestor]
        self.parent[b] = self.parent[ancestor]
        self.circle[b] = [ancestor, *self._path(x, ancestor)[::-1], *self._path(y, ancestor)]
        self._set_base(b, b)
        for number in range(1, self.count + 1):
            self.ends[b][number] = self.ends[number][b] = None
        self.inside[b] = [_NONE] * (self.size + 1)
        for part in self.circle[b]:
            for number in range(1, self.count + 1):
                edge, best = self.ends[part][number], self.ends[b][number]
                if edge is not None and (best is None or self._gap(edge) < self._gap(best)):
                    self.ends[b][number], self.ends[number][b] = edge, self.ends[number][part]
            for vertex in range(1, self.size + 1):
                if self.inside[part][vertex]:
                    self.inside[b][vertex] = part
        self._set_slack(b)

    def _path(self, x: int, ancestor: int) -> list[int]:
        """Return the path from `x` up to before an ancestor; inner vertices on it become outer ones."""
        path = []
        while x != ancestor:
            mate = self.base[self.mate[x]]
            path += [x, mate]
            self._enqueue(mate)
            x = self.base[self.parent[mate]]
        return path

    def _expand(self, b: int) -> None:
        """Expand an inner blossom with label 0: the even way through it stays on the path, the rest becomes free."""
        for part in self.circle[b]:
            self._set_base(part, part)
        edge = self._edge(b, self.parent[b])
        entry = self.inside[b][edge[0]]
        place = self._even_way(b, entry)
        circle = self.circle[b]
        for number in range(0, place, 2):
            inner, outer = circle[number], circle[number + 1]
            self.parent[inner] = self._edge(outer, inner)[0]
            self.side[inner], self.side[outer] = _INNER, _OUTER
            self.slack[inner] = _NONE
            self._set_slack(outer)
            self._enqueue(outer)
        self.side[entry], self.parent[entry] = _INNER, self.parent[b]
        for part in circle[place + 1 :]:
            self.side[part] = _FREE
            self._set_slack(part)
        self.base[b] = _NONE
