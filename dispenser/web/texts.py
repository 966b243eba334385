"""What the page's scripts say. They get all of it as one JSON object in the page, in the page's language.

A pair is a text for one and a text for many; the script picks by the language's own rule. ``{name}`` is filled in
by the script.
"""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any


def script_texts(translations: NullTranslations) -> dict[str, Any]:
    """All texts of the scripts in one language, and the types of entries they listen to."""
    entries = _entries(translations)
    return {
        "types": sorted(entries),
        "sentence": _sentences(translations),
        "detail": _details(translations),
        "outcome": _outcomes(translations),
        "refused": _refusals(translations),
        "script": _script(translations),
        "launcher": _launcher(translations),
        "entry": entries,
        "state": _states(translations),
        "why": _whys(translations),
        "chime": _chimes(translations),
        "controls": _controls(translations),
        "toy": _toy(translations),
        "faults": _faults(translations),
    }


def _sentences(translations: NullTranslations) -> dict[str, str]:
    _ = translations.gettext
    return {
        "connecting": _("Looking for the launcher…"),
        "lost": _("Connection lost, trying again…"),
        "off": _("The launcher is off."),
        "open": _("Lid open: nothing can move."),
        "ready": _("Ready. Press!"),
        "suspense": _("The drum rolls…"),
        "feeding": _("Here they come!"),
        "retracting": _("A card is shy. Once more…"),
        "jammed": _("Jam! Lift the lid, take the stuck card out, shut the lid."),
        "empty": _("Empty! Load cards to go on."),
        "blind": _("I saw nothing come out."),
        "fault": _("Something is broken. The motor is off."),
        "card_in_exit": _("Take the card that sticks out."),
        "busy": _("One moment…"),
        "exit_dark": _("Something darkens my exit. Clear it, or wipe the sensor."),
        "failed": _("That did not work. {message}"),
    }


def _script(translations: NullTranslations) -> dict[str, str]:
    """What is going on when a script drives the simulated launcher."""
    _ = translations.gettext
    return {
        "running": _("{script} is running."),
        "ended": _("The script is over."),
        "failed": _("An error ended the script. The terminal says which."),
        "forward": _("Motor forward, {percent}%."),
        "backward": _("Motor backward, {percent}%."),
        "open": _("The lid is open."),
        "open_turning": _("The lid is open and the motor runs: your script does not mind the lid!"),
        "tone": _("Beep! {hz} Hz"),
        "empty": _("No cards inside."),
    }


def _details(translations: NullTranslations) -> dict[str, list[str]]:
    """What to look at, one line a finding, where the launcher cannot know by itself."""
    _ = translations.gettext
    return {
        "blind": [
            _("Cards on the table? Wipe the exit sensor, look at its wire."),
            _("None, and a silent motor? Cells, motor wires, lid switches."),
            _("None, though it turned? Are there cards, does the roller grip?"),
        ],
    }


def _outcomes(translations: NullTranslations) -> dict[str, Any]:
    _ = translations.gettext

    def ngettext(one: str, many: str) -> list[str]:
        return [translations.ngettext(one, many, 1), translations.ngettext(one, many, 2)]

    return {
        "dud": _("Phew… not a single card!"),
        "words": [
            _("One card"),
            _("Two cards"),
            _("Three cards"),
            _("Four cards"),
            _("Five cards"),
            _("Six cards"),
            _("Seven cards"),
            _("Eight cards"),
            _("Nine cards"),
            _("Ten cards"),
            _("Eleven cards"),
            _("Twelve cards"),
        ],
        "number": ngettext("{n} card", "{n} cards"),
        "all": _("{cards}!"),
        "counting": ngettext(
            "{cards}, the one that sticks out. Take it!", "{cards}, counting the one that sticks out. Take it!"
        ),
        "short": {
            "lid": _("{delivered} of {planned}: the lid was lifted."),
            "jammed": _("{delivered} of {planned}, then a jam."),
            "empty": _("{delivered} of {planned}, then it was empty."),
            "blind": _("None of {planned} was seen."),
            "off": _("{delivered} of {planned}, then it was switched off."),
            "fault": _("{delivered} of {planned}, then something broke."),
        },
        "double": ngettext("Perhaps {n} more, stuck to another.", "Perhaps {n} more, stuck to others."),
        "counted": _("The one that sticks out is counted. Take it!"),
        "uncounted": _("Cards are out. How many?"),
    }


