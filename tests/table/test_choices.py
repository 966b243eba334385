"""Every legal move is a button, once; each says what it sends; nobody's cards stand on another's phone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dispenser.i18n import LANGUAGES
from dispenser.rules import Game
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import LAYING, Act, Move, lay
from dispenser.rules.engine.record import notes_of
from dispenser.rules.registry import GAMES
from dispenser.rules.words.cards import PLAYING_CARD_WORDS
from dispenser.rules.words.narrator import Narrator
from dispenser.table.card_picker import capital, card_of, colour_of, faces_of
from dispenser.table.choices import NEAR_ONE, choices, hand, penalties
from tests.rules.tables import card, deal
from tests.table.buttons import NAMES, cards_in, leaves, match, played, sent, taps

LONGEST = 32


def refused(game: Game, seat: int, kind: int, language: str = "en") -> tuple[str, str]:
    """The rule and the sentence with which the game itself refuses that card."""
    with pytest.raises(IllegalMove) as error:
        game.play(seat, next(iter(game.state.ways[seat][kind]), lay(kind)))
    return error.value.rule, f"{capital(Narrator(game, language, NAMES).reason(error.value))}."


def offered(game: Game, seat: int) -> list[Move]:
    """The legal moves, without "UNO" where no card can be laid that it would be said for, or hardly any."""
    moves = game.legal_moves(seat)
    far = game.state.hidden and game.state.sizes[seat] > NEAR_ONE
    lays = any(move.act in LAYING for move in moves) and not far
    pointless = seat == game.turn and seat not in game.state.exposed and not lays
    return [move for move in moves if not (pointless and move.act is Act.ANNOUNCE)]


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
@pytest.mark.parametrize("game_id", GAMES)
def test_every_legal_move_is_one_button_and_each_button_a_legal_move(game_id: str, hidden: bool) -> None:
    game = match(game_id, hidden=hidden)
    notes = notes_of(game.state.cards)
    for random in played(game, 3):
        for seat in range(game.seats):
            turn, always = choices(game, seat, random.choice(LANGUAGES), NAMES)
            read = [notes.read(sent(leaf)) for leaf in leaves([*turn, *always]) if "send" in leaf]
            assert all(action.deed is Deed.PLAY and action.seat == seat for action in read)
            moves: list[Move] = [action.value for action in read]
            assert len(moves) == len(set(moves))
            assert set(moves) == set(offered(game, seat))


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
@pytest.mark.parametrize("game_id", GAMES)
def test_labels_are_short_and_differ(game_id: str, hidden: bool) -> None:
    game = match(game_id, hidden=hidden)
    long: set[str] = set()
    seen = 0

    def look(tree: Sequence[dict[str, Any]]) -> None:
        nonlocal seen
        labels = [choice["label"] for choice in tree]
        assert len(labels) == len(set(labels)), labels
        assert all(labels)
        seen += len(labels)
        long.update(label for label in labels if len(label) > LONGEST)
        for choice in tree:
            look(choice.get("next", ()))

    for _ in played(game, 11):
        for seat in range(game.seats):
            for language in LANGUAGES:
                for tree in choices(game, seat, language, NAMES):
                    look(tree)
    assert seen
    assert not long, long


@pytest.mark.parametrize("game_id", GAMES)
def test_a_plain_card_of_a_hidden_hand_takes_two_taps(game_id: str) -> None:
    game = match(game_id, hidden=True)
    notes = notes_of(game.state.cards)
    looked = 0
    for _ in played(game, 13):
        turn, _ = choices(game, game.turn, "en", NAMES) if game.turn >= 0 else ([], [])
        for move in game.legal_moves(game.turn):
            plain = move.card is not None and not game.state.cards.is_wild(move.card)
            if plain and move.colour is None and move.act is Act.LAY:
                assert taps(turn, notes.write(Action(Deed.PLAY, game.turn, move))) <= 2
                looked += 1
    assert looked > 100


@pytest.mark.parametrize("game_id", GAMES)
def test_a_card_against_the_rules_stands_dim_among_the_others_and_says_why(game_id: str) -> None:
    game = match(game_id, hidden=True)
    looked = 0
    for _ in played(game, 17, 80):
        seat = game.turn
        turn, _ = choices(game, seat, "en", NAMES) if seat >= 0 else ([], [])
        shown = [*leaves(turn)]
        kinds = set(cards_in(turn))
        if any(move.act in LAYING for move in game.legal_moves(seat)) and not game.demand:
            assert len(kinds) == len(set(game.state.deck()))
        for leaf in shown:
            if "send" not in leaf:
                kind = card(game.state.cards, leaf["card"]["name"])
                assert (leaf["rule"], leaf["hint"]) == refused(game, seat, kind)
                looked += 1
    assert looked > 100


@pytest.mark.parametrize("game_id", GAMES)
def test_an_open_hand_shows_each_card_with_the_moves_that_lay_it(game_id: str) -> None:
    game = match(game_id, hidden=False)
    notes = notes_of(game.state.cards)
    for _ in played(game, 19):
        for seat in range(game.seats):
            shown = hand(game, seat, "fr", NAMES)
            names = [game.state.cards.names[kind].en for kind in game.observe(seat).hand]
            assert [each["card"]["name"] for each in shown] == names
            for each, kind in zip(shown, game.observe(seat).hand, strict=True):
                if "hint" in each:
                    assert (each["rule"], each["hint"]) == refused(game, seat, kind, "fr")
            turn, always = choices(game, seat, "fr", NAMES, cards=False)
            in_hand = {str(each["choice"]): each["choice"] for each in shown if each["choice"]}
            every = [*leaves([*turn, *always]), *(leaf for each in in_hand.values() for leaf in leaves([each]))]
            moves = [notes.read(sent(leaf)).value for leaf in every]
            assert sorted(map(str, moves)) == sorted(map(str, offered(game, seat)))


def labels(tree: Sequence[dict[str, Any]]) -> list[str]:
    return [choice["label"] for choice in tree]


def test_a_hidden_hand_is_a_tree_of_colours_and_symbols_with_all_that_a_card_asks_for() -> None:
    game = match("uno-extreme", hidden=True)
    game.begin(dealer=3, first=card(game.state.cards, "red 7"))
    turn, always = choices(game, 0, "fr", NAMES, launcher_draws=True)
    assert labels(turn) == ["Rouge", "Jaune", "Vert", "Bleu", "Jokers"]
    assert labels(turn[3]["next"])[6:11] == ["7", "8", "9", "Appuyer 2 fois", "Inversion"]
    hit = next(choice for choice in turn[4]["next"] if choice["card"]["name"] == "extreme hit")
    assert [choice["colour"]["letter"] for choice in hit["next"]] == ["R", "J", "V", "B"]
    assert labels(hit["next"][2]["next"]) == ["Bob", "Chloé", "Zoé"]
    assert (hit["asks"], hit["next"][2]["asks"]) == ("Quelle couleur\u00a0?", "Qui\u00a0?")
    assert labels(always) == [], "a Discard All may leave one card, but hardly with seven"


def test_where_the_push_says_it_no_button_draws() -> None:
    game = match("uno-extreme", hidden=True)
    game.begin(dealer=3, first=card(game.state.cards, "red 7"))
    with_button, without = (choices(game, 0, "en", NAMES, launcher_draws=says)[0] for says in (False, True))
    assert labels(with_button)[-1] == "Press"
    assert with_button[:-1] == without
    exact = match("uno", hidden=True)
    exact.begin(dealer=3, first=card(exact.state.cards, "red 7"))
    assert labels(choices(exact, 0, "en", NAMES, launcher_draws=True)[0])[-1] == "Draw"


def test_few_ways_stand_side_by_side() -> None:
    game = deal("uno", ["wild, blue 3", "red 2, red 3", "red 4, red 5"], "green 9")
    turn, always = choices(game, 0, "en", NAMES)
    assert labels(turn) == ["Wild: Red", "Wild: Yellow", "Wild: Green", "Wild: Blue", "Draw"]
    assert labels(always) == ["UNO!"]
    assert turn[0]["card"]["name"] == "wild"
    assert turn[4]["kind"] == "main"


def test_who_forgot_it_is_caught_whatever_else_is_being_chosen() -> None:
    game = deal("uno", ["green 2, blue 3", "red 2, green 3", "red 4, red 5"], "green 9")
    game.play(0, lay(card(game.state.cards, "green 2")))
    assert labels(choices(game, 1, "fr", NAMES)[1]) == ["UNO\u00a0!", "Léa n’a pas dit «\u00a0UNO\u00a0!\u00a0»"]
    assert labels(choices(game, 0, "en", NAMES)[1]) == ["UNO!"]


def test_two_hands_that_swap_are_two_taps_at_most() -> None:
    game = deal("uno-vache", ["white, red 3, red 4", "blue 3", "blue 4", "blue 5", "green 2"], "red 9", white=1)
    game.play(4, Move(Act.CHOOSE_DIRECTION, direction=1))
    shown = next(each for each in hand(game, 0, "en", (*NAMES, "Ana")) if each["card"]["name"] == "white")
    assert labels(shown["choice"]["next"])[:2] == ["Léa ↔ …", "Bob ↔ …"]
    assert labels(shown["choice"]["next"][2]["next"]) == ["Chloé ↔ Zoé", "Chloé ↔ Ana"]


def test_what_the_table_declares_says_its_rule_and_what_it_costs() -> None:
    game = deal("uno", ["green 2, blue 3", "red 2, green 3", "red 4, red 5"], "green 9")
    declared = penalties(game, 1, "fr")
    assert [(each["rule"], each["hint"]) for each in declared] == [("U-18", "4 cartes")]
    game.attempt(notes_of(game.state.cards).read(sent(declared[0])))
    assert game.demand is not None
    assert game.demand.payer == 1
    assert not penalties(match("uno", hidden=True), 1, "fr")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", GAMES)
def test_each_colour_has_a_letter_of_its_own_and_each_card_its_face(game_id: str, language: str) -> None:
    game = match(game_id, hidden=True)
    colours = [colour_of(game, colour, language) for colour in range(4)]
    assert len({str(colour and colour["letter"]) for colour in colours}) == 4
    shown = [card_of(game, kind, language) for kind in range(game.state.cards.kinds)]
    assert len({str((each["symbol"], each["colour"])) for each in shown if each}) == len(shown)
    assert all(len(each["symbol"]) <= 2 for each in shown if each)
    assert card_of(game, game.state.unknown, language) is None
    assert colour_of(game, -1, language) is None


def test_french_players_have_a_king_of_their_own() -> None:
    assert faces_of(PLAYING_CARD_WORDS, "fr").cards[12]["symbol"] == "R"
