"""Buttons for what a seat may do now, made from the legal moves alone.

A card from a hidden hand is picked by colour, then symbol; what the card asks for (a colour, a seat, the card that a
joker stands for) is a submenu of it. Levels are skipped where few choices remain. Buttons are shared between views:
do not modify them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final

from dispenser.i18n import Text
from dispenser.rules import Game
from dispenser.rules.engine import refusals
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import LAYING, Act, Move, lay
from dispenser.rules.engine.phases import IN_ROUND
from dispenser.rules.engine.record import notes_of
from dispenser.rules.engine.rules import Reason
from dispenser.rules.words.narrator import Narrator
from dispenser.rules.words.phrases import PRESSES, SIDES, Name, phrases_of, seat_text, vocabulary_of
from dispenser.rules.words.sentences import CARDS
from dispenser.rules.words.vocabulary import Vocabulary
from dispenser.table.card_picker import Choice, capital, faces_of, kinds_of

NEAR_ONE: Final = 3
"""Referee, where one move may lay several cards: hand size up to which UNO may be announced before the lay."""
FEW: Final = 4  # Up to this number, legal lays are shown without levels
_FEW_PAIRS: Final = 6  # Up to this number, pairs of seats are listed flat: all those of four players

_SAYING: Final = frozenset({Act.ANNOUNCE, Act.RETRACT, Act.CATCH, Act.CATCH_RETRACT})
_MAIN: Final = frozenset({Act.DRAW, Act.PASS, Act.TAKE, Act.DONE})  # Moves of a player who lays nothing
_PARTS: Final = ("stands_for", "colour", "direction", "seat", "other", "presses")
"""Parts of a move that may need a choice, in the order in which they are asked."""

_ASKS: Final = {
    "stands_for": Text("Which card does it stand for?"),
    "colour": Text("Which {colour}?"),
    "direction": Text("Which way round?"),
    "seat": Text("Who?"),
    "other": Text("Who?"),
    "presses": Text("How many presses?"),
}
"""Question shown above a submenu, by the part of the move that it chooses."""
_SAID: Final = Text("{word}!")
_FORGOT: Final = Text("{name} forgot to say “{word}!”")
_TAKE: Final = Text("Take {number}")
OU_PAS: Final = "OU PAS"


def act(cards: CardSet, deed: Deed, seat: int | None, value: Any) -> dict[str, Any]:
    """Return the command that a phone sends for an action of the game."""
    return {"do": "act", "action": notes_of(cards).write(Action(deed, seat, value))}


@cache
def _played(cards: CardSet, seat: int, move: Move) -> dict[str, Any]:
    """Return the command for a move, cached: few different moves occur, many times each."""
    return act(cards, Deed.PLAY, seat, move)


class Buttons:
    """Builds buttons for one game in one language; ``names`` are the players' names by seat."""

    def __init__(self, vocabulary: Vocabulary, names: tuple[Name, ...], language: str) -> None:
        self.faces: Final = faces_of(vocabulary.cards, language)
        self._set = vocabulary.cards.cards
        self._words = vocabulary
        self._names = names
        self._language = language

    def move(self, game: Game, seat: int, move: Move) -> Choice:
        """Return the button of a single move that is not a lay in turn."""
        language, act_ = self._language, move.act
        if act_ in _SAYING:
            return self._call(seat, move)
        text = (
            _TAKE.filled(number=game.state.to_take()) if act_ is Act.TAKE else phrases_of(game, self._names).text(move)
        )
        shown: Choice = {"label": capital(text[language])}
        if act_ in _MAIN:
            shown["kind"] = "main"
        return self._leaf(shown, seat, move)

    def _call(self, seat: int, move: Move) -> Choice:
        """Return the button of an announcement, one's own or against a player who forgot it."""
        word = OU_PAS if move.act in {Act.RETRACT, Act.CATCH_RETRACT} else self._words.announcement
        text = _SAID.filled(word=word) if move.seat is None else _FORGOT.filled(name=self._name(move.seat), word=word)
        return self._leaf({"label": text[self._language], "kind": "call"}, seat, move)

    def several(self, shown: Choice, seat: int, moves: Sequence[Move]) -> Choice:
        """Return one button for similar moves; its submenu asks for what they differ in."""
        if len(moves) == 1:
            return self._leaf(shown, seat, moves[0])
        asks = _ASKS[_part_of(moves)].filled(colour=self._words.cards.colour)[self._language]
        return {**shown, "asks": asks, "next": self.ways(seat, moves)}

    def ways(self, seat: int, moves: Sequence[Move]) -> list[Choice]:
        """Return a button for each value of the first part in which the moves differ."""
        if moves[0].other is not None and len(moves) <= _FEW_PAIRS:
            return [self._leaf({"label": self._pair(move.seat, move.other)}, seat, move) for move in moves]
        part = _part_of(moves)
        groups = _by(moves, part)
        if part == "stands_for":
            return self.faces.pick(groups, lambda kind, label: self._stands(kind, label, seat, groups[kind]))
        return [self.several(self._part(part, value, group[0]), seat, group) for value, group in groups.items()]

    def _stands(self, kind: int, label: str, seat: int, moves: Sequence[Move]) -> Choice:
        return self.several({"label": label, "card": self.faces.cards[kind]}, seat, moves)

    def _part(self, part: str, value: int, move: Move) -> Choice:
        """Return the label data of a button for one value of one part of a move."""
        language = self._language
        if part == "colour":
            return self.faces.colour_button(value)
        if part == "direction":
            return {"label": Text("To the {side}").filled(side=SIDES[value])[language]}
        if part == "presses":
            return {"label": PRESSES.filled(number=value)[language]}
        if move.presses is not None:
            return {"label": Text("Presses for {name}").filled(name=self._name(value))[language]}
        if move.other is not None:
            return {"label": self._pair(move.seat, None if part == "seat" else value)}
        return {"label": self._name(value)[language]}

    def _pair(self, one: int | None, other: int | None) -> str:
        names = ("…" if seat is None else self._name(seat)[self._language] for seat in (one, other))
        return " ↔ ".join(names)

    def _leaf(self, shown: Choice, seat: int, move: Move) -> Choice:
        return {**shown, "send": _played(self._set, seat, move)}

    def _name(self, seat: int) -> Text:
        return seat_text(seat, self._names)

    def card(self, kind: int, label: str, seat: int, moves: Sequence[Move]) -> Choice:
        """Return the button of a card that can be laid, with its submenu."""
        return self.several({"label": label, "card": self.faces.cards[kind]}, seat, moves)

    def out_of_turn(self, kind: int, seat: int, moves: Sequence[Move]) -> Choice:
        """Return the button of a card that jumps in, or that cancels an effect meant for another seat."""
        text = Text("Jump in: {card}") if moves[0].act is Act.JUMP_IN else Text("Block with: {card}")
        label = text.filled(card=self._set.names[kind])[self._language]
        return {**self.card(kind, label, seat, moves), "kind": "call"}

    def flat(self, choices: Iterable[Choice]) -> list[Choice]:
        """Flatten submenus into single buttons with labels such as ``Wild: Green``."""
        told: list[Choice] = []
        for choice in choices:
            if "next" not in choice:
                told.append(choice)
                continue
            shown = {key: value for key, value in choice.items() if key not in {"label", "next"}}
            for then in self.flat(choice["next"]):
                label = Text("{first}: {then}").filled(first=choice["label"], then=then["label"])[self._language]
                told.append({**shown, **then, **({"card": shown["card"]} if "card" in shown else {}), "label": label})
        return told


