"""``dispenser press``, ``eject``, ``load``, ``count``, ``reset``: one word for an act here, in Python, over HTTP."""

from __future__ import annotations

import json
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from dispenser.cli import launcher as commands
from dispenser.client import LauncherClient
from dispenser.journal import Journal
from dispenser.launcher.commands import COMMANDS
from tests.cli.fake_launcher import TOKEN, FakeLauncher
from tests.cli.run import run
from tests.cli.test_sentences import ended
from tests.cli.test_serve import page_of, started


@pytest.mark.parametrize(
    ("state", "code", "words"),
    [
        ("ready", 0, "Done: ready.\n"),
        ("fault", 1, "Still: broken. Plug it in, then reset.\n"),
        ("jammed", 1, "Still: jam. Plug it in, then reset.\n"),
        ("empty", 1, "Still: empty. Plug it in, then reset.\n"),
    ],
)
def test_reset_says_what_is_now_and_what_to_do(
    url: str, launcher: FakeLauncher, state: str, code: int, words: str
) -> None:
    launcher.state, launcher.detail = state, "Plug it in, then reset."
    done, as_json = run("reset", "--url", url), run("reset", "--url", url, "--json")
    assert (done.exit_code, done.stdout, as_json.exit_code) == (code, words, code)
    assert json.loads(as_json.stdout)["data"]["state"] == state


@pytest.mark.parametrize(
    ("words", "sent"),
    [(["press", "--id", "a"], {"id": "a"}), (["eject", "3", "--id", "b"], {"id": "b", "cards": 3})],
)
def test_press_and_eject_say_what_came_out(
    url: str, launcher: FakeLauncher, words: list[str], sent: dict[str, Any]
) -> None:
    done = run(*words, "--url", url)
    assert (done.exit_code, done.stdout) == (0, "Three cards!\n")
    assert launcher.presses == [sent]


def test_press_waits_for_its_own_burst_and_no_other(url: str, launcher: FakeLauncher) -> None:
    launcher.known["earlier"] = launcher.note("launcher.press.accepted", press=1, cards=None)
    launcher.outcome = None
    said: list[Result] = []
    thread = threading.Thread(target=lambda: said.append(run("press", "--url", url)))
    thread.start()
    with launcher.changed:
        assert launcher.changed.wait_for(lambda: len(launcher.journal) == 2, 10)
    launcher.note(**_burst(press=1, planned=7, delivered=7))
    launcher.note(**_burst(press=2, planned=2, delivered=2))
    thread.join(10)
    assert said[0].stdout == "Two cards!\n"


def _burst(**data: Any) -> dict[str, Any]:
    return {"type_": "launcher.burst.ended", **ended(**data).data, **data}


def test_a_refused_press_says_why_and_exits_with_1(url: str, launcher: FakeLauncher) -> None:
    launcher.refusal = "lid_open"
    done = run("press", "--url", url)
    assert (done.exit_code, done.stdout) == (1, "Refused. The lid is open: nothing can move. Shut the lid.\n")
    as_json = run("press", "--url", url, "--json")
    assert (as_json.exit_code, json.loads(as_json.stdout)["data"]) == (1, {"press": 2, "reason": "lid_open"})


def test_a_burst_cut_short_exits_with_1(url: str, launcher: FakeLauncher) -> None:
    launcher.outcome = {"planned": 5, "delivered": 2, "cause": "lid"}
    done = run("press", "--url", url)
    assert (done.exit_code, done.stdout) == (1, "2 of 5: the lid was lifted.\n")


def test_a_launcher_that_goes_away_in_the_middle(
    url: str, launcher: FakeLauncher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "LauncherClient", partial(LauncherClient, sleep=lambda _: None))
    launcher.outcome = None
    launcher.cuts = [0] * 100
    done = run("press", "--url", url)
    assert done.exit_code == 69
    assert "press 1 counts, but the launcher has gone" in done.stderr
    assert "'dispenser log --type launcher.burst'" in done.stderr


def test_nobody_answers() -> None:
    for command in ("press", "watch"):
        done = run(command, "--url", "http://127.0.0.1:1")
        assert (done.exit_code, done.stderr.count("\n")) == (69, 1)
        assert "(the connection is refused). Is a launcher running? 'dispenser demo'" in done.stderr


