"""Texts of the pages' scripts, sent as one JSON object inside the page, in the page's language.

A pair is singular and plural; the script selects by the rule of the language, and fills ``{name}`` in.
"""

from __future__ import annotations

from typing import Any, Final

from dispenser.i18n import Text, catalog
from dispenser.launcher.messages import BurstEnd, Chime, State

SENTENCES: Final[dict[str, Text]] = {
    "connecting": Text("Looking for the launcher…"),
    "lost": Text("Connection lost, trying again…"),
    "off": Text("The launcher is off."),
    "open": Text("Lid open: nothing can move."),
    "open_card": Text("Lid open. Take the card out, then shut it."),
    "ready": Text("Ready. Press!"),
    "suspense": Text("The drum rolls…"),
    "feeding": Text("Here they come!"),
    "retracting": Text("A card is shy. Once more…"),
    "jammed": Text("Jam! Lid up, card out, lid down. No card? Wipe the sensor."),
    "empty": Text("Empty! Load cards to go on."),
    "blind": Text("No card seen. If one came, wipe the sensor. If not, load cards or check the batteries."),
    "fault": Text("Something is broken."),
    "card_in_exit": Text("Take the card that sticks out."),
    "busy": Text("One moment…"),
    "exit_dark": Text("Something blocks my exit. Clear it, or wipe the sensor."),
    "nothing_owed": Text("Nobody has to press now."),
    "count_first": Text("How many cards came?"),
    "not_now": Text("Not just now."),
    "failed": Text("That did not work. {message}"),
}
IN_WORKSHOP: Final = Text("The workshop has the launcher, until somebody leaves it at /workshop.")  # Why it is off
REFUSED: Final[dict[str, Text]] = {
    "off": Text("Switch it on first."),
    "busy": Text("One press at a time!"),
    "lid_open": Text("Shut the lid first."),
    "empty": Text("Load cards first."),
    "jammed": Text("Free the stuck card first."),
    "blind": Text("First check cards, sensor and batteries."),
    "card_in_exit": Text("First take the card that sticks out."),
    "exit_dark": Text("First clear the exit, or wipe its sensor."),
    "fault": Text("First fix what is broken."),
    "nothing_owed": Text("Nobody has to press. Play on!"),
    "count_first": Text("First say how many cards came."),
}
"""Remedies for refused presses, by reason; the problem itself is in ``SENTENCES``."""
IN_SHORT: Final[dict[str, Text]] = {
    "off": Text("off"),
    "open": Text("lid open"),
    "ready": Text("ready"),
    "suspense": Text("drum roll"),
    "feeding": Text("cards come"),
    "retracting": Text("a little back"),
    "jammed": Text("jam"),
    "empty": Text("empty"),
    "blind": Text("nothing seen"),
    "fault": Text("broken"),
    "dud": Text("dud"),
    "complete": Text("all out"),
    "timed": Text("by time"),
    "lid": Text("lid"),
    "lid_shut": Text("lid shut"),
    "fire": Text("cards come"),
    "refused": Text("not now"),
}
"""Short names of launcher states, causes of a burst's end, and chimes."""
_TABLE_RECORDS: Final[dict[str, Any]] = {
    "table.opened": Text("An evening at the table begins"),
    "table.closed": Text("The evening is over"),
    "table.joined": Text("{name} sits down"),
    "table.left": Text("Somebody leaves the table"),
    "table.seat.asked": Text("A new phone asks for a seat"),
    "table.claimed": Text("Somebody is back, on another phone"),
    "table.renamed": Text("Somebody is called {name} now"),
    "table.seated": Text("People have changed places"),
    "table.host.changed": Text("Somebody else hosts"),
    "table.helps": {
        "true": Text("Somebody may play for somebody else"),
        "false": Text("Somebody no longer plays for somebody else"),
    },
    "table.match.begun": Text("A match: {game}"),
    "table.match.ended": Text("The match is over, and its shuffles are revealed"),
    "table.tracking.mode.chosen": Text("From the next round on, another way to play"),
    "table.round.opened": Text("A round begins"),
    "table.dealt": Text("Dealt to a seat: {cards}"),
    "table.acted": Text("A move in the game"),
    "table.charged": Text("To be paid by a seat: {number}"),
    "table.forgiven": Text("A debt is cancelled"),
    "table.paid": Text("Press {press} has paid: {cards}"),
    "table.press.taken": Text("Press {press} counts at the table"),
    "table.press.done": Text("Press {press}: nobody owed these cards: {cards}"),
    "table.count.asked": Text("Press {press}: how many cards came?"),
    "table.count.told": Text("Press {press}: somebody counted {cards}"),
    "table.card.set": Text("A card was set right"),
    "table.scored": Text("A score was set right: {score}"),
    "table.undone": Text("Something was undone"),
    "table.redone": Text("What was undone was redone"),
    "table.host.only.set": {"true": Text("The host alone sets right"), "false": Text("Anybody may set right")},
    "table.stands.in": Text("Somebody’s phone is the launcher, or the real one is again"),
    "table.thrown": Text("To be taken from the pile: {cards}"),
}
"""Descriptions of table events. Persons are numbers in them; ``dispenser log`` adds the names."""
_TEXTS: Final[dict[str, Any]] = {
    "sentence": SENTENCES,
    "refused": REFUSED,
    # status while a script drives the simulated launcher
    "script": {
        "running": Text("{script} is running."),
        "ended": Text("The script has ended."),
        "failed": Text("An error ended the script. The terminal says which."),
        "forward": Text("Motor forward, {percent}%."),
        "backward": Text("Motor backward, {percent}%."),
        "open": Text("The lid is open."),
        "open_turning": Text("The lid is open and the motor runs: your script does not mind the lid!"),
        "tone": Text("Beep! {hz} Hz"),
        "empty": Text("No cards inside."),
    },
    # checks for a person where the launcher cannot find the cause itself, one line each
    "detail": {
        "workshop": [Text("Somebody is in the workshop with it. It is back when they leave, on its page: /workshop")],
        "blind": [
            Text("Cards on the table? Wipe the exit sensor, check its wire."),
            Text("None, and the motor was silent? Check batteries, motor wires, lid switches."),
            Text("None, though the motor turned? Are there cards, does the roller grip them?"),
        ],
    },
    # labels of the main button
    "deeds": {
        "press": Text("Press"),
        "wait": Text("Press"),
        "none": Text("Press"),
        "shut": Text("Shut the lid"),
        "take": Text("Take the card"),
        "free": Text("Free the card"),
        "freed": Text("I have freed it"),
        "load": Text("Load cards"),
        "loaded": Text("Loaded…"),
        "done": Text("Done, go on"),
    },
    "outcome": {
        "dud": Text("Phew… not a single card!"),
        "jokes": [
            Text("Click! And… nothing. The cards are having tea."),
            Text("Nothing! I was only clearing my throat."),
            Text("No card. I counted twice: still none."),
            Text("Nothing! The cards took a vote. They stay in bed."),
            Text("Zero cards. My finest magic trick!"),
            Text("No card! You pressed so gently that nobody woke up."),
            Text("Nothing at all. Go and buy a lottery ticket!"),
            Text("No card. You breathe out, your neighbour breathes in."),
        ],
        "words": [
            Text("One card"),
            Text("Two cards"),
            Text("Three cards"),
            Text("Four cards"),
            Text("Five cards"),
            Text("Six cards"),
            Text("Seven cards"),
            Text("Eight cards"),
            Text("Nine cards"),
            Text("Ten cards"),
            Text("Eleven cards"),
            Text("Twelve cards"),
        ],
        "number": Text("{n} card", plural="{n} cards"),
        "all": Text("{cards}!"),
        "counting": Text(
            "{cards}, the one that sticks out. Take it!", plural="{cards}, counting the one that sticks out. Take it!"
        ),
        "short": {
            "lid": Text("{delivered} of {planned}: the lid was lifted."),
            "jammed": Text("{delivered} of {planned}, then a jam."),
            "empty": Text("{delivered} of {planned}, then it was empty."),
            "blind": Text("None of {planned} was seen."),
            "off": Text("{delivered} of {planned}, then it was switched off."),
            "fault": Text("{delivered} of {planned}, then something broke."),
        },
        "double": Text("Perhaps {n} more, stuck to another.", plural="Perhaps {n} more, stuck to others."),
        "counted": Text("The one that sticks out is counted. Take it!"),
        "uncounted": Text("Cards are out. How many?"),
    },
    # description of the drawing for screen readers
    "launcher": {
        "lid_open": Text("The launcher, its lid open."),
        "lid_shut": Text("The launcher, its lid shut."),
        "cards": Text("About {n} card inside.", plural="About {n} cards inside."),
        "cards_unknown": Text("Nobody said how many cards are inside."),
        "card_in_exit": Text("A card sticks out of the exit."),
        "exit_dark": Text("The exit is dark, though no card was fed into it."),
        "light_on": Text("The light is on."),
        "light_off": Text("The light is off."),
        "on_table": Text("{n} card on the table.", plural="{n} cards on the table."),
    },
    # record types; two texts for a boolean, three for an order
    "record": {
        "launcher.switched.on": Text("The launcher is on"),
        "launcher.switched.off": Text("The launcher is off"),
        "launcher.state.changed": Text("Now: {new}"),
        "launcher.order.changed": {
            "luck": Text("The next press is random"),
            "exact": Text("Cards for the next press: {cards}"),
            "refused": Text("No press counts now: {why}"),
        },
        "launcher.press.accepted": Text("Press {press} counts"),
        "launcher.press.refused": Text("Press {press} does not count: {reason}"),
        "launcher.burst.started": Text("Press {press}: the motor runs"),
        "launcher.card.left": Text("A card left ({blocked_ms} ms in the exit)"),
        "launcher.burst.ended": Text("Press {press}: {delivered} of {planned} ({cause})"),
        "launcher.burst.lost": Text("Press {press}: the service stopped suddenly; {delivered} seen until then"),
        "launcher.burst.counted": Text("Press {press}: somebody counted {cards}"),
        "launcher.lid.opened": Text("Lid lifted"),
        "launcher.lid.closed": Text("Lid shut"),
        "launcher.exit.changed": {"true": Text("Something is in the exit"), "false": Text("The exit is free again")},
        "launcher.cards.loaded": Text("Cards inside: {cards}"),
        "launcher.chime.played": Text("Chime: {chime}"),
        "launcher.reset": Text("Reset by a person"),
        "service.started": Text("The service started"),
        "service.stopped": Text("The service stopped"),
        "service.computer.off": Text("Somebody switches the computer off"),
        "service.computer.restart": Text("Somebody restarts the computer"),
        "service.journal.damaged": Text("The journal is damaged: see dispenser doctor"),
        "service.journal.unreadable": Text("This record is damaged and cannot be read"),
        "fairness.committed": Text("A secret seed is committed"),
        "fairness.revealed": Text("The secret seed is revealed"),
        "service.journal.erased": Text("An evening was deleted: {count} records"),
        "service.journal.blank": Text("This record was deleted"),
        **_TABLE_RECORDS,
        "workshop.opened": Text("Somebody enters the workshop"),
        "workshop.run": Text("In the workshop the motor has run. Cards: {cards}"),
        "workshop.closed": Text("The workshop is left"),
        "simulator.lid.moved": {"true": Text("A hand lifts the lid"), "false": Text("A hand shuts the lid")},
        "simulator.button.pushed": Text("A finger pushes the button"),
        "simulator.button.released": Text("The finger lets go of the button"),
        "simulator.button.moved": {"true": Text("The button is down"), "false": Text("The button is up")},
        "simulator.fault.switched": {
            "true": Text("Fault switched on: {fault}"),
            "false": Text("Fault switched off: {fault}"),
        },
        "simulator.cells.changed": Text("Other batteries"),
        "simulator.card.taken": Text("A hand takes the card"),
        "simulator.jam.cleared": Text("A hand frees the stuck card"),
        "simulator.stack.filled": Text("A hand fills the stack: {cards}"),
        "simulator.jam.changed": {"true": Text("A card jams"), "false": Text("The jam is cleared")},
        "simulator.light.switched": {"true": Text("The light turns on"), "false": Text("The light turns off")},
        "simulator.motor.driven": Text("Motor: {duty}"),
        "simulator.tone.changed": Text("Beeper: {hz}"),
        "simulator.script.started": Text("The script begins: {script}"),
        "simulator.script.ended": Text("The script has ended"),
    },
    "controls": {
        "open_lid": Text("Open the lid"),
        "shut_lid": Text("Shut the lid"),
        "of": Text("{delivered} of {planned}"),
        "more": Text("{delivered} instead of {planned}"),
        "streak": Text("{n} dud since cards last came.", plural="{n} duds since cards last came."),
        "tally": Text("Random presses: {presses}. Cards that came: {cards}. Most duds in a row: {longest_dry_run}."),
        "cards": Text("{n} card", plural="{n} cards"),
        "axis_cards": Text("Cards that a press brings"),
        "axis_share": Text("Share of the presses"),
        "chart": Text("{cards} cards: expected in {expected} of 100 presses, came in {came}."),
        "chart_dud": Text("No card: expected in {expected} of 100 presses, came in {came}."),
        "seed": Text("The seed was {seed}."),
        "switching": Text("It is being done: good night!"),
        "nothing_yet": Text("Nothing yet."),
    },
    "simulator": {
        "cells": Text("Batteries"),
        "volts": Text("{voltage} V"),
        "motor": Text("Motor"),
        "motor_on": Text("runs"),
        "motor_off": Text("stands still"),
        "stack": Text("Stack"),
    },
    # names of the simulated launcher's faults
    "faults": {
        "roller_jam": Text("Cards jam"),
        "double_feed": Text("Next card comes double"),
        "misfeed": Text("Next card slips"),
        "flat_cells": Text("Flat batteries"),
        "motor_dead": Text("Motor dead"),
        "exit_stuck_dark": Text("Exit sensor stuck dark"),
        "exit_stuck_light": Text("Exit sensor stuck light"),
        "button_stuck": Text("Button stuck down"),
        "bouncing_button": Text("Worn, bouncing button"),
        "lid_contact_flutter": Text("Loose lid contact"),
        "empty_stack": Text("Roller reaches no card"),
    },
    "state": {state.value: IN_SHORT[state.value] for state in State},
    "why": {why.value: IN_SHORT[why.value] for why in BurstEnd},
    "chime": {chime.value: IN_SHORT[chime.value] for chime in Chime},
}


def script_texts(language: str) -> dict[str, Any]:
    """Return all texts of the scripts in one language, and the record types that the scripts subscribe to."""
    return {"types": sorted(_TEXTS["record"]), **said(_TEXTS, language)}


def said(texts: Any, language: str) -> Any:
    if isinstance(texts, dict):
        return {name: said(text, language) for name, text in texts.items()}
    if isinstance(texts, list):
        return [said(text, language) for text in texts]
    if texts.plural:
        return [catalog(language).ngettext(texts.msgid, texts.plural, number) for number in (1, 2)]
    return texts[language]
