"""Texts of the table's pages; what a game says comes with its view.

The format is that of ``texts.py``: a pair is singular and plural, the script fills ``{name}`` in.
"""

from __future__ import annotations

from typing import Any, Final

from dispenser.i18n import Text
from dispenser.web.texts import IN_WORKSHOP, REFUSED, SENTENCES, said, script_texts

_JOKES: Final = [
    Text("Phew… not a single card!"),
    Text("Nothing. It was only clearing its throat."),
    Text("No card. It likes you. For now."),
    Text("Click. That was all."),
    Text("It thought it over, and kept them."),
    Text("Lucky! Somebody else will get them."),
    Text("Not even one. Breathe out!"),
    Text("It winked at you, nothing more."),
    Text("False alarm. Look innocent."),
    Text("It saves them up for your neighbour."),
    Text("The cards are shy today."),
    Text("Nobody is hit. On we go!"),
]
"""Shown in turn after duds."""

_TROUBLES: Final = ("off", "open", "jammed", "empty", "blind", "fault", "card_in_exit", "exit_dark")

_TEXTS: Final[dict[str, Any]] = {
    "title": Text("Card launcher"),
    "looking": Text("Looking for the table…"),
    "lost": Text("Connection lost, trying again…"),
    "watching": Text("You’re watching. The host is choosing a game."),
    "moved": Text("Another phone plays for this seat now."),
    "moved_back": Text("Play on here"),
    "sending": Text("No answer yet. I keep trying…"),
    "not_sent": Text("That did not get through. Try again."),
    # labels for screen readers
    "now": Text("What is going on"),
    "act": Text("What you can do"),
    "always": Text("At any time"),
    "seats": Text("Around the table, in the order of play"),
    "seats_back": Text("Around the table; play goes backward"),
    "pile": Text("On top: {card}"),
    "hand": Text("Your hand: {n} card", plural="Your hand: {n} cards"),
    "held": Text("{card}, not now"),
    "pips": Text("{n} of {total} done", plural="{n} of {total} done"),
    "qr": Text("QR code to scan with a phone’s camera"),
    "qr_wifi": Text("QR code to scan with a phone’s camera, to join the launcher’s Wi-Fi"),
    "first_wifi": Text("First, join this Wi-Fi"),
    "wifi": Text("Wi-Fi"),
    "password": Text("Password"),
    "then_page": Text("Then, open the page"),
    "other_address": Text("Another address"),
    "not_open": Text(
        "Phones cannot reach this table. For a demo, stop it and start it with --lan; "
        "for a launcher, write lan = true under [web] in its settings."
    ),
    "no_network": Text("Phones cannot reach this table: this computer is in no network."),
    "chart": Text("Points so far, {round} by {round}; the table below has them as numbers."),
    # buttons
    "menu": Text("Menu"),
    "scores": Text("Scores"),
    "close": Text("Close"),
    "back": Text("Back"),
    "ok": Text("OK"),
    "done": Text("Done"),
    "picked": Text("{n} card picked", plural="{n} cards picked"),
    "put_back": Text("Put back: {card}"),
    "pick_just": Text("Pick {n} card.", plural="Pick {n} cards."),
    "pick_between": Text("Pick {least} to {most} cards."),
    "between": Text("From {least} to {most}"),
    # seats
    "me": Text("you"),
    "host": Text("host"),
    "dealer": Text("deals"),
    "bot": Text("bot"),
    "away": Text("away"),
    "gone": Text("finished"),
    "left": Text("has left"),
    "announced": Text("UNO!"),
    "owes": Text("owes"),
    "cards": Text("{n} card", plural="{n} cards"),
    "points": Text("{n} pt", plural="{n} pts"),
    "stands_for": Text("For {name}"),
    "waiting": Text("With the next {round}: {names}"),
    "you_wait": Text("You join in the next {round}."),
    "none_came": Text("Counted: no card"),
    "came": Text("Counted: {n} card", plural="Counted: {n} cards"),
    # links to other pages
    "elsewhere": Text("Other pages"),
    "rules": Text("The rules"),
    "screen": Text("The shared screen"),
    "launcher": Text("The launcher"),
    "values": Text("What the cards count"),
    "rule": Text("Rule {id}"),
    # the menu
    "this_phone": Text("This phone"),
    "owners_phone": Text("It is the phone of the launcher’s owner."),
    "sound": Text("Sound"),
    "buzz": Text("Vibration"),
    "awake": Text("The screen stays awake while you play."),
    "stay_awake": Text(
        "So that the screen stays awake: in the phone's settings, let it turn off after 5 or 10 minutes."
    ),
    "evenings": Text("Past evenings"),
    "new_evening": Text("A new evening"),
    "people": Text("People"),
    "come_in": Text("Invite more people"),
    "code": Text("Code"),
    "addresses": Text("The QR code does not work? Type one of these:"),
    # scores
    "no_scores": Text("No points."),
    "winner": Text("{names} wins!"),
    "by_round": Text("Points of each {round}"),
    "total": Text("Total"),
    "luck": Text("Luck at the launcher"),
    "presses": Text("{n} press", plural="{n} presses"),
    "promised": Text("expected {promised}"),
    # before a match
    "which_game": Text("Which game?"),
    "which_tracking_mode": Text("How are you playing?"),
    "options": Text("House rules"),
    "deals": Text("The launcher deals"),
    "for_players": Text("{least} to {most} players"),
    "players": Text("{n} player: {least} to {most} needed.", plural="{n} players: {least} to {most} needed."),
    "no_players": Text("No players yet: {least} to {most} needed."),
    "start": Text("Play {game}"),
    "refused": REFUSED,
    # why the launcher waits, and the buttons that confirm the fix
    "trouble": {name: SENTENCES[name] for name in _TROUBLES}
    | {"open": Text("The lid is open. Shut it!"), "workshop": IN_WORKSHOP},
    "mended": {
        "jammed": Text("I have freed it"),
        "empty": Text("Loaded: go on"),
        "blind": Text("Done, go on"),
        "fault": Text("Done, go on"),
    },
    "by_itself": Text("Then it goes on by itself."),
}


_OF_SCREEN: Final = {"jokes": _JOKES, "scan": Text("Scan the code to play.")}


def table_texts(language: str, *, screen: bool) -> dict[str, Any]:
    """Return the texts for the scripts of a table page; the screen has some of its own, and the launcher's drawing."""
    if not screen:
        return {"table": said(_TEXTS, language)}
    return {"table": said({**_TEXTS, **_OF_SCREEN}, language), "launcher": script_texts(language)["launcher"]}