@lru_cache(maxsize=128)  # few entries are shared: names differ per table
def _buttons(vocabulary: Vocabulary, names: tuple[Name, ...], language: str) -> Buttons:
    return Buttons(vocabulary, names, language)


def buttons_of(game: Game, language: str, names: Sequence[Name] = ()) -> Buttons:
    """Return the cached buttons of a game; ``names`` are the players' names by seat."""
    return _buttons(vocabulary_of(game), tuple(names), language)


def choices(
    game: Game,
    seat: int,
    language: str,
    names: Sequence[Name] = (),
    *,
    cards: bool = True,
    launcher_draws: bool = False,
) -> tuple[list[Choice], list[Choice]]:
    """Return the buttons of the seat's turn, and those that are always available.

    :param cards: include the lays of the turn; false where ``hand`` shows the cards.
    :param launcher_draws: omit the draw button, because a press of the launcher means not to play (E-14).
    """
    buttons, in_turn = buttons_of(game, language, names), _in_turn(game, seat)
    laid, asked, others, always = _sorted(game, seat, in_turn=in_turn)
    turn: list[Choice] = []
    if cards and laid:
        find = _among_all if game.state.hidden else _by_name
        turn = find(game, seat, language, buttons, laid)
    if asked:
        turn += buttons.ways(seat, asked) if len(asked) > 1 else [buttons.move(game, seat, asked[0])]
    skips = launcher_draws and game.state.draws is Owed.PRESSES
    turn += [buttons.move(game, seat, move) for move in others if not (skips and move.act is Act.DRAW)]
    return turn, _always(game, seat, buttons, always)


def _always(game: Game, seat: int, buttons: Buttons, moves: Sequence[Move]) -> list[Choice]:
    """Return buttons for announcements and for lays out of turn."""
    laid = _by_card(move for move in moves if move.act in LAYING)
    said = [buttons.move(game, seat, move) for move in moves if move.act not in LAYING]
    return said + [buttons.out_of_turn(kind, seat, ways) for kind, ways in laid.items()]


def hand(game: Game, seat: int, language: str, names: Sequence[Name] = ()) -> list[dict[str, Any]]:
    """Return the seat's own cards, sorted, one entry per copy, with its button or, in turn, why it has none."""
    buttons, in_turn = buttons_of(game, language, names), _in_turn(game, seat)
    laid = _sorted(game, seat, in_turn=in_turn)[0]
    why = _reasons(game, seat, language) if in_turn else lambda _kind: {}
    shown: list[dict[str, Any]] = []
    for kind, count in enumerate(game.state.hands[seat][: game.state.unknown]):
        if count:
            ways = laid.get(kind)
            card = {
                "card": buttons.faces.cards[kind],
                "choice": buttons.card(kind, buttons.faces.names[kind], seat, ways) if ways else None,
            }
            shown += [card if ways else {**card, **why(kind)}] * count
    return shown


