"""Play a match in the terminal, line by line: a person on the first seat, bots on the others, odds as the launcher."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final

from rich.columns import Columns
from rich.console import Console
from rich.text import Text as Styled

from dispenser.cli.spoken import _, in_words, language
from dispenser.i18n import Text, why
from dispenser.odds.odds import Odds
from dispenser.rules import Game, IllegalMove, to_json
from dispenser.rules.engine.demands import Demand, Owed
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.history import Deed
from dispenser.rules.engine.moves import ANNOUNCE, LAYING, Act, Move
from dispenser.rules.engine.phases import IDLE, MATCH_OVER
from dispenser.rules.words.cards import shape_of
from dispenser.rules.words.narrator import Narrator
from dispenser.rules.words.notation import NotationError, move_text, read_move, without_announcement
from dispenser.rules.words.phrases import YOU, vocabulary_of
from dispenser.rules.words.sentences import SO_MANY_POINTS
from dispenser.table import bots
from dispenser.table.match import Turns

_PERSON: Final = 0  # The seat of the person
_BOT_NAMES: Final = ("Bob", "Chloé", "Dimitri", "Emma", "Farid", "Gaëlle", "Hugo", "Inès", "Jules", "Karim", "Lou")
_COLOURS: Final = ("red", "yellow", "green", "bright_blue", "green", "yellow", "red", "bright_blue")
_STYLES: Final = dict(zip("●▲■◆♣♦♥♠", _COLOURS, strict=True))
"""By the shape printed beside every card, so that cards can be told apart without colours."""
_HELP: Final = Text("""\
3          the move with that number in the list; Enter shows the list again
red 7      a move in words, or short: r7, 7h, wild green, draw, catch Bob
           add {word} (3 {word}) when it leaves you one card, or you can be caught
