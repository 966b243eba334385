"""What the person at the terminal is shown of a match: what happens, the table, the hand, what can be done."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import Final

from rich.console import Console
from rich.text import Text as Styled

from dispenser.cli.match import picture
from dispenser.cli.match.help import help_lines, rules_asked
from dispenser.cli.match.page import print_rules
from dispenser.cli.match.saved import ME, Seating
from dispenser.i18n import Text, said
from dispenser.rules import Game, IllegalMove
from dispenser.rules.engine.demands import Demand
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import ANNOUNCE, DONE, DRAW, LAYING, PASS, Move
from dispenser.rules.words.notation import NotationError, move_text
from dispenser.rules.words.phrases import YOU, vocabulary_of
from dispenser.rules.words.telling import Telling

_INDENT: Final = " " * 5
_CARRY_OUT: Final = Text(
    "Do what the card says, then Enter (done). Does it make somebody press? Then type “effect 2 {name}”: 2 presses for "
    "{name}."
)
_NO_CUSTOM_RULE: Final = Text(
    "This table has no rule for that card yet (--option custom-rule=… gives it one): agree on one."
)


class Screen:
    """Shows one match to one person, in one language."""

    def __init__(self, game: Game, seating: Seating, language: str, console: Console) -> None:
        self.console = console
        self.language = language
        self.names = seating.called(YOU)
        self._game = game
        self._shown = tuple(self.said(name) for name in seating.called(Text("You")))
        self._telling = Telling(game, language, self.names, you=ME)
        self._seen = game.observe(ME)
        self._hand_seen: tuple[int, ...] = ()

    def say(self, text: Text | str, style: str = "", indent: str = "") -> None:
        """In lines that fit; they are not broken by rich, which would break at the no-break spaces, too.

        What is longer than a line, a path for one, stays whole: so it can be copied.
        """
        width = self.console.width - len(indent)
        lines = textwrap.wrap(self.said(text), width, break_on_hyphens=False, break_long_words=False)
        self.console.print(Styled(textwrap.indent("\n".join(lines), indent), style), soft_wrap=True)

    def said(self, text: Text | str) -> str:
        """A text as this person reads it."""
        return said(text, self.language)

    def tell(self, happened: Sequence[Event]) -> None:
        """Say what happened, and show the hand when it is another one."""
        for sentence in self._telling.events(happened):
            self.say(sentence)
        swapped = any(event.what is What.SWAPPED and ME in {event.seat, event.other} for event in happened)
        if (swapped or any(event.what is What.PASSED_ON for event in happened)) and self._seen.hand:
            self.show_hand()

    def tell_debt(self, demand: Demand) -> None:
        """Say who presses how often, for whom, and where the launcher must point (E-32)."""
        if not any(event.what is What.SKIPPED and event.seat == demand.payer for event in self._game.events):
            self.say(self._telling.demand(demand), style="bold" if demand.payer == ME else "")
        self.say(self._telling.aim(demand))

    def tell_cards(self, before: Counter[int]) -> None:
        """Show which cards have come into the hand since then."""
        if got := self.hand() - before:
            cards = picture.card_list(self._game.state.cards, got.elements(), self.language)
            self.console.print(picture.flow(Styled(self.said(Text("  You get: "))), cards, ", ", self.console.width))

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
        self.say(Text("You can: {moves}.").filled(moves=self._listed(moves)), style="bold")

    def show_table(self) -> None:
        """The table, the hand, and in turn what can be done beside laying a card."""
        self.say("")
        self.console.print(picture.table(self._game, self._seen, self._shown, self.language, self.console.width))
        self.show_hand()
        if self._game.turn == ME and not self._seen.demands:
            self._show_other_moves()

    def show_hand(self) -> None:
        """The hand alone."""
        self._hand_seen = self._seen.hand
        self.console.print(picture.hand(self._game.state.cards, self._seen, self.language, self.console.width))

    def show_points(self) -> None:
        """What was left in the hands, and the points of the match."""
        self.console.print(picture.scores(self._game, self._shown, self.language))

    def show_result(self) -> None:
        """How the match has ended."""
        if self._game.state.values():
            self.show_points()
        else:
            self.console.print(picture.ranking(self._game.ranking(), self._shown))

    def show_help(self) -> None:
        """What can be typed."""
        lines = help_lines(self._game, self.language, self.console.width)
        self.console.print(Styled("\n".join(lines)), soft_wrap=True)

    def show_rules(self, wanted: str) -> None:
        """The rules of a card in hand, of any card, by ID, or of the card on top."""
        try:
            rules = rules_asked(self._game, ME, wanted)
        except NotationError as error:
            self.refuse(error)
        else:
            if rules:
                print_rules(self.console, rules, self.language)

    def move(self, move: Move) -> str:
        """A move as it is typed."""
        return move_text(self._game, move, self.language, self.names)

    def round(self) -> Text:
        """What the rules call a round."""
        return vocabulary_of(self._game).round

    def obvious(self) -> Move | None:
        """What Enter does in turn: the only thing that can be done, to pass after drawing, to go on after E-22."""
        legal = [move for move in self._game.legal_moves(ME) if move != ANNOUNCE]
        usual = next((move for move in (PASS, DONE) if move in legal), None)
        return legal[0] if len(legal) == 1 else usual

    def _show_other_moves(self) -> None:
        """What can be done beside laying a card; what Enter does stands first."""
        legal = self._seen.legal
        if DONE in legal:  # a customizable card (E-22), which nobody can know by heart
            if not str(self._game.state.options["custom-rule"]).strip():
                self.say(_NO_CUSTOM_RULE, indent=_INDENT)
            self.say(_CARRY_OUT.filled(name=self._shown[ME + 1]), style="bold", indent=_INDENT)
            return
        others = [move for move in legal if move.act not in LAYING and move is not ANNOUNCE]
        obvious = self.obvious()
        if obvious in others:
            others.remove(obvious)
            self.say(Text("Enter: {move}").filled(move=self.move(obvious)), style="bold", indent=_INDENT)
        told = self._listed(others)
        if others == [DRAW] and any(move.act in LAYING for move in legal):
            self.say(Text("or choose not to play: {moves}").filled(moves=told), indent=_INDENT)
        elif others:
            self.say(told if len(others) == len(legal) else Text("or {moves}").filled(moves=told), indent=_INDENT)

    def _listed(self, moves: Sequence[Move]) -> str:
        return self.said(Text("; ")).join(self._telling.moves(moves))
