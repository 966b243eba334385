"""What the person at the terminal is shown of a match: what happens, the table, the hand, what can be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text as Styled

from dispenser.cli.match import picture
from dispenser.cli.match.names import ME, AtTable, names_in_moves, names_shown
from dispenser.cli.match.paper import Paper
from dispenser.language import Text
from dispenser.rules import Game, IllegalMove
from dispenser.rules.engine.demands import Demand
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import ANNOUNCE, DONE, DRAW, LAYING, PASS, Move
from dispenser.rules.engine.observation import Observation
from dispenser.rules.words.notation import NotationError, move_text
from dispenser.rules.words.phrases import vocabulary_of
from dispenser.rules.words.telling import Telling

_INDENT: Final = " " * 5

_YOU_GET: Final = Text("  You get: ")
_YOU_CAN: Final = Text("You can: {moves}.")
_OR: Final = Text("or {moves}")
_RATHER_NOT: Final = Text("or choose not to play: {moves}")
_ENTER: Final = Text("Enter: {move}")
_CARRY_OUT: Final = Text(
    "Do what the card says, then Enter (done). Does it make somebody press? Then type “effect 2 {name}”: 2 presses for "
    "{name}."
)
_NO_CUSTOM_RULE: Final = Text(
    "This table has no rule for that card yet (--option custom-rule=… gives it one): agree on one."
)


class Screen(Paper):
    """Shows one match to one person."""

    def __init__(self, game: Game, names: AtTable, language: str, console: Console) -> None:
        super().__init__(console, language)
        self.names = names_in_moves(names)
        self._game = game
        self._shown = names_shown(names, language)
        self._telling = Telling(game, language, self.names, you=ME)
        self._seen = game.observe(ME)
        self._hand_seen: tuple[int, ...] = ()

    def tell(self, happened: Sequence[Event]) -> None:
        """Say what happened, and show the hand when it is another one."""
        for sentence in self._telling.events(happened):
            self.say(sentence)
        if any(_changes_hands(event) for event in happened) and self._seen.hand:
            self.show_hand()

    def tell_debt(self, demand: Demand) -> None:
        """Say who presses how often, for whom, and where the launcher must point (E-32)."""
        if not any(event.what is What.SKIPPED and event.seat == demand.payer for event in self._game.events):
            self.say(self._telling.demand(demand), style="bold" if demand.payer == ME else "")
        self.say(self._telling.aim(demand))

    def tell_cards(self, before: Counter[int]) -> None:
        """Show which cards have come into the hand since then."""
        if got := self.hand() - before:
            lead = Styled(_YOU_GET[self.language])
            cards = picture.card_list(self._game.state.cards, got.elements(), self.language)
            self.show(picture.flow(lead, cards, ", ", self.width))

    def hand(self) -> Counter[int]:
        """The cards of the person."""
        return Counter(self._seen.hand)

    def refuse(self, error: IllegalMove | NotationError, move: Move | None = None) -> None:
        """Say why something cannot be."""
        self.say(self._telling.error(error, move), style="red")

    def offer(self, moves: Sequence[Move]) -> None:
        """Say what can be done out of turn; by its number in a hand that has been seen."""
        if any(move.act in LAYING for move in moves) and self._seen.hand != self._hand_seen:
            self.show_hand()
        self.say(_YOU_CAN, style="bold", moves=self.listed(self._telling.moves(moves)))

    def show_table(self) -> None:
        """The table, the hand, and in turn what can be done beside laying a card."""
        seen = self._seen
        self.say("")
        self.show(picture.table(self._game, seen, self._shown, self.language, self.width))
        self.show_hand()
        if self._game.turn == ME and not seen.demands:
            self._show_other_moves(seen)

    def show_hand(self) -> None:
        """The hand alone."""
        self._hand_seen = self._seen.hand
        self.show(picture.hand(self._game.state.cards, self._seen, self.language, self.width))

    def show_points(self) -> None:
        """What was left in the hands, and the points of the match."""
        self.show(picture.scores(self._game, self._shown, self.language))

    def show_result(self) -> None:
        """How the match has ended."""
        if self._game.state.values():
            self.show_points()
        else:
            self.show(picture.ranking(self._game.ranking(), self._shown))

    def move(self, move: Move) -> str:
        """A move as it is typed."""
        return move_text(self._game, move, self.language, self.names)

    def round(self) -> str:
        """What the rules call a round."""
        return vocabulary_of(self._game).round[self.language]

    def obvious(self) -> Move | None:
        """What Enter does in turn: the only thing that can be done, to pass after drawing, to go on after E-22."""
        legal = [move for move in self._game.legal_moves(ME) if move != ANNOUNCE]
        usual = next((move for move in (PASS, DONE) if move in legal), None)
        return legal[0] if len(legal) == 1 else usual

    def _show_other_moves(self, seen: Observation) -> None:
        """What can be done beside laying a card; what Enter does stands first."""
        if DONE in seen.legal:
            self._show_custom_card()
            return
        others = [move for move in seen.legal if move.act not in LAYING and move is not ANNOUNCE]
        obvious = self.obvious()
        if obvious in others:
            others.remove(obvious)
            self.say(_ENTER, style="bold", indent=_INDENT, move=self.move(obvious))
        if others:
            told = self.listed(self._telling.moves(others))
            if others == [DRAW] and any(move.act in LAYING for move in seen.legal):
                self.say(_RATHER_NOT, indent=_INDENT, moves=told)
            else:
                self.say(_OR if len(others) < len(seen.legal) else told, indent=_INDENT, moves=told)

    def _show_custom_card(self) -> None:
        """What to do about a customizable card (E-22), which nobody can know by heart."""
        if not str(self._game.state.options["custom-rule"]).strip():
            self.say(_NO_CUSTOM_RULE, indent=_INDENT)
        self.say(_CARRY_OUT, style="bold", indent=_INDENT, name=self._shown[ME + 1])


def _changes_hands(event: Event) -> bool:
    """Whether the person holds another hand now."""
    return event.what is What.PASSED_ON or (event.what is What.SWAPPED and ME in {event.seat, event.other})