undo       take back your last move and all that came after it
save FILE  save the match, for: dispenser rules play --resume FILE
quit       leave; what you have not saved is lost""")


_NEW_DEBTS: Final = {What.DEALER, What.LAID, What.CAUGHT, What.PENALISED, What.CHALLENGED}
"""Events after which a debt is printed again, even if the same seat owes the same."""


class TerminalMatch:
    """A match in the terminal: reads the person's moves, makes the bots' moves, prints the events.

    :param odds: determines the cards of each press.
    """

    def __init__(self, game: Game, console: Console, odds: Odds, random: Random) -> None:
        self._game, self._console = game, console
        self._odds, self._random = odds, random
        self._turns = Turns(game)
        self._paying: tuple[int, int, str] | None = None
        """Payer, receiver and rule of the debt that is being paid."""
        self._names = (YOU, *_BOT_NAMES)[: game.seats]
        self._narrator = Narrator(game, language(), self._names, you=_PERSON)
        self._seen = game.observe(_PERSON)
        self._saved_actions = len(game.log)
        self._presses: list[int] = [action.value for action in game.log if action.deed is Deed.FULFIL]
        """The cards of each press, kept so that a press repeated after ``undo`` delivers the same number."""

    def play(self) -> None:
        """Run until the match is over, or until ``quit``, Ctrl-C or the end of the input."""
        try:
            while self._game.phase is not MATCH_OVER:
                self._step()
            self._show_players()
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            if len(self._game.log) > self._saved_actions:
                self._say(Text("The match was not saved; next time: save FILE"))
            self._say(Text("Goodbye!"))

    def _step(self) -> None:
        game = self._game
        if game.phase is IDLE:
            next_round = Text("Enter for the next {round}: ").filled(round=vocabulary_of(game).round)
            if not game.state.round or self._ask(next_round) is not None:
                self._show_events(game.begin())
        elif self._somebody_moves_out_of_turn():
            pass
        elif game.demand:
            self._pay(game.demand)
        elif game.turn == _PERSON:
            self._make_move(game.legal_moves(_PERSON), Text("Your move (? for help): "))
        else:
            self._play(game.turn, bots.takes_its_turn(game, self._random))

    def _somebody_moves_out_of_turn(self) -> bool:
        """Let seats out of turn act, such as catch somebody or jump in; return whether one did."""
        for seat in bots.order_of_reaction(self._game, (_PERSON,), self._random):
            if seat == _PERSON:
                chances = [move for move in self._turns.chances(_PERSON) if move != ANNOUNCE]
                prompt = Text("Your move, or Enter to let it pass: ")
                if chances and self._make_move(chances, prompt, may_pass=True):
                    return True
            elif move := bots.move_out_of_turn(self._game, self._turns, seat, self._random):
                self._play(seat, move)
                return True
        return False

    def _pay(self, demand: Demand) -> None:
        """Press the launcher once, or deliver an exact number of cards."""
        game, presses, debt = self._game, demand.kind is Owed.PRESSES, (demand.payer, demand.receiver, demand.rule)
        if presses and debt != self._paying and (demand.number > 1 or demand.payer != demand.receiver):
            self._say(self._narrator.demand(demand))
        asked = presses and demand.payer == _PERSON and demand.rule != game.state.draw_rule  # not after drawing
        if asked and self._ask(Text("Enter to press the launcher: ")) is None:
            return
        number = sum(action.deed is Deed.FULFIL for action in game.log)
        while presses and len(self._presses) <= number:
            self._presses.append(self._odds.draw().cards)
        cards = min(self._presses[number], game.state.available()) if presses else 0
        self._paying = debt
        self._show_events(game.fulfil(cards) if presses else game.fulfil_by_chance())

    def _play(self, seat: int, move: Move) -> None:
        self._show_events(self._game.play(seat, move))

    def _show_events(self, happened: Sequence[Event]) -> None:
        """Print events; after the lid was open (a deal or a reload), reset the odds."""
        whats = {event.what for event in happened}
        if whats & {What.DEALER, What.RELOADED}:
            self._odds.reset()
        if whats & _NEW_DEBTS:
            self._paying = None
        self._turns.on_events(happened)
        for sentence in self._narrator.events([event for event in happened if event.what is not What.DEALER_DREW]):
            self._say(sentence)

    def _make_move(self, moves: Sequence[Move], prompt: Text, *, may_pass: bool = False) -> bool:
        """Read input until a move was made or taken back (return true), or until the person passes (false)."""
        self._show_table()
        listed = self._list(moves)
        while (line := self._ask(prompt)) or (line == "" and not may_pass):
            move, (text, announced) = None, without_announcement(self._game, line)
            ways = listed[int(text) - 1] if text in map(str, range(1, len(listed) + 1)) else ()
            if not line or len(ways) > 1:  # the moves with one card differ in what it asks for
                listed = self._list(ways or moves, grouped=not ways)
                continue
            if text.isdecimal() and not ways:
                another = Text("Choose a number from 1 to {number}, or write the move.")
                self._say(another.filled(number=len(listed)), "red")
                continue
            try:
                move = ways[0] if ways else read_move(self._game, _PERSON, text, self._names)
                self._play(_PERSON, move)
            except (IllegalMove, NotationError) as error:
                self._say(self._narrator.error(error, move), "red")
                continue
            if announced and ANNOUNCE in self._game.legal_moves(_PERSON):
                self._play(_PERSON, ANNOUNCE)
            return True
        return line is None

    def _ask(self, prompt: Text) -> str | None:
        """Return the next line that is not a command; ``None`` after ``undo``."""
        while True:
            self._console.print(in_words(prompt), end="", markup=False, soft_wrap=True)
            line = input().strip()
            command, _space, name = line.partition(" ")
            if line in {"help", "?"}:
                words = vocabulary_of(self._game)
                self._say(_HELP.filled(word=words.announcement.lower()))
                for typed, what in words.typed:
                    self._say(f"{in_words(typed):10} {in_words(what)}")
            elif line == "quit":
                raise EOFError
            elif command == "save":
                self._save(Path(name).expanduser())
            elif line != "undo":
                return line
            elif (move := self._take_back()) is None:
                self._say(Text("You have not made a move yet."))
            else:
                self._say(_("Taken back: {move}.", move=self._written(move)))
                return None

    def _take_back(self) -> Move | None:
        """Undo the person's last move and everything after it."""
        game, log = self._game, self._game.log
        own = next((place for place in reversed(range(len(log))) if log[place][:2] == (Deed.PLAY, _PERSON)), None)
        if own is None:
            return None
        move: Move = log[own].value
        while len(game.log) > own:
            game.undo()
        self._turns, self._paying = Turns(game), None
        return move

    def _save(self, file: Path) -> None:
        try:
            file.write_text(to_json(self._game), encoding="utf-8")
            self._saved_actions = len(self._game.log)
            self._say(_("The match is saved in {file}.", file=file))
        except OSError as error:
            self._say(_("{file}: the match could not be saved: {why}", file=file, why=why(error)), "red")

    def _say(self, text: Text | str, style: str = "") -> None:
        """Print a text, wrapped here, as rich would break lines at no-break spaces."""
        for line in in_words(text).splitlines() or [""]:
            whole = textwrap.fill(line, self._console.width, break_long_words=False, break_on_hyphens=False)
            self._console.print(Styled(whole, style), soft_wrap=True)

    def _list(self, moves: Sequence[Move], *, grouped: bool = True) -> list[Sequence[Move]]:
        """Print a numbered list of moves; moves that differ only in what a card asks for share a number."""
        groups: dict[object, list[Move]] = {}
        for move in moves:
            if move != ANNOUNCE:  # not offered: players must remember it
                by_card = grouped and (move.act in LAYING or move.act is Act.STAND)
                groups.setdefault((move.act, move.card) if by_card else move, []).append(move)
        self._say(Text("You can:"), "bold")
        for number, group in enumerate(groups.values(), start=1):
            self._say(f"{number:3}  {self._narrator.moves(group)[0] if len(group) > 1 else self._written(group[0])}")
        return list(groups.values())

    def _show_table(self) -> None:
        """Print the players, the state of the table, and the person's hand."""
        seen, cards = self._seen, self._game.state.cards
        self._say("")
        self._show_players()
        card = self._card(seen.colour, self._narrator.on_top()) if seen.talon else "—"
        on_top = Styled.assemble(_("On top: "), card)
        direction = Text("to the left ↻") if seen.direction > 0 else Text("to the right ↺")
        for told in (*vocabulary_of(self._game).in_force(seen), direction):
            on_top.append(f" · {in_words(told)}")
        self._console.print(on_top)
        self._say(Text("Your hand ({number}):").filled(number=len(seen.hand)), "bold")
        hand = [self._card(cards.colour[card], in_words(cards.names[card])) for card in seen.hand]
        self._console.print(Columns(hand, padding=(0, 3, 0, 2)))

    def _show_players(self) -> None:
        """Print the turn, the number of cards, last-card announcements, and points of each player."""
        seen, players = self._seen, []
        for seat in range(self._game.seats):
            size = _("out") if seat in seen.gone else seen.sizes[seat]
            points = f" ({in_words(SO_MANY_POINTS.filled(number=seen.scores[seat]))})"
            turn, announced = "▶ " * (seat == seen.turn), "!" * (seat in seen.announced)
            players.append(f"{turn}{self._narrator.name(seat)} {size}{announced}{points * any(seen.scores)}")
        self._say(_("Cards: {players}", players=" · ".join(players)))

    def _written(self, move: Move) -> str:
        return move_text(self._game, move, language(), self._names)

    def _card(self, colour: int, name: str) -> Styled:
        shape = shape_of(self._game.state.cards, colour)
        return Styled(f"{shape} {name}", f"bold {_STYLES.get(shape, 'magenta')}", no_wrap=True)
