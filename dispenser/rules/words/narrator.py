"""Describe events, demands, questions and errors in sentences, in English and French.

A sentence about the listener is in the second person: ``Narrator(game, "fr", names, you=0)`` writes « Tu pioches
2 cartes. »
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from dispenser.i18n import Text, said
from dispenser.rules.engine import reasons
from dispenser.rules.engine.demands import Demand, Owed, Question
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.words import sentences
from dispenser.rules.words.cards import HIDDEN_CARD
from dispenser.rules.words.grouping import group_moves
from dispenser.rules.words.notation import NotationError
from dispenser.rules.words.phrases import PRESSES, SIDES, YOU, Name, seat_text, vocabulary_of

_VERB: Final = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
_LAYING: Final = {Act.LAY: sentences.LAID, Act.JUMP_IN: sentences.JUMPED_IN, Act.CANCEL: sentences.CANCELLED}


class Narrator:
    """Describes a game in one language.

    :param names: of the players, by seat; without them the seats' numbers are used.
    :param you: the listener's seat, if they play.
    """

    def __init__(self, game: Game, language: str, names: Sequence[Name] = (), you: int | None = None) -> None:
        self._game = game
        self._words = vocabulary_of(game)
        self._cards = self._words.cards
        self._colours = self._cards.cards.colour_names
        self._language = language
        self._names = tuple(names)
        self._you = you

    def event(self, event: Event) -> str:
        """Describe one event in a sentence."""
        seat = event.seat
        if event.what is What.SWAPPED and event.other == self._you:
            event = event._replace(seat=event.other, other=seat)
        doer = event.other if event.what is What.CAUGHT else event.seat
        return self._say(self._sentence(event), doer, **self._details(event))

    def events(self, happened: Sequence[Event]) -> list[str]:
        """Describe the events of an action, except whose turn it is and what is owed, which the next sentence says.

        A demand is included if it also costs the turn. Games without points have no rounds, only places.
        """
        left_out = {What.TURN, What.OWES, What.DISCARDED} | (set() if self._game.state.values() else {What.ROUND_ENDED})
        owes = {event.seat: event.demand for event in happened if event.what is What.OWES}
        told = []
        for event in happened:
            demand = owes.get(event.seat)
            if event.what is What.SKIPPED and demand:
                template = sentences.OWES_AND_MISSES[demand.kind]
                told.append(self._say(template, event.seat, **self._owed(demand)))
            elif event.what not in left_out:
                told.append(self.event(event))
        discarded = [event for event in happened if event.what is What.DISCARDED]
        if discarded:
            *others, last = (self.card(event.card) for event in discarded)
            cards = f"{', '.join(others)}{sentences.AND[self._language]}{last}" if others else last
            told.insert(1, self._say(sentences.EVENTS[What.DISCARDED], discarded[0].seat, card=cards))
        return told

    def demand(self, demand: Demand, *, more: bool = False) -> str:
        """Describe who must press or draw now: ``Ana must press twice.``

        :param more: a part of it has been paid: ``Ana must still press once.``
        """
        told = self._owing(demand, sentences.STILL if more else "")
        return told[:1].upper() + told[1:]

    def question(self, question: Question) -> str:
        """Describe what the table is asked."""
        template = self._words.questions.get(question.kind) or sentences.QUESTIONS[question.kind]
        return self._say(template, question.seat)

    def moves(self, moves: Sequence[Move]) -> list[str]:
        """Describe legal moves in groups: not one wild for each colour."""
        return group_moves(self._game, moves, self._language, self._names)

    def error(self, error: IllegalMove | NotationError, move: Move | None = None) -> str:
        """Describe why something is not allowed: the rule, the reason, and the legal moves.

        :param move: the refused move, if known.
        """
        if isinstance(error, NotationError):
            reason = error.text[self._language]
            return reason[0].upper() + reason[1:] + ("" if reason.endswith(("?", "…")) else ".")
        told = self._say(sentences.NOT_ALLOWED, None, rule=error.rule, reason=self.reason(error, move))
        if not error.legal:
            return told
        moves = sentences.SEPARATOR[self._language].join(self.moves(error.legal))
        return f"{told} {self._say(sentences.CAN, error.seat, moves=moves)}"

    def card(self, card: int | None) -> str:
        """Return a card with its article: ``the red 7``, ``la dame de cœur``, ``un joker``."""
        return self._cards.in_sentence(-1 if card is None else card)[self._language]

    def name(self, seat: int) -> str:
        """Return a player's name with its article, if it needs one."""
        text = seat_text(seat, self._names)[self._language]
        named = seat < len(self._names) and self._names[seat]
        return text if named or self._language == "en" else f"la {text}"

    # Choice of sentence

    def _sentence(self, event: Event) -> Text:
        """Return the template for an event; some depend on its details, others on the game."""
        own = self._words.events.get(event.what)
        if own is not None:
            return own if isinstance(own, Text) else own(self._game.state, event)
        if event.move is not None and event.what is What.LAID:
            return _LAYING[event.move.act]
        sentence = sentences.EVENTS[event.what]
        match event:
            case Event(What.DREW, demand=Demand(Owed.PRESSES)):  # another player has pressed
                sentence = sentences.TAKES
            case Event(What.DREW, number=0):
                sentence = sentences.NO_CARD
            case Event(What.PRESSED, number=0):
                sentence = sentences.DUD
            case Event(What.CHALLENGED, bluff=True):
                sentence = sentences.BLUFF
            case Event(What.CANCELLED, other=None):
                sentence = sentences.NOBODY_DRAWS
            case Event(What.MATCH_ENDED, seat=None):
                sentence = sentences.ONLY_LOST
            case Event(What.ROUND_ENDED, seat=None):
                sentence = sentences.NOBODY_WON
            case Event(What.CAUGHT) if event.seat == self._you:
                sentence = sentences.YOU_FORGOT
            case Event(What.PUT_BACK) if self._game.state.under_pile:
                sentence = sentences.UNDER_THE_PILE
        return sentence

    def _details(self, event: Event) -> dict[str, object]:
        """Return the values of placeholders for an event."""
        number, move = event.number, event.move
        details: dict[str, object] = {
            "word": "OU PAS" if move and move.act is Act.CATCH_RETRACT else self._words.announcement,
            "round": self._words.round,
            "losers": ", ".join(map(self._object, self._game.state.losers)),
            "card": self.card(event.card),
            **self._words.places(self._game.state),
        }
        if event.colour is not None:
            details["colour"] = self._colours[event.colour]
        if event.direction is not None:
            details["side"] = SIDES[event.direction]
        if event.offence is not None:
            rule, _ = self._game.offences[event.offence]
            details["offence"] = f"{self._words.offences[event.offence][self._language]} ({rule})"
        if event.seat is not None:
            details["whom"] = self._object(event.seat)
        if event.other is not None:
            details["other"] = (self._subject if event.what is What.CAUGHT else self._object)(event.other)
        if number is not None:
            points = sentences.SO_MANY_POINTS.filled(number=abs(number))[self._language]
            details |= {"number": number, "cards": sentences.CARDS.filled(number=number)}
            details["points"] = f"−{points}" if number < 0 else points
        if event.what is What.WENT_OUT and number is not None:
            details["place"] = sentences.PLACES[self._language].split()[number - 1]
        if event.demand is not None:
            details |= self._owed(event.demand)
        if move is not None and event.what in {What.LAID, What.STOOD}:
            details |= self._choices(event, move)
        return details

    def _choices(self, event: Event, move: Move) -> dict[str, object]:
        """Return the card of a move and its player's choices; swapped hands have an event of their own."""
        chosen, stands = "", move.stands_for
        if event.what is What.LAID and stands is not None:
            told = self.card(stands) if self._language == "en" else self._game.state.cards.names[stands].fr
            chosen += self._say_part(sentences.STANDING, None, stands=told)
        if move.seat is not None and move.other is None:
            chosen += self._say_part(sentences.AIMING, None, other=self._object(move.seat))
        if move.colour is not None:
            chosen += self._say_part(sentences.NAMING, event.seat, colour=self._colours[move.colour])
        return {"card": self.card(move.card), "stands": self.card(stands), "choice": chosen}

    # Demands

    def _owed(self, demand: Demand) -> dict[str, object]:
        """Return number, receiver and penalty of a demand, as placeholders."""
        number, presses = demand.number, demand.kind is Owed.PRESSES
        other = self._object(demand.receiver)
        punishes = demand.penalty and demand.rule not in self._words.blameless
        return {
            "times": sentences.FEW_TIMES.get(number) or sentences.TIMES.filled(number=number),
            "owed": (PRESSES if presses else sentences.CARDS).filled(number=number),
            "aim": sentences.FOR_ANOTHER.filled(other=other) if presses and demand.receiver != demand.payer else "",
            "why": sentences.AS_A_PENALTY if punishes else "",
        }

    def _owing(self, demand: Demand, adverb: Text | str = "") -> str:
        return self._say_part(sentences.DEMANDS[demand.kind], demand.payer, adverb=adverb, **self._owed(demand))

    # Reasons

    def reason(self, error: IllegalMove, move: Move | None = None) -> str:
        """Return the reason, with the card on top, the debt or the card typed, where it is more specific."""
        reason, game = error.reason[self._language], self._game
        if error.reason == reasons.NO_MATCH and game.state.talon:
            return self._say_part(sentences.ON_TOP, None, reason=reason, top=self.on_top())
        if error.reason == reasons.PAY_FIRST and game.demand:
            return self._owing(game.demand, sentences.FIRST).rstrip(".")
        if move and move.act is Act.DRAW and error.reason == reasons.ONLY_DRAWN:
            return reasons.HAS_DRAWN[self._language]
        if move and move.card is not None and error.reason == reasons.NOT_IN_HAND and error.seat == self._you:
            if self._cards.cards.is_wild(move.card):
                return self._say_part(sentences.NONE_IN_YOUR_HAND, None, card=self._cards.cards.names[move.card])
            return self._say_part(sentences.NOT_IN_YOUR_HAND, None, card=self.card(move.card))
        return reason

    def on_top(self) -> str:
        """Describe what must be matched: the card on top, and the colour named with it."""
        state, language = self._game.state, self._language
        names, colours = state.cards.names, state.cards.colour
        lying = shown = state.talon[-1]
        told = (names[lying] if 0 <= lying < len(names) else HIDDEN_CARD)[language]
        if state.top != lying and 0 <= state.top < len(names):
            shown = state.top
            told += sentences.STANDING[language].format(stands=names[shown][language])
        if state.colour >= 0 and not (0 <= shown < len(names) and state.colour == colours[shown]):
            told += f", {self._colours[state.colour][language]}"
        return told

    # Sentences

    def _say(self, template: Text, seat: int | None, **details: object) -> str:
        """Fill a template about ``seat`` to a whole sentence."""
        told = self._say_part(template, seat, **details)
        return told[:1].upper() + told[1:]

    def _say_part(self, template: Text, seat: int | None, **details: object) -> str:
        second_person = seat is not None and seat == self._you
        words = _VERB.sub(lambda verb: verb[2 if second_person else 1], template[self._language])
        if seat is not None and seat >= 0:
            details["who"] = self._subject(seat)
            details.setdefault("whom", self._object(seat))
            details["whose"] = "your" if second_person else f"{self.name(seat)}’s"
        return words.format(**{name: said(detail, self._language) for name, detail in details.items()})

    def _subject(self, seat: int) -> str:
        return sentences.YOU_DO[self._language] if seat == self._you else self.name(seat)

    def _object(self, seat: int) -> str:
        return YOU[self._language] if seat == self._you else self.name(seat)