def _refusals(translations: NullTranslations) -> dict[str, str]:
    _ = translations.gettext
    return {
        "off": _("The launcher is off: that press does not count."),
        "busy": _("One press at a time!"),
        "lid_open": _("Shut the lid first."),
        "empty": _("Empty: load cards first."),
        "jammed": _("Free the stuck card first."),
        "blind": _("First see why I saw nothing come out."),
        "card_in_exit": _("First take the card that sticks out."),
        "exit_dark": _("First clear the exit, or wipe its sensor."),
        "fault": _("Something is broken: that press does not count."),
    }


def _launcher(translations: NullTranslations) -> dict[str, Any]:
    """The drawing in words, for whoever cannot see it."""
    _ = translations.gettext

    def ngettext(one: str, many: str) -> list[str]:
        return [translations.ngettext(one, many, 1), translations.ngettext(one, many, 2)]

    return {
        "lid_open": _("The launcher, its lid open."),
        "lid_shut": _("The launcher, its lid shut."),
        "cards": ngettext("About {n} card inside.", "About {n} cards inside."),
        "cards_unknown": _("Nobody said how many cards are inside."),
        "card_in_exit": _("A card sticks out of the exit."),
        "exit_dark": _("The exit is dark, though no card was fed into it."),
        "light_on": _("The light is on."),
        "light_off": _("The light is off."),
        "on_table": ngettext("{n} card on the table.", "{n} cards on the table."),
    }


def _entries(translations: NullTranslations) -> dict[str, Any]:
    """Journal entries in words, by type; two texts where the entry says yes or no."""
    _ = translations.gettext
    return {
        "launcher.switched.on": _("The launcher is on"),
        "launcher.switched.off": _("The launcher is off"),
        "launcher.state.changed": _("Now: {new}"),
        "launcher.press.accepted": _("Press {press} counts"),
        "launcher.press.refused": _("Press {press} does not count: {reason}"),
        "launcher.burst.started": _("Press {press}: the motor runs"),
        "launcher.card.left": _("A card left ({blocked_ms} ms in the exit)"),
        "launcher.burst.ended": _("Press {press}: {delivered} of {planned} ({cause})"),
        "launcher.burst.lost": _("Press {press}: the service died; {delivered} seen until then"),
        "launcher.burst.counted": _("Press {press}: somebody counted {cards}"),
        "launcher.lid.opened": _("Lid lifted"),
        "launcher.lid.closed": _("Lid shut"),
        "launcher.exit.changed": {"true": _("Something is in the exit"), "false": _("The exit is free again")},
        "launcher.cards.loaded": _("Cards inside: {cards}"),
        "launcher.chime.played": _("Chime: {chime}"),
        "launcher.reset": _("Seen to by a person"),
        "service.started": _("The service started"),
        "service.stopped": _("The service stopped"),
        "service.journal.damaged": _("The journal tells of damage: see dispenser doctor"),
        "service.journal.unreadable": _("This entry is damaged and cannot be read"),
        "service.notices.dropped": _("Entries that could not be written: {count}"),
        "fairness.committed": _("The seed of all luck is sealed"),
        "fairness.revealed": _("The seed of all luck is revealed"),
        "toy.lid.moved": {"true": _("A hand lifts the lid"), "false": _("A hand shuts the lid")},
        "toy.button.pushed": _("A finger pushes the button"),
        "toy.button.released": _("The finger lets go of the button"),
        "toy.button.moved": {"true": _("The button is down"), "false": _("The button is up")},
        "toy.fault.switched": {"true": _("Trouble made: {fault}"), "false": _("Trouble ended: {fault}")},
        "toy.cells.changed": _("Other cells"),
        "toy.card.taken": _("A hand takes the card"),
        "toy.jam.cleared": _("A hand frees the stuck card"),
        "toy.stack.filled": _("A hand fills the stack: {cards}"),
        "toy.jam.changed": {"true": _("A card jams"), "false": _("The jam is gone")},
        "toy.light.switched": {"true": _("The light goes on"), "false": _("The light goes out")},
        "toy.motor.driven": _("Motor: {duty}"),
        "toy.tone.changed": _("Beeper: {hz}"),
        "toy.script.started": _("The script begins: {script}"),
        "toy.script.ended": _("The script is over"),
    }


