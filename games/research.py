"""PettingZoo environments of all games, for research without the site. They need the extra `research`.

`env = GameEnv("gin-rummy", seats=2)` is an AEC environment. Agents are `player_0`, `player_1` ... by seat.

- An action is the index of a move among the legal moves of the agent's view, in the engine's order, so what it means
  depends on the position; `infos[agent]["moves"]` has their texts. Games have far too many moves, or an open number of
  them (melds, captures), for one fixed list. Beyond `MOST_ACTIONS` legal moves the last ones can't be chosen.
- An observation has the cards that the agent sees, as a table with a row for each card of the pack and a column for
  each kind of zone and owner (0: the agent, then clockwise; last: nobody), the scores from the agent's seat on, and the
  action mask. `infos[agent]["view"]` is the view itself, with everything that the agent may know.
- The reward comes at the end: 1 for winning, -1 for losing, 0 if all share the first place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, get_args

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from games import engines
from games.core.cards import Card
from games.core.contract import State, View, ZoneKind

MOST_ACTIONS = 1024
MOST_POINTS = 1_000_000
KINDS: Sequence[str] = get_args(ZoneKind)


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo is not installed where the site runs
    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi"],
        "name": "fourth_seat_v0",
        "is_parallelizable": False,
    }

    def __init__(self, slug: str, *, seats: int | None = None, options: Mapping[str, object] | None = None) -> None:
        super().__init__()
        self.render_mode = "ansi"
        self.game = engines.get(slug)
        self.seats = self.game.seats[0] if seats is None else seats
        self.options = self.game.read_options(options, self.seats)
        self.rows = {card: row for row, card in enumerate(self.game.deck(self.options))}
        self.possible_agents = [f"player_{seat}" for seat in range(self.seats)]
        self.shape = (len(self.rows), len(KINDS) * (self.seats + 1))
        self.rng = Random()
        seen = spaces.Dict(
            observation=spaces.Box(0, 1, self.shape, np.int8),
            scores=spaces.Box(-MOST_POINTS, MOST_POINTS, (self.seats,), np.int32),
            action_mask=spaces.Box(0, 1, (MOST_ACTIONS,), np.int8),
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(MOST_ACTIONS) for agent in self.possible_agents}
        self.state_of_game: State

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def _shuffled(self) -> Iterator[list[Card]]:
        while True:
            deck = list(self.rows)
            self.rng.shuffle(deck)
            yield deck

    def reset(self, seed: int | None = None, options: Any = None) -> None:
        """Deals a new game. seed: of the shuffles. options: not used, since PettingZoo wants it."""
        if seed is not None:
            self.rng = Random(seed)
        self.state_of_game = self.game.start(self._shuffled(), seats=self.seats, options=self.options)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._look()

    def _look(self) -> None:
        """Whose turn it is, and what each agent may know now."""
        views = [self.state_of_game.view(seat) for seat in range(self.seats)]
        self.views = dict(zip(self.possible_agents, views, strict=True))
        self.infos = {agent: self._info(self.views[agent]) for agent in self.agents}
        if self.state_of_game.to_act:
            self.agent_selection = self.possible_agents[self.state_of_game.to_act[0]]

    def _info(self, view: View) -> dict[str, Any]:
        moves = view.moves[:MOST_ACTIONS]
        return {"view": view, "moves": [str(move) for move in moves]}

    def observe(self, agent: str) -> dict[str, Any]:
        view = self.views[agent]
        seat = self.possible_agents.index(agent)
        cards = np.zeros(self.shape, np.int8)
        for zone in view.zones:
            owner = self.seats if zone.owner is None else (zone.owner - seat) % self.seats
            column = KINDS.index(zone.kind) * (self.seats + 1) + owner
            for card in zone.cards:
                cards[self.rows[card], column] = 1
        mask = np.zeros(MOST_ACTIONS, np.int8)
        if agent == self.agent_selection:
            mask[: len(view.moves)] = 1
        scores = np.array([*view.scores[seat:], *view.scores[:seat]], np.int32)
        return {"observation": cards, "scores": scores, "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = self.views[agent].moves[int(action or 0)]
        self._cumulative_rewards[agent] = 0.0
        self.state_of_game.play(self.possible_agents.index(agent), move)
        self._look()
        outcome = self.state_of_game.outcome()
        if outcome is not None:
            won = set(outcome.winners)
            is_draw = len(won) == self.seats
            for seat, player in enumerate(self.possible_agents):
                self.rewards[player] = 0.0 if is_draw else 1.0 if seat in won else -1.0
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        if outcome is not None:
            self._deads_step_first()

    def render(self) -> str:
        """The table as spectators see it, a zone in each line."""
        view = self.state_of_game.view(None)
        return "\n".join(f"{zone.id}: {' '.join(zone.cards)} ({zone.hidden} hidden)" for zone in view.zones)

    def close(self) -> None:
        """Nothing is open; PettingZoo asks for it beside `render`."""