def test_the_token_comes_from_the_option_or_the_environment(url: str, launcher: FakeLauncher) -> None:
    launcher.token = TOKEN
    assert run("press", "--url", url, "--token", TOKEN).exit_code == 0
    assert run("press", "--url", url, DISPENSER_TOKEN=TOKEN).exit_code == 0
    without = run("press", "--url", url)
    assert (without.exit_code, len(without.stderr.splitlines())) == (69, 1)
    assert "give it with --token or in $DISPENSER_TOKEN" in without.stderr
    wrong = run("press", "--url", url, "--token", "x" * 16)
    assert (wrong.exit_code, wrong.stderr) == (
        69,
        "dispenser: that is not this launcher's token: it is in its settings, under [web]\n",
    )


def test_address_and_token_come_from_the_settings(url: str, launcher: FakeLauncher, tmp_path: Path) -> None:
    launcher.token = TOKEN
    config = tmp_path / "dispenser.toml"
    config.write_text(f'[web]\nhost = "0.0.0.0"\nport = {url.rpartition(":")[2]}\ntoken = "{TOKEN}"\n')
    assert run("press", "--config", str(config)).stdout == "Three cards!\n"
    elsewhere = run("press", "--config", str(config), "--url", url)
    assert elsewhere.exit_code == 69, "the token of the settings must not be sent to another address"


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ("[web]\nport = 0\n", 78, "give --url"),
        ("[web]\nprot = 1\n", 78, 'did you mean "port"?'),
    ],
)
def test_settings_that_name_no_address(tmp_path: Path, settings: str, code: int, words: str) -> None:
    config = tmp_path / "dispenser.toml"
    config.write_text(settings)
    done = run("press", "--config", str(config))
    assert done.exit_code == code
    assert words in done.stderr


# --- with a real launcher ---


@pytest.mark.parametrize("word", COMMANDS)
def test_each_command_of_the_launcher_is_one_in_the_terminal(word: str) -> None:
    assert run(word, "--help").exit_code == 0


def test_the_real_api_is_the_one_that_the_fake_plays(tmp_path: Path) -> None:
    with started(
        "demo", "--seed", "a", "--no-browser", "--port", "0", "--journal", str(tmp_path / "journal.sqlite3")
    ) as process:
        url = page_of(process).rstrip("/")
        refused = run("eject", "30", "--url", url)
        accepted, ending = map(json.loads, run("eject", "3", "--url", url, "--json").stdout.splitlines())
        again = run("eject", "3", "--url", url, "--id", accepted["data"]["request"], "--json")
        events = LauncherClient(url).events(0)
        seen = [next(events) for _ in range(ending["seq"])]
        events.close()
        out = ending["data"]["delivered"]
        counted = run("count", str(out + 1), "--url", url)
        uncounted = run("count", "4", "--press", "99", "--url", url)
        lid = run("simulator", "lid", "open", "--url", url)
        stack = run("simulator", "stack", "60", "--url", url)
        loaded = run("load", "60", "--url", url)
        trouble = run("simulator", "fault", "roller_jam", "--url", url)
        unknown = run("simulator", "fault", "rolle_jam", "--url", url)
        was_reset = run("reset", "--url", url)
        status = run("status", "--url", url)
    assert counted.stdout == f"Press 1: somebody counted {out + 1}, assumed: {out}.\n"
    assert (uncounted.exit_code, uncounted.stderr.count("\n")) == (1, 1)
    assert lid.stdout.startswith("The launcher, its lid open.\n")
    assert "Stack: 60" in stack.stdout
    assert loaded.stdout == "Cards inside: 60.\n"
    assert trouble.stdout.endswith("Faults: Cards jam (roller_jam).\n")
    assert was_reset.stdout.startswith(("Done: ", "Still: "))
    assert refused.exit_code == 2
    assert "1 to 12" in refused.stderr
    assert "openapi" not in refused.stderr
    assert unknown.exit_code == 2
    assert "'rolle_jam' is not one of 'roller_jam', " in unknown.stderr
    assert accepted["type"] == "launcher.press.accepted"
    assert ending["type"] == "launcher.burst.ended"
    assert ending["data"]["press"] == accepted["data"]["press"]
    assert json.loads(again.stdout.splitlines()[0]) == accepted, "the same id pressed twice"
    with Journal.read_only(tmp_path / "journal.sqlite3") as journal:
        assert seen == list(journal.read(before=ending["seq"] + 1))
    assert f"Address: {url}/ (simulated)" in status.stdout
