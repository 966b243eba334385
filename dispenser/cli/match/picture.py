"""The table of ``dispenser rules play`` as the terminal shows it: seats, the card on top, the hand. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.box import ROUNDED
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.panel import Panel
from rich.table import Table
from rich.text import Text as Styled

from dispenser.i18n import Text
from dispenser.rules import Game
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.moves import LAYING
from dispenser.rules.engine.observation import Observation
from dispenser.rules.engine.playing_cards import PLAYING_CARDS
from dispenser.rules.library import book_of
from dispenser.rules.words.cards import shape_of
from dispenser.rules.words.phrases import vocabulary_of

WIDEST: Final = 92
"""Characters in a line at most, however wide the terminal is."""

_FRAME: Final = 4
"""Columns that the frame of the table takes."""

_COLOURS: Final = ("red", "yellow", "green", "bright_blue")
_SUITS: Final = ("green", "yellow", "red", "bright_blue")
_WILD: Final = "magenta"


def card(cards: CardSet, kind: int, language: str) -> Styled:
    """A card with the shape and the letter of its colour: nobody needs to see colours to tell them apart."""
    return _with_sign(cards, cards.colour[kind], cards.names[kind][language])


def _with_sign(cards: CardSet, colour: int, words: str) -> Styled:
    style = _WILD if colour < 0 else (_SUITS if cards is PLAYING_CARDS else _COLOURS)[colour]
    return Styled(f"{shape_of(cards, colour)} {words}", style)


def card_list(cards: CardSet, kinds: Iterable[int], language: str) -> list[Styled]:
    """Some cards, in order."""
    return [card(cards, kind, language) for kind in sorted(kinds)]


def flow(lead: Styled, pieces: Sequence[Styled], between: str, width: int) -> Styled:
    """The pieces one after the other, each whole on its line: rich would break a card in two."""
    told, column = lead.copy(), lead.cell_len
    for number, piece in enumerate(pieces):
        gap = between if number else ""
        if column and column + len(gap.rstrip()) + piece.cell_len + len(gap) > width:
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


def table(game: Game, seen: Observation, names: Sequence[str], language: str, width: int) -> RenderableType:
    """The seats, and what lies in the middle."""
    width = min(width, WIDEST)
    seats = flow(Styled(), _seats(seen, names, language), "  ", width - _FRAME)
    middle = flow(Styled(), list(_middle(game, seen, language)), " · ", width - _FRAME)
    return Panel(
        Group(seats, middle),
        title=f"{book_of(game.game_id).name[language]} · {vocabulary_of(game).round[language]} {seen.round}",
        title_align="left",
        subtitle=Text("? help")[language],
        subtitle_align="right",
        box=ROUNDED,
        width=width,
        padding=(0, 1),
    )


def _seats(seen: Observation, names: Sequence[str], language: str) -> list[Styled]:
    """Every seat in the order of the table: whose turn it is, cards in hand, who has announced, points."""
    pieces = []
    for seat, name in enumerate(names):
        out = seat in seen.gone
        size = Text("out")[language] if out else str(seen.sizes[seat])
        score = f" ({_figure(seen.scores[seat])})" if any(seen.scores) else ""
        told = f"{'▶' if seat == seen.turn else ''}{name} {size}{score}".replace(" ", "\u00a0")
        pieces.append(Styled(told, "bold" if seat == seen.turn else "dim" if out else ""))
        if seat in seen.announced:
            pieces[-1].append("!", "bold red")
    return pieces


def _middle(game: Game, seen: Observation, language: str) -> Iterable[Styled]:
    cards = game.state.cards
    line = Styled(Text("On top: ")[language] + ("" if seen.talon else "—"))
    yield line
    if seen.talon:
        lying = seen.talon[-1]
        top = card(cards, lying, language)
        top.stylize("bold")
        line.append_text(top)
        if seen.top != lying and 0 <= seen.top < cards.kinds and cards.is_wild(lying):
            line.append(f" {Text('as')[language]} ").append_text(card(cards, seen.top, language))
        if seen.colour != cards.colour[lying] and seen.colour >= 0:
            colour = _with_sign(cards, seen.colour, cards.colour_names[seen.colour][language])
            colour.stylize("bold")
            yield colour.append(f" {Text('in force')[language]}", "default")
    yield from (Styled(said[language], "bold") for said in vocabulary_of(game).in_force(seen))
    yield Styled((Text("to the left ↻") if seen.direction > 0 else Text("to the right ↺"))[language])
    where = Text("in the launcher") if game.state.draws is Owed.PRESSES else Text("to draw")
    yield Styled(f"{seen.pile_size} {where[language]}")


def hand(cards: CardSet, seen: Observation, language: str, width: int) -> RenderableType:
    """The own cards, sorted and numbered: those that can be laid are bright, with their number in brackets."""
    playable = {move.card for move in seen.legal if move.act in LAYING}
    cells = []
    for number, kind in enumerate(seen.hand, start=1):
        face, style = card(cards, kind, language), "bold" if kind in playable else "dim"
        face.stylize(style)
        told = f"[{number}]" if kind in playable else f"{number} "
        cells.append(Styled.assemble((told.rjust(4), style), " ", face, no_wrap=True))
    heading = Styled(f"{Text('Your hand')[language]} ({len(seen.hand)})", "bold")
    return Group(heading, Constrain(Columns(cells, padding=(0, 2, 0, 0), equal=True), min(width, WIDEST)))


def scores(game: Game, names: Sequence[str], language: str) -> RenderableType:
    """What was left in the hands, and the points of the match."""
    state, rows = game.state, Table(box=None, pad_edge=False, padding=(0, 2, 0, 2))
    rows.add_column("")
    for heading in (Text("in hand"), Text("total")):
        rows.add_column(heading[language], justify="right")
    for seat, name in enumerate(names):
        style = "bold" if seat in state.winners else "dim" if seat in state.losers else ""
        rows.add_row(name, _figure(state.points[seat]), _figure(state.scores[seat]), style=style)
    return rows


def ranking(order: Sequence[int], names: Sequence[str]) -> RenderableType:
    """Who came in at which place."""
    rows = Table.grid(padding=(0, 2, 0, 0))
    for place, seat in enumerate(order, start=1):
        rows.add_row(f"{place}.".rjust(4), names[seat], style="bold" if place == 1 else "")
    return rows


def _figure(points: int) -> str:
    return str(points).replace("-", "−")
