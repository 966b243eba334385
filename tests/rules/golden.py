"""A round of each game, written out so that somebody with the rules beside it can check it by eye.

``python -m tests.rules.golden`` writes the files in ``tests/rules/golden`` again; look at every line that changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from dispenser.rules import GAMES, new_game
from dispenser.rules.bots import sensible_bot
from dispenser.rules.engine.demands import Demand
from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import ANNOUNCE, DONE, TAKE, Move
from dispenser.rules.engine.phases import IN_ROUND
from dispenser.rules.words.notation import card_text, move_text
from dispenser.rules.words.sentences import PLACES
from dispenser.rules.words.telling import Telling

FOLDER: Final = Path(__file__).parent / "golden"
NAMES: Final = ("Ana", "Ben", "Chloé", "Dia")
SEEDS: Final = {"uno-extreme": 114, "uno": 94, "huit-americain": 510, "151": 14, "uno-vache": 127}
OPTIONS: Final = {
    "uno-extreme": {"custom-rule": "Everybody sings a song"},
    "huit-americain": {"packs": 1},
    "uno-vache": {"white": 2},
}
_FORGETS: Final = 3
"""Every so many chances to announce are forgotten, so that there is something to catch."""


class Playthrough:
    """One round among sensible players who sometimes forget to announce; ``lines`` writes it out, once."""

    def __init__(self, game_id: str, seed: int) -> None:
        self.game = new_game(game_id, len(NAMES), OPTIONS.get(game_id), seed=seed)
        self._seed = seed
        self._random = Random(seed)
        self._telling = Telling(self.game, "en", NAMES)
        self._chances = 0
        self._owed: Demand | None = None
        """The demand that was written down last."""

    def lines(self) -> Iterator[str]:
        game = self.game
        yield f"{game.game_id}, options {game.state.options}, seed {self._seed}"
        yield "deal"
        for sentence in self._telling.events(game.begin()):
            yield f"    {sentence}"
        for seat in range(len(NAMES)):
            yield f"    {self._holds(seat)}"
        yield from self._demand()
        while game.phase in IN_ROUND:
            seat, move = self._next()
            if move is None:
                yield from self._delivery(game.state.demands[0])
            else:
                yield from self._play(seat, move)
        yield from self._result()

    def _next(self) -> tuple[int, Move | None]:
        """Who does what now; no move where it is the launcher's turn."""
        game = self.game
        for seat in game.actors():
            if seat != game.turn or game.state.demands:
                move = self._choice(seat)
                if move is not None:
                    return seat, move
        return game.turn, None if game.state.demands else self._choice(game.turn)

    def _choice(self, seat: int) -> Move | None:
        """What the bot does; but now and then it forgets to announce, and does the next best thing in its turn."""
        game = self.game
        move = sensible_bot(game.observe(seat), self._random)
        self._chances += move == ANNOUNCE
        if move != ANNOUNCE or self._chances % _FORGETS:
            return move
        rest = [other for other in game.legal_moves(seat) if other != ANNOUNCE]
        return rest[0] if rest and seat == game.turn and not game.state.demands else None

    def _play(self, seat: int, move: Move) -> Iterator[str]:
        by = "table" if move == DONE else f"{NAMES[seat]}, holding {self._hand(seat)}"
        yield f"{by}: {move_text(self.game, move, 'en', NAMES)}"
        if self.game.game_id == "uno" and move == TAKE:
            yield f"    {NAMES[seat]} accepts the +4."
        self.game.play(seat, move)
        yield from self._told()

    def _delivery(self, demand: Demand) -> Iterator[str]:
        game = self.game
        yield f"launcher, for {NAMES[demand.receiver]} ({demand.rule})"
        before, open_before = list(game.state.hands[demand.receiver]), len(game.state.demands)
        game.fulfil_by_chance()
        got = [now - then for now, then in zip(game.state.hands[demand.receiver], before, strict=True)]
        if len(game.state.demands) < open_before:
            self._owed = None
        yield from self._told(self._cards(got))

    def _told(self, drawn: str = "") -> Iterator[str]:
        """What an action brought about, with the cards drawn below their number, and the hands where a round ends."""
        happened = self.game.events
        end = next((place for place, event in enumerate(happened) if event.what is What.ROUND_ENDED), len(happened))
        told = self._telling.events(happened[:end])
        if drawn:
            last = max(place for place, event in enumerate(happened) if event.what in {What.DREW, What.PRESSED})
            told.insert(last + 1, f"    {drawn}")
        for sentence in told:
            yield f"    {sentence}"
        if end < len(happened):
            for seat in range(len(NAMES)):
                yield f"    {self._holds(seat)}{self._worth(seat)}"
        for sentence in self._telling.events(happened[end:]):
            yield f"    {sentence}"
        yield from self._demand()

    def _demand(self) -> Iterator[str]:
        """What is owed, unless that stands there already."""
        last, owed = self._owed, self.game.demand
        self._owed = owed
        if owed is not None and owed != last:
            more = last is not None and owed == last._replace(number=owed.number)
            yield f"    {self._telling.demand(owed, more=more)}"

    def _result(self) -> Iterator[str]:
        game = self.game
        if game.state.values():
            scores = (f"{name} {score}" for name, score in zip(NAMES, game.state.scores, strict=True))
            yield f"scores: {', '.join(scores)}".replace("-", "−")
        elif game.outcome:
            places = (
                f"{NAMES[seat]} {_place(place, game.state.sizes[seat])}"
                for seat, place in zip(game.outcome.ranking, PLACES.en.split(), strict=False)
            )
            yield f"ranking: {', '.join(places)}"

    def _holds(self, seat: int) -> str:
        return f"{NAMES[seat]} holds {self._hand(seat)}"

    def _hand(self, seat: int) -> str:
        return self._cards(self.game.state.hands[seat]) or "nothing"

    def _cards(self, hand: list[int]) -> str:
        return ", ".join(
            card_text(self.game, card, "en") for card in range(self.game.state.unknown) for _ in range(hand[card])
        )

    def _worth(self, seat: int) -> str:
        """What the cards count, one by one, so that it can be added up by eye."""
        values, hand = self.game.state.values(), self.game.state.hands[seat]
        counted = [str(values[card]) for card in range(self.game.state.unknown) for _ in range(hand[card]) if values]
        if not counted:
            return ""
        total = f" = {self.game.state.points[seat]}" if len(counted) > 1 else ""
        return f": {' + '.join(counted)}{total}"


def _place(place: str, cards: int) -> str:
    """Who has cards at the end has not finished."""
    return f"still has {cards} card{'s' if cards > 1 else ''}" if cards else f"finishes {place}"


def playthrough(game_id: str) -> Iterator[str]:
    """The lines of the golden file."""
    return Playthrough(game_id, SEEDS[game_id]).lines()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for game_id in GAMES:
        (FOLDER / f"{game_id}.txt").write_text("\n".join(playthrough(game_id)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
