"""What happens at the table, in sentences: events, demands, questions and errors, in English and French.

A sentence about the listener is in the second person: ``Telling(game, "fr", names, you=0)`` says « Tu pioches
2 cartes. »
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dispenser.rules import events, reasons, sentences
from dispenser.rules.book.entry import Text
from dispenser.rules.card_words import HIDDEN_CARD, with_article
from dispenser.rules.cards import PLAYING_CARDS
from dispenser.rules.errors import IllegalMove
from dispenser.rules.events import Event
from dispenser.rules.game import Game
from dispenser.rules.grouping import group_moves
from dispenser.rules.library import RULES
from dispenser.rules.moves import (
    CANCEL,
    CATCH,
    CATCH_RETRACT,
    DRAW,
    JUMP_IN,
    Move,
    card_of,
    first_choice,
    kind_of,
    second_choice,
)
from dispenser.rules.notation import NotationError
from dispenser.rules.phrases import AIM, STAND_FOR, SWAP, Name, Vocabulary, asked_by, seat_text
from dispenser.rules.state import PRESSES, Demand, Question

_VERB: Final = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
_FRENCH_SIGNS: Final = re.compile(r" (?=[:;!?»])|(?<=«) ")
_ARTICLE: Final = re.compile(r"(?:an?|une?) ")


class Telling:
    """Says in one language what happens in a game.

    :param names: of the players, by seat; without them they are called by their seats.
    :param you: the seat of the one who listens, if it is one of the players.
    """

    def __init__(self, game: Game, language: str, names: Sequence[Name] = (), you: int = -1) -> None:
        self._game = game
        self._language = language
        self._names = tuple(names)
        self._you = you

    def event(self, event: Event) -> str:
        """One event as a sentence.

        :raises LookupError: there is no such event.
        """
        code, seat, value = event
        if code == events.PLAYED:
            return self._played(seat, value)
        if code == events.STOOD:
            return self._stood(seat, value)
        if code == events.CAUGHT:
            return self._caught(seat, value)
        if (code == events.CANCELLED and value >= 0) or (code == events.SWAPPED and value == self._you):
            seat, value = value, seat
        return self._say(self._template(code, seat, value), seat, **self._details(code, value))

    def _template(self, code: int, seat: int, value: int) -> Text:
        """The words for an event; some depend on its value, others on the game."""
        game = self._game
        if code == events.AGAIN and game.game_id == "151":  # C-10; a 10 in huit américain must be covered (H-08)
            return sentences.MAY_PLAY_AGAIN
        if code == events.DREW and game.draw_kind == PRESSES:  # somebody else has pressed (E-21)
            return sentences.TAKES
        if code == events.RULE_SHOWN and self._rule_of_the_table():
            return sentences.CARD_SAYS
        return (
            sentences.OTHERWISE.get((code, value))
            or (sentences.NOBODY.get(code) if seat < 0 else None)
            or sentences.EVENTS[code]
        )

    def events(self, happened: Sequence[Event]) -> list[str]:
        """What an action brought about, but for what the next sentence says anyway: whose turn it is, what is owed.

        Where nothing is counted there are no rounds, but places.
        """
        left_out = {events.TURN, events.OWES} if self._game.values() else {events.TURN, events.OWES, events.ROUND_ENDED}
        told: list[str] = []
        discarded: list[str] = []
        for code, seat, value in happened:
            if code == events.DISCARDED:
                discarded.append(self.card(value))
            elif code not in left_out:
                told.append(self.event((code, seat, value)))
        if discarded:
            seat = next(seat for code, seat, _ in happened if code == events.DISCARDED)
            told.insert(1, self._say(sentences.EVENTS[events.DISCARDED], seat, card=self._listed(discarded)))
        return told

    def demand(self, demand: Demand, *, more: bool = False) -> str:
        """Who has to press or draw now: ``Ana must press twice.``

        :param more: a part of it has been paid: ``Ana must press once more.``
        """
        told = self._owing(demand, more=more, adverb=sentences.STILL if more else None)
        return told[:1].upper() + told[1:]

    def _owing(self, demand: Demand, *, more: bool = False, adverb: Text | None = None) -> str:
        kind, payer, receiver, number, rule, penalty = demand
        return self._say_part(
            sentences.MUST_PRESS if kind == PRESSES else sentences.MUST_DRAW,
            payer,
            times=self._times(number, more=more),
            number=self._cards(number, more=more),
            target=self._say_part(Text(" for {other}", " pour {other}"), receiver) if receiver != payer else "",
            adverb=adverb[self._language] if adverb else "",
            why=sentences.PENALTY[self._language] if penalty and rule not in sentences.NO_FAULT else "",
        )

    def question(self, question: Question) -> str:
        """What the table is asked."""
        return self._say(sentences.QUESTIONS[question.kind], question.seat)

    def moves(self, moves: Sequence[Move]) -> list[str]:
        """Legal moves in few words: not one wild for each colour."""
        return group_moves(self._game, moves, self._language, self._names)

    def error(self, error: IllegalMove | NotationError, move: Move | None = None) -> str:
        """Why something is not allowed: the rule, the reason, and what would be legal.

        :param move: what was tried, where that is known.
        """
        if isinstance(error, NotationError):
            reason = error.reason[self._language]
            return reason[0].upper() + reason[1:] + ("" if reason.endswith(("?", "…")) else ".")
        reason = self._reason(error, move)
        told = self._say(
            Text("Not allowed by {rule}: {reason}.", "Interdit par {rule} : {reason}."),
            -1,
            rule=error.rule,
            reason=reason,
        )
        if not error.legal:
            return told
        can = Text("{who} can: {moves}.", "{who} [peut|peux] : {moves}.")
        return f"{told} {self._say(can, error.seat, moves=self._separator().join(self.moves(error.legal)))}"

    def _reason(self, error: IllegalMove, move: Move | None) -> str:
        """The reason, with what lies there, is owed or was read in the place of what holds anywhere."""
        reason, game = error.reason[self._language], self._game
        if error.reason == reasons.NO_MATCH and game.talon:
            return f"{reason} ({self._on_top()})"
        if error.reason == reasons.PAY_FIRST and game.demand:
            return self._owing(game.demand, adverb=sentences.FIRST).rstrip(".")
        if move is None:
            return reason
        if error.reason == reasons.ONLY_DRAWN and kind_of(move) == DRAW:
            return reasons.HAS_DRAWN[self._language]
        if error.reason == reasons.NOT_IN_HAND and error.seat == self._you >= 0:
            card, wild = self.card(card_of(move)), game.cards.is_wild(card_of(move))
            named = _ARTICLE.sub("", card, count=1) if wild else card
            return sentences.NOT_IN_YOUR_HAND[wild][self._language].format(card=named)
        return reason

    def card(self, card: int) -> str:
        """A card with its article, as it stands in a sentence: ``the red 7``, ``la dame de cœur``, ``un joker``."""
        return with_article(self._game.cards, card, self._language)

    def _on_top(self) -> str:
        """What one must match: the card, and the colour that was named with it."""
        game, language = self._game, self._language
        names = game.cards.names
        lying = game.talon[-1]
        shown = names[lying] if 0 <= lying < len(names) else HIDDEN_CARD
        told = shown[language]
        if game.top != lying and 0 <= game.top < len(names) and game.game_id == "151":
            told += Text(f" as {names[game.top].en}", f" en {names[game.top].fr}")[language]
        if game.colour >= 0 and game.colour != game.cards.colour[lying]:
            told += f", {self._colour(game.colour)}"
        return told

    def name(self, seat: int) -> str:
        """A player as it stands in a sentence."""
        text = seat_text(seat, self._names)[self._language]
        named = seat < len(self._names) and self._names[seat]
        return text if named or self._language == "en" else f"la {text}"

    def _played(self, seat: int, move: Move) -> str:
        kind, card = kind_of(move), card_of(move)
        template = {JUMP_IN: sentences.JUMPED_IN, CANCEL: sentences.CANCELLED}.get(kind, sentences.LAID)
        return self._say(template, seat, card=self.card(card), choice=self._choice(seat, move))

    def _caught(self, forgetful: int, catcher: int) -> str:
        """The event does not tell what was forgotten, but the move by which it came."""
        moves = (move for name, seat, move in reversed(self._game.log) if name == "play" and seat == catcher)
        retract = next((move for move in moves if move in {CATCH | forgetful, CATCH_RETRACT | forgetful}), CATCH)
        word = "OU PAS" if kind_of(retract) == CATCH_RETRACT else self._announcement()
        template = sentences.YOU_FORGOT if forgetful == self._you >= 0 else sentences.EVENTS[events.CAUGHT]
        return self._say(template, catcher, caught=self._object(forgetful), word=word)

    def _stood(self, seat: int, move: Move) -> str:
        """The joker turned up stands for a card; with an 8, its suit."""
        suit = first_choice(move)
        stands = self.card(card_of(move))
        return self._say(sentences.STOOD, seat, stands=stands, choice=self._naming(seat, suit) if suit >= 0 else "")

    def _choice(self, seat: int, move: Move) -> str:
        """What the player of a card chose with it; which hands are swapped is an event of its own."""
        first, second = first_choice(move), second_choice(move)
        asked = asked_by(Vocabulary.of(self._game), card_of(move))
        if first < 0 or asked == SWAP:
            return ""
        if asked == STAND_FOR:
            stands = self.card(first) if self._language == "en" else self._game.cards.names[first].fr
            told = self._say_part(sentences.STANDING, seat, stands=stands)
            return told + (self._naming(seat, second) if second >= 0 else "")
        target = self._say_part(sentences.AIMING, seat, target=self._object(second)) if asked == AIM else ""
        return target + self._naming(seat, first)

    def _naming(self, seat: int, colour: int) -> str:
        return self._say_part(sentences.NAMING, seat, colour=self._colour(colour))

    def _details(self, code: int, value: int) -> dict[str, object]:
        """What the template of an event may name."""
        details: dict[str, object] = {"value": value, "rule": self._rule_of_the_table()}
        details["round"] = sentences.ROUND[self._game.game_id][self._language]
        match code:
            case events.NAMED:
                details["colour"] = self._colour(value)
            case events.REVERSED:
                details["side"] = sentences.SIDES[value][self._language]
            case events.OWES:
                details["owed"] = self._owed(value)
            case events.PENALISED:
                details["offence"] = self._offence(value)
            case events.CHALLENGED:
                details["verdict"] = sentences.VERDICTS[value][self._language]
            case events.WENT_OUT:
                details["place"] = sentences.PLACES[self._language].split()[value - 1]
            case events.SCORED:
                details["points"] = f"{value} point{self._plural(value)}".replace("-", "−")
            case events.MATCH_ENDED:
                details["losers"] = ", ".join(self._object(loser) for loser in self._game.losers)
            case events.DEALER_DREW | events.TURNED_UP | events.PUT_BACK | events.DISCARDED | events.TAKEN_BACK:
                details["card"] = self.card(value)
                details["back"] = sentences.BACK[self._game.under_pile][self._language]
            case events.SWAPPED:
                details["by"] = self._object(value)
            case events.ANNOUNCED:
                details["word"] = self._announcement()
            case _:
                details["cards"] = self._cards(value)
        return details

    # Words

    def _say(self, template: Text, seat: int, **details: object) -> str:
        """A whole sentence about ``seat``."""
        told = self._say_part(template, seat, **details)
        return told[:1].upper() + told[1:]

    def _say_part(self, template: Text, seat: int, **details: object) -> str:
        second_person = seat == self._you >= 0
        said = _VERB.sub(lambda verb: verb[2 if second_person else 1], template[self._language])
        if seat >= 0:
            subject = Text("you", "tu")[self._language] if second_person else self.name(seat)
            details |= {"who": subject, "other": self._object(seat), "whom": self._object(seat)}
            details["whose"] = "your" if second_person else f"{self.name(seat)}’s"
        told = said.format(**details)
        return _FRENCH_SIGNS.sub("\u00a0", told) if self._language == "fr" else told

    def _object(self, seat: int) -> str:
        return Text("you", "toi")[self._language] if seat == self._you >= 0 else self.name(seat)

    def _colour(self, colour: int) -> str:
        return self._game.cards.colour_names[colour][self._language]

    def _announcement(self) -> str:
        return "Carte" if self._game.cards is PLAYING_CARDS else "UNO"

    def _rule_of_the_table(self) -> str:
        """What the table wrote on its customizable cards, as a sentence (E-22)."""
        rule = str(self._game.options.get("custom-rule", "")).strip()
        return rule if rule.endswith((".", "!", "?", "…")) or not rule else f"{rule}."

    def _listed(self, things: Sequence[str]) -> str:
        *others, last = things
        return f"{', '.join(others)}{sentences.AND[self._language]}{last}" if others else last

    def _cards(self, number: int, *, more: bool = False) -> str:
        word = Text("more card" if more else "card", "carte")[self._language]
        return f"{number} {word}{self._plural(number)}"

    def _plural(self, number: int) -> str:
        """The ending of a noun after a number: 0 points, « 0 point »."""
        return "s" if (abs(number) != 1 if self._language == "en" else abs(number) > 1) else ""

    def _separator(self) -> str:
        return " ; " if self._language == "fr" else "; "

    def _times(self, number: int, *, more: bool = False) -> str:
        english = {1: "once", 2: "twice"}.get(number)
        if more:
            english = f"{english} more" if english else f"{number} more times"
        french = {1: "une fois", 2: "deux fois"}.get(number, f"{number} fois")
        return Text(english or f"{number} times", french)[self._language]

    def _owed(self, number: int) -> str:
        if self._game.draw_kind != PRESSES:
            return self._cards(number)
        ending = "" if number == 1 else "s"
        return Text(f"{number} press{'' if number == 1 else 'es'}", f"{number} appui{ending}")[self._language]

    def _offence(self, place: int) -> str:
        rule = list(self._game.offences.values())[place][0]
        title = RULES[rule].title[self._language]
        return f"{title[0].lower()}{title[1:]} ({rule})"
