"""The table of ``dispenser rules play`` as the terminal shows it: seats, the card on top, the hand. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.box import ROUNDED
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text as Styled

from dispenser.language import Text
from dispenser.rules import Game
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.moves import LAYING, Move
from dispenser.rules.engine.observation import Observation
from dispenser.rules.engine.playing_cards import PLAYING_CARDS
from dispenser.rules.library import book_of
from dispenser.rules.words.phrases import vocabulary_of

WIDEST: Final = 92
"""Characters in a line at most, however wide the terminal is."""

_FRAME: Final = 4
"""Columns that the frame of the table takes."""

_SHAPES: Final = ("●", "▲", "■", "◆")
_SUITS: Final = ("♣", "♦", "♥", "♠")
_COLOUR_STYLES: Final = ("red", "yellow", "green", "bright_blue")
_SUIT_STYLES: Final = ("green", "yellow", "red", "bright_blue")
_WILD: Final = ("★", "magenta")

_ON_TOP: Final = Text("On top: ")
_IN_FORCE: Final = Text("in force")
_AS: Final = Text("as")
_TO_LEFT: Final = Text("to the left ↻")
_TO_RIGHT: Final = Text("to the right ↺")
_PILE: Final = Text("to draw")
_IN_LAUNCHER: Final = Text("in the launcher")
_YOUR_HAND: Final = Text("Your hand")
_OUT: Final = Text("out")
_HELP_HINT: Final = Text("? help")
_HEADINGS: Final = (Text(""), Text("in hand"), Text("total"))


def card(cards: CardSet, kind: int, language: str) -> Styled:
    """A card with the shape and the letter of its colour: nobody needs to see colours to tell them apart."""
    colour = cards.colour[kind]
    shape, style = _sign(cards, colour)
    return Styled(f"{shape} {cards.names[kind][language]}", style)


def card_list(cards: CardSet, kinds: Iterable[int], language: str) -> list[Styled]:
    """Some cards, in order."""
    return [card(cards, kind, language) for kind in sorted(kinds)]


def flow(lead: Styled, pieces: Sequence[Styled], between: str, width: int) -> Styled:
    """The pieces one after the other, each whole on its line: rich would break a card in two."""
    told, column = lead.copy(), lead.cell_len
    for number, piece in enumerate(pieces):
        gap = between if number else ""
        if column + len(gap.rstrip()) + piece.cell_len + len(gap) > width and column > 0:
            told.append(f"{gap.rstrip()}\n")
            column = 0
        else:
            told.append(gap)
            column += len(gap)
        told.append_text(piece)
        column += piece.cell_len
    told.no_wrap = True
    told.overflow = "fold"
    return told


def _sign(cards: CardSet, colour: int) -> tuple[str, str]:
    if colour < 0:
        return _WILD
    suits = cards is PLAYING_CARDS
    return (_SUITS if suits else _SHAPES)[colour], (_SUIT_STYLES if suits else _COLOUR_STYLES)[colour]


def hand_numbers(seen: Observation) -> dict[int, int]:
    """The number that each kind of the hand is called by, from 1; cards alike count one each."""
    numbers: dict[int, int] = {}
    for number, kind in enumerate(seen.hand, start=1):
        numbers.setdefault(kind, number)
    return numbers


def playable(legal: Sequence[Move]) -> set[int]:
    """The kinds that can be laid now, in whichever way."""
    return {move.card for move in legal if move.act in LAYING and move.card is not None}


def table(game: Game, seen: Observation, names: Sequence[str], language: str, width: int) -> RenderableType:
    """The seats, and what lies in the middle."""
    width = min(width, WIDEST)
    title = f"{book_of(game.game_id).name[language]} · {vocabulary_of(game).round[language]} {seen.round}"
    return Panel(
        Group(_seats(seen, names, language, width - _FRAME), _middle(game, seen, language, width - _FRAME)),
        title=title,
        title_align="left",
        subtitle=_HELP_HINT[language],
        subtitle_align="right",
        box=ROUNDED,
        width=width,
        padding=(0, 1),
    )


def _seats(seen: Observation, names: Sequence[str], language: str, width: int) -> Styled:
    """Every seat in the order of the table: whose turn it is, cards in hand, who has announced, points."""
    pieces = []
    for seat, name in enumerate(names):
        in_turn = seat == seen.turn
        style = "bold" if in_turn else "dim" if seat in seen.gone else ""
        size = _OUT[language] if seat in seen.gone else str(seen.sizes[seat])
        told = f"{'▶' if in_turn else ''}{name}\u00a0{size}"
        if any(seen.scores):
            told += f"\u00a0({seen.scores[seat]})".replace("-", "−")
        pieces.append(Styled(told.replace(" ", "\u00a0"), style))
        if seat in seen.announced:
            pieces[-1].append("!", "bold red")
    return flow(Styled(), pieces, "  ", width)


def _middle(game: Game, seen: Observation, language: str, width: int) -> Styled:
    cards = game.state.cards
    line = Styled(_ON_TOP[language])
    pieces = [line]
    if seen.talon:
        lying = seen.talon[-1]
        top = card(cards, lying, language)
        top.stylize("bold")
        line.append_text(top)
        if seen.top != lying and 0 <= seen.top < cards.kinds and cards.is_wild(lying):
            line.append(f" {_AS[language]} ").append_text(card(cards, seen.top, language))
        if seen.colour != cards.colour[lying] and seen.colour >= 0:
            shape, style = _sign(cards, seen.colour)
            pieces.append(Styled(f"{shape} {cards.colour_names[seen.colour][language]}", f"bold {style}"))
            pieces[-1].append(f" {_IN_FORCE[language]}", "not bold default")
    else:
        line.append("—")
    pieces += [Styled(said[language], "bold") for said in vocabulary_of(game).in_force(seen)]
    pieces.append(Styled((_TO_LEFT if seen.direction > 0 else _TO_RIGHT)[language]))
    where = _IN_LAUNCHER if game.state.draws is Owed.PRESSES else _PILE
    pieces.append(Styled(f"{seen.pile_size} {where[language]}"))
    return flow(Styled(), pieces, " · ", width)


def hand(cards: CardSet, seen: Observation, language: str, width: int) -> RenderableType:
    """The own cards, sorted and numbered: those that can be laid are bright, with their number in brackets."""
    legal = playable(seen.legal)
    cells = [_numbered(cards, kind, number, language, kind in legal) for number, kind in enumerate(seen.hand, start=1)]
    widest = max((cell.cell_len for cell in cells), default=1)
    columns = max(1, (min(width, WIDEST) - 2) // (widest + 2))
    rows = -(-len(cells) // columns)
    grid = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(columns):
        grid.add_column(min_width=widest, no_wrap=True)
    for row in range(rows):
        grid.add_row(*cells[row * columns : (row + 1) * columns])
    return Group(Styled(f"{_YOUR_HAND[language]} ({len(seen.hand)})", "bold"), grid)


def _numbered(cards: CardSet, kind: int, number: int, language: str, bright: bool) -> Styled:
    face = card(cards, kind, language)
    if bright:
        face.stylize("bold")
        return Styled.assemble((f"[{number}]".rjust(4), "bold"), " ", face)
    face.stylize("dim")
    return Styled.assemble((f"{number} ".rjust(4), "dim"), " ", face)


def scores(game: Game, names: Sequence[str], language: str) -> RenderableType:
    """What was left in the hands, and the points of the match."""
    rows = Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    for heading in _HEADINGS:
        rows.add_column(heading[language], justify="right" if heading.en else "left")
    for seat, name in enumerate(names):
        figures = (str(game.state.points[seat]), str(game.state.scores[seat]))
        style = "bold" if seat in game.state.winners else "dim" if seat in game.state.losers else ""
        rows.add_row(name, *(figure.replace("-", "−") for figure in figures), style=style)
    return rows


def ranking(order: Sequence[int], names: Sequence[str]) -> RenderableType:
    """Who came in at which place."""
    rows = Table.grid(padding=(0, 2, 0, 0))
    for place, seat in enumerate(order, start=1):
        rows.add_row(f"{place}.".rjust(4), names[seat], style="bold" if place == 1 else "")
    return rows