def penalties(game: Game, seat: int, language: str) -> list[Choice]:
    """Return the penalties that the table can declare against a seat, with rule and cost."""
    state = game.state
    if state.phase not in IN_ROUND or not state.talon or not state.is_in(seat) or seat == state.going_out:
        return []
    owed = PRESSES if state.draws is Owed.PRESSES else CARDS
    names = vocabulary_of(game).offences
    return [
        {
            "label": capital(names[offence][language]),
            "kind": "danger",
            "rule": rule,
            "hint": owed.filled(number=number)[language],
            "send": act(state.cards, Deed.PENALISE, seat, offence),
        }
        for offence, (rule, number) in game.offences.items()
    ]


Ways = dict[int, list[Move]]  # Legal lays by card kind


def _in_turn(game: Game, seat: int) -> bool:
    return seat == game.turn and game.demand is None and game.question is None


def _sorted(game: Game, seat: int, *, in_turn: bool) -> tuple[Ways, list[Move], list[Move], list[Move]]:
    """Sort legal moves into lays of the turn, moves chosen from a list, single moves, and moves always available."""
    laid: Ways = {}
    asked: list[Move] = []
    others: list[Move] = []
    always: list[Move] = []
    for move in game.legal_moves(seat):
        if in_turn and move.card is not None and move.act is not Act.JUMP_IN:
            laid.setdefault(move.card, []).append(move)
        elif move.act is Act.EFFECT or (in_turn and move.act in {Act.NAME, Act.STAND, Act.CHOOSE_DIRECTION}):
            asked.append(move)
        elif not in_turn or move.act in _SAYING or move.act is Act.JUMP_IN:
            always.append(move)
        else:
            others.append(move)
    state = game.state
    early = not laid or (state.hidden and state.sizes[seat] > NEAR_ONE)  # a hidden hand might be left with one card
    if in_turn and early and seat not in state.exposed:
        always = [move for move in always if move.act is not Act.ANNOUNCE]
    return laid, asked, others, always


def _by_card(moves: Iterable[Move]) -> Ways:
    laid: Ways = {}
    for move in moves:
        if move.card is not None:
            laid.setdefault(move.card, []).append(move)
    return laid


def _part_of(moves: Sequence[Move]) -> str:
    return next((part for part in _PARTS if len(_by(moves, part)) > 1), _PARTS[-1])


def _by(moves: Sequence[Move], part: str) -> Ways:
    groups: Ways = {}
    for move in moves:
        value = getattr(move, part)
        if value is not None:
            groups.setdefault(value, []).append(move)
    return groups


def _by_name(_game: Game, seat: int, _language: str, buttons: Buttons, laid: Ways) -> list[Choice]:
    """Return buttons for the legal lays of a visible hand."""
    if sum(map(len, laid.values())) <= FEW:
        return buttons.flat(buttons.card(kind, buttons.faces.names[kind], seat, laid[kind]) for kind in sorted(laid))
    return buttons.faces.pick(laid, lambda kind, label: buttons.card(kind, label, seat, laid[kind]))


def _among_all(game: Game, seat: int, language: str, buttons: Buttons, laid: Ways) -> list[Choice]:
    """Return buttons for all cards of the game; illegal ones carry the rule that forbids them.

    If few are legal, they are listed first, and the others are behind one button.
    """
    faces, why = buttons.faces, _reasons(game, seat, language)
    few = sum(map(len, laid.values())) <= FEW

    def leaf(kind: int, label: str) -> Choice:
        if kind in laid:
            return buttons.card(kind, label, seat, laid[kind])
        return {"label": label, "card": faces.cards[kind], **why(kind)}

    if not few:
        return faces.pick(kinds_of(game), leaf)
    others = faces.pick((kind for kind in kinds_of(game) if kind not in laid), leaf)
    quiet = {"label": capital(Text("another card")[language]), "kind": "quiet", "next": others}
    return [*_by_name(game, seat, language, buttons, laid), quiet]


def _reasons(game: Game, seat: int, language: str) -> Callable[[int], Mapping[str, str]]:
    """Return a function that tells why a card kind cannot be laid, as ``hint`` and ``rule``."""
    narrator, state = Narrator(game, language), game.state
    told: dict[Reason, dict[str, str]] = {}

    def why(kind: int) -> Mapping[str, str]:
        reason = refusals.why_forbidden(state, seat, _laying(game, seat, kind))
        if reason not in told:
            said = narrator.reason(IllegalMove(*reason, seat=seat))
            told[reason] = {"hint": f"{capital(said)}.", "rule": reason[0]}  # the page links to the rule
        return told[reason]

    return why


def _laying(game: Game, seat: int, kind: int) -> Move:
    """Return a move that lays the card, legal or not."""
    ways = game.state.ways[seat][kind]
    return ways[0] if ways else lay(kind)