def _states(translations: NullTranslations) -> dict[str, str]:
    _ = translations.gettext
    return {
        "off": _("off"),
        "open": _("lid open"),
        "ready": _("ready"),
        "suspense": _("drum roll"),
        "feeding": _("cards come"),
        "retracting": _("a little back"),
        "jammed": _("jam"),
        "empty": _("empty"),
        "blind": _("nothing seen"),
        "fault": _("broken"),
    }


def _whys(translations: NullTranslations) -> dict[str, str]:
    """Why a burst ended, short."""
    _ = translations.gettext
    return {
        "dud": _("dud"),
        "complete": _("all out"),
        "timed": _("by time"),
        "lid": _("lid"),
        "jammed": _("jam"),
        "empty": _("empty"),
        "blind": _("nothing seen"),
        "off": _("off"),
        "fault": _("broken"),
    }


def _chimes(translations: NullTranslations) -> dict[str, str]:
    _ = translations.gettext
    return {
        "lid_shut": _("lid shut"),
        "suspense": _("drum roll"),
        "fire": _("cards come"),
        "dud": _("dud"),
        "refused": _("not now"),
        "jammed": _("jam"),
        "empty": _("empty"),
        "fault": _("broken"),
    }


def _controls(translations: NullTranslations) -> dict[str, Any]:
    _ = translations.gettext

    def ngettext(one: str, many: str) -> list[str]:
        return [translations.ngettext(one, many, 1), translations.ngettext(one, many, 2)]

    return {
        "open_lid": _("Open the lid"),
        "shut_lid": _("Shut the lid"),
        "of": _("{delivered} of {planned}"),
        "more": _("{delivered} instead of {planned}"),
        "streak": ngettext("{n} dud since cards last came.", "{n} duds since cards last came."),
        "tally": _(
            "Presses left to luck: {presses}. Cards they brought: {cards}. Most duds in a row: {longest_dry_run}."
        ),
        "cards": ngettext("{n} card", "{n} cards"),
        "chart": _("{cards} cards: promised in {expected} of 100 presses, came in {came}."),
        "chart_dud": _("No card: promised in {expected} of 100 presses, came in {came}."),
        "seed": _("The seed was {seed}."),
        "nothing_yet": _("Nothing yet."),
    }


def _toy(translations: NullTranslations) -> dict[str, str]:
    _ = translations.gettext
    return {
        "cells": _("Cells"),
        "volts": _("{voltage} V"),
        "motor": _("Motor"),
        "motor_on": _("runs"),
        "motor_off": _("stands still"),
        "stack": _("Stack"),
    }


def _faults(translations: NullTranslations) -> dict[str, str]:
    """Names of the simulated launcher's faults."""
    _ = translations.gettext
    return {
        "roller_jam": _("Cards jam"),
        "double_feed": _("Next card comes double"),
        "misfeed": _("Next card slips"),
        "flat_cells": _("Flat cells"),
        "motor_dead": _("Motor dead"),
        "exit_stuck_dark": _("Exit sensor stuck dark"),
        "exit_stuck_light": _("Exit sensor stuck light"),
        "button_stuck": _("Button stuck down"),
        "bouncing_button": _("Worn, bouncing button"),
        "lid_contact_flutter": _("Loose lid contact"),
        "empty_stack": _("Roller reaches no card"),
    }
