"""A match at the terminal: one person on seat 1, bots on the others, a launcher made of odds."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Final

from rich.console import Console
from rich.text import Text as Styled

from dispenser.cli.match import table as rules_table
from dispenser.cli.match import texts
from dispenser.cli.match.asked import rules_asked
from dispenser.cli.match.help import help_lines
from dispenser.cli.match.keeping import Keeping
from dispenser.cli.match.keyboard import Keyboard, Leaving
from dispenser.cli.match.launcher import SimulatedLauncher
from dispenser.cli.match.names import AtTable, names_in_moves, names_shown
from dispenser.cli.match.paper import Paper
from dispenser.cli.match.saved import MatchFile
from dispenser.cli.match.typed import ME, Command, Typed
from dispenser.cli.rules.page import Page
from dispenser.luck.odds import Odds
from dispenser.rules import Game, IllegalMove, events
from dispenser.rules.bots import sensible_bot
from dispenser.rules.events import Event
from dispenser.rules.moves import (
    ANNOUNCE,
    CANCEL,
    CATCH,
    CATCH_RETRACT,
    DONE,
    DRAW,
    JUMP_IN,
    PASS,
    RETRACT,
    Move,
    kind_of,
)
from dispenser.rules.notation import NotationError, move_text
from dispenser.rules.observation import observe
from dispenser.rules.sentences import ROUND
from dispenser.rules.state import IDLE, MATCH_OVER, PRESSES, Demand
from dispenser.rules.telling import Telling
from dispenser.rules.uno_vache import UnoVache

OVERLOOKS: Final = {ANNOUNCE: 0.3, RETRACT: 0.3, CATCH: 0.4, CATCH_RETRACT: 0.4, JUMP_IN: 0.4}
"""How often a bot forgets to say something or misses a chance: nobody at a table is always attentive."""
CHANCE_S: Final = 6.0
"""Seconds to speak up out of turn."""
BOT_S: Final = 0.7
"""Seconds that a bot seems to think."""
SUSPENSE_S: Final = (0.4, 1.8)
"""Seconds from a press to what comes out, at the least and at the most."""


class _Left(Exception):  # noqa: N818 - no error: somebody typed q
    """The person has gone, and the match is saved."""


class Match:
    """Plays a match to its end, or until the person leaves or there is nothing more to read.

    :param names: of all players, the person first, who may have none.
    :param odds: what the launcher lets out at each press.
    :param random: what the bots do by chance.
    :param pause: waits so many seconds; does nothing where nobody watches.
    :param file: where the match is saved when the person leaves, and when it is over if it was given a place.
    """

    def __init__(
        self,
        game: Game,
        names: AtTable,
        language: str,
        *,
        odds: Odds,
        random: Random,
        console: Console,
        pause: Callable[[float], None] | None,
        file: MatchFile,
    ) -> None:
        self.game = game
        self._names = names_in_moves(names)
        self._shown = names_shown(names, language)
        self._language = language
        self._launcher = SimulatedLauncher(game, odds)
        self._random = random
        self._paper = Paper(console, language)
        self._say, self._show = self._paper.say, self._paper.show
        self._console = console
        self._keyboard = Keyboard(console)
        self._unhurried = pause is None
        self._pause = pause or (lambda _: None)
        self._keeping = Keeping(game, file, self._paper)
        self._telling = Telling(game, language, self._names, you=ME)
        self._typed = Typed(game, self._names, language, self._ask)
        self._considered: set[tuple[int, Move]] = set()
        """Chances to speak up that a seat has let go by."""
        self._paying: tuple[int, int, str] | None = None

    def play(self) -> bool:
        """Play on.

        :returns: whether the match came to its end.
        :raises OSError: the match could not be saved, or (and it is saved) what is printed goes nowhere.
        """
        with self._keyboard.heeding_calls():
            try:
                while self.game.phase != MATCH_OVER:
                    self._step()
            except _Left:
                return False
            except (EOFError, Leaving):
                self._keeping.save_at_last()
                return False
            except OSError:
                self._keeping.save_silently()
                raise
            self._show_result()
            self._keeping.save_when_over()
        return True

    def _show_result(self) -> None:
        game = self.game
        if isinstance(game, UnoVache):
            self._show(rules_table.ranking(game.ranking(), self._shown))
        else:
            self._show(rules_table.scores(game, self._shown, self._language))

    def _step(self) -> None:
        game = self.game
        if game.phase == IDLE:
            self._begin_round()
        elif not self._somebody_speaks_up():
            if game.demand:
                self._pay(game.demand)
            elif game.turn == ME:
                self._my_turn()
            else:
                self._bot_turn(game.turn)

    def _begin_round(self) -> None:
        if self.game.round:
            self._show(rules_table.scores(self.game, self._shown, self._language))
            prompt = texts.NEXT_ROUND[self._language].format(self._round())
            self._keyboard.forget_typed()
            while self.game.phase == IDLE and not self._is_enter(self._ask(prompt)):
                pass
            if self.game.phase != IDLE:
                return  # undone
        self._tell([event for event in self.game.begin() if event[0] != events.DEALER_DREW])

    # Demands

    def _pay(self, demand: Demand) -> None:
        """Press once, or take the cards."""
        kind, payer, receiver, number, rule, _ = demand
        presses = kind == PRESSES
        goes_on = self._paying == (payer, receiver, rule)
        self._paying = (payer, receiver, rule)
        if presses and not goes_on and (number > 1 or payer != receiver):
            self._say(self._telling.demand(demand), "bold" if payer == ME else "")
        chosen = rule == self.game.draw_rule  # somebody who chose to press has said so already
        if presses and payer == ME and not chosen and not self._pressed_enter(demand):
            return
        before = Counter(observe(self.game, ME).hand)
        if presses:
            cards, suspense = self._launcher.press()
            self._wait_for_launcher(suspense)
            happened = self.game.fulfil(min(cards, self.game.available()))
        else:
            happened = self.game.fulfil()
        came_out = 1 + max(
            place for place, (code, _, _) in enumerate(happened) if code in {events.DREW, events.PRESSED}
        )
        self._tell(happened[:came_out])
        got = Counter(observe(self.game, ME).hand) - before
        if receiver == ME and got:
            cards_got = rules_table.card_list(self.game.cards, got.elements(), self._language)
            self._show(
                rules_table.flow(
                    Styled(self._paper.spaced(texts.YOU_GET[self._language])), cards_got, ", ", self._paper.width
                )
            )
        self._tell(happened[came_out:])

    def _pressed_enter(self, demand: Demand) -> bool:
        """Whether the person pressed; not when something else happened to the demand."""
        self._keyboard.forget_typed()
        while self.game.demand is demand:
            answer = self._ask(texts.PRESS[self._language])
            if self._is_enter(answer):
                return True
        return False

    def _wait_for_launcher(self, suspense: float) -> None:
        if not self._unhurried:
            least, most = SUSPENSE_S
            with self._console.status("…", spinner="dots"):
                self._wait(least + suspense * (most - least))

    def _wait(self, seconds: float) -> None:
        with self._keyboard.waiting():
            self._pause(seconds)

    # Bots

    def _bot_turn(self, seat: int) -> None:
        self._wait(BOT_S)
        seen = observe(self.game, seat)
        legal = self._noticed(seen.legal) or seen.legal
        move = sensible_bot(dataclasses.replace(seen, legal=legal), self._random)
        self._tell(self.game.play(seat, self._random.choice(legal) if move is None else move))

    def _noticed(self, legal: Sequence[Move]) -> tuple[Move, ...]:
        """The moves, but what a bot forgets or misses."""
        return tuple(move for move in legal if self._random.random() >= OVERLOOKS.get(kind_of(move), 0.0))

    def _somebody_speaks_up(self) -> bool:
        """Whether a seat that is not in turn did something: first who forgot it, then the person, then the others."""
        others = [seat for seat in range(self.game.seats) if seat != ME]
        self._random.shuffle(others)
        forgetful = [seat for seat in others if self.game.exposed >> seat & 1]
        return any(self._speaks_up(seat) for seat in dict.fromkeys((*forgetful, ME, *others)))

    def _speaks_up(self, seat: int) -> bool:
        game = self.game
        if seat == game.turn and not game.demand:
            return False
        chances = tuple(move for move in game.legal_moves(seat) if (seat, move) not in self._considered)
        self._considered.update((seat, move) for move in chances)
        if not chances:
            return False
        if seat == ME:
            return self._my_chance(chances)
        chances = self._noticed(chances)
        move = sensible_bot(dataclasses.replace(observe(game, seat), legal=chances), self._random) if chances else None
        if move is None:
            return False
        self._tell(game.play(seat, move))
        return True

    # The person

    def _my_chance(self, chances: Sequence[Move]) -> bool:
        """Offer what can be done out of turn; to announce the own last card one must think of oneself."""
        offered = [move for move in chances if move != ANNOUNCE]
        if not offered:
            return False
        what = self._paper.listed(self._telling.moves(offered))
        done = len(self.game.log)
        self._say(texts.YOU_CAN[self._language].format(what), "bold")
        within_s = None if self._unhurried else CHANCE_S
        self._keyboard.forget_typed()
        while len(self.game.log) == done:
            answer = self._ask(texts.LET_PASS[self._language], within_s)
            if self._is_enter(answer):
                return False
        return True

    def _my_turn(self) -> None:
        if self.game.undone or self.game.log[-1] != ("play", ME, ANNOUNCE):  # that changes nothing on the table
            self._show_table()
        done = len(self.game.log)
        self._keyboard.forget_typed()
        while len(self.game.log) == done:
            answer = self._ask(texts.PROMPT[self._language])
            if not self._is_enter(answer):
                continue
            move = self._obvious()
            if move is None:
                self._say(texts.WHAT[self._language])
            else:
                self._tell(self.game.play(ME, move))

    def _obvious(self) -> Move | None:
        """What Enter does in turn: the only thing that can be done, to pass after drawing, to go on after E-22."""
        legal = [move for move in self.game.legal_moves(ME) if move != ANNOUNCE]
        usual = next((move for move in (PASS, DONE) if move in legal), None)
        return legal[0] if len(legal) == 1 else usual

    def _show_table(self) -> None:
        seen, width = observe(self.game, ME), self._paper.width
        self._say("")
        self._show(rules_table.table(self.game, seen, self._shown, self._language, width))
        self._show(rules_table.hand(self.game.cards, seen, self._language, width))
        if self.game.turn == ME and not seen.demands:
            self._show_other_moves(seen.legal)

    def _show_other_moves(self, legal: Sequence[Move]) -> None:
        """What can be done beside laying a card; what Enter does stands first."""
        if DONE in legal:
            self._show_custom_card()
            return
        others = [move for move in legal if kind_of(move) > CANCEL and move != ANNOUNCE]
        obvious = self._obvious()
        if obvious in others:
            others.remove(obvious)
            enter = move_text(self.game, obvious, self._language, self._names)
            self._say(texts.ENTER[self._language].format(enter), "bold")
        if others:
            told = self._paper.listed(self._telling.moves(others))
            if others == [DRAW] and any(kind_of(move) <= CANCEL for move in legal):
                told = texts.RATHER_NOT[self._language].format(told)
            elif len(others) < len(legal):
                told = f"{texts.OR[self._language]} {told}"
            self._say(told, indent="     ")

    def _show_custom_card(self) -> None:
        """What to do about a customizable card (E-22), which nobody can know by heart."""
        if not str(self.game.options["custom-rule"]).strip():
            self._say(texts.NO_CUSTOM_RULE[self._language], indent="     ")
        somebody = self._shown[ME + 1]
        self._say(texts.CARRY_OUT[self._language].format(somebody, somebody), "bold", indent="     ")

    def _ask(self, prompt: str, within_s: float | None = None) -> str:
        return self._keyboard.ask(self._paper.spaced(prompt), within_s)

    def _round(self) -> str:
        return ROUND[self.game.game_id][self._language]

    def _is_enter(self, answer: str) -> bool:
        """Whether nothing was typed; otherwise it is carried out."""
        if not answer:
            return True
        command, rest = self._typed.command(answer)
        match command:
            case Command.HELP:
                lines = help_lines(self.game.game_id, self._language, self._paper.width)
                self._console.print("\n".join(lines), markup=False, highlight=False, soft_wrap=True)
            case Command.QUIT:
                if self._keeping.save(Path(rest).expanduser() if rest else None):
                    raise _Left
            case Command.UNDO:
                self._undo()
            case Command.SHOW:
                self._show_table()
            case Command.RULES:
                self._show_rules(rest)
            case None:
                self._move(answer)
        return False

    def _move(self, answer: str) -> None:
        """Do what was typed, or say why not."""
        if self.game.phase == IDLE:
            self._say(texts.ROUND_IS_OVER[self._language].format(self._round()), "red")
            return
        move = None
        try:
            said, move = self._typed.read(answer)
            legal = self.game.legal_moves(ME)
            if said and move in legal and ANNOUNCE in legal:
                self._tell(self.game.play(ME, ANNOUNCE))
            self._tell(self.game.play(ME, move))
            if said and ANNOUNCE in self.game.legal_moves(ME):  # more than one card went down, or it was out of turn
                self._tell(self.game.play(ME, ANNOUNCE))
        except (IllegalMove, NotationError) as error:
            self._say(self._telling.error(error, move), "red")

    def _undo(self) -> None:
        """Back to before the last move of the person."""
        log = self.game.log
        own = next((place for place in reversed(range(len(log))) if log[place][:2] == ("play", ME)), None)
        if own is None:
            self._say(texts.NOTHING_TO_UNDO[self._language])
            return
        move = move_text(self.game, log[own][2], self._language, self._names)
        while len(self.game.log) > own:
            self.game.undo()
        self._considered.clear()
        self._paying = None
        self._say(texts.TAKEN_BACK[self._language].format(move))

    def _show_rules(self, wanted: str) -> None:
        """The rules of a card in hand, of any card, by ID, or of the card on top."""
        try:
            parts = rules_asked(self.game, ME, wanted)
        except NotationError as error:
            self._say(self._telling.error(error), "red")
        else:
            Page(self._console, self._language, "").print(parts)

    # Saying

    def _tell(self, happened: Sequence[Event]) -> None:
        """Say what happened; a card that was laid brings new chances."""
        codes = {code for code, _, _ in happened}
        if events.PLAYED in codes:
            self._considered.clear()
        if codes & {events.PLAYED, events.CAUGHT, events.PENALISED, events.CHALLENGED}:
            self._paying = None
        if codes & {events.DEALER, events.RELOADED}:
            self._launcher.lid_was_open()
        for sentence in self._telling.events(happened):
            self._say(sentence)
