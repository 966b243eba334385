"""What README and guides say is so: each command, curl and Python example runs, each link leads somewhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import typer.main

import dispenser
from dispenser.cli import app
from dispenser.client import LauncherClient
from dispenser.launcher.commands import Load
from tests.cli.test_simulator import running
from tests.launcher.diagram import mermaid
from tests.waiting import wait_until

ROOT = Path(__file__).parent.parent
PACKAGES = ("web", "mqtt", "simulator", "rules", "odds", "journal", "table")
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *(ROOT / folder / "README.md" for folder in ("hardware", "firmware", "systemd", "tests/scenarios")),
    *(ROOT / "dispenser" / package / "README.md" for package in PACKAGES),
    ROOT / "dispenser/table/first-evening.md",
]
RULES = (ROOT / "dispenser/rules/README.md").read_text(encoding="utf-8")
SIMULATOR = (ROOT / "dispenser/simulator/README.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NEEDS_MORE = re.compile(
    r"sudo|dispenser (run|demo|watch|manual|selftest|calibrate|doctor|firmware|hotspot|simulator|evenings delete|"
    r"rules simulate|reset)\b|.*(usr|/dev/)"
)
"""What needs root, a terminal, a board, pins, an extra or minutes: only their words are checked."""
USAGE_ERROR: Any = typer.BadParameter.__base__
"""What is wrong with a command line; a sentence may leave out a value, or write ``SEQ`` for it."""
INPUT = {"dispenser rules play uno-extreme": "save match.json\nquit\n", "dispenser rules play --resume": "quit\n"}
"""What is typed into a command that asks."""


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)


def examples(document: Path, program: str) -> list[str]:
    """The lines of a document's shell blocks that call a program, without their comments."""
    lines = "".join(blocks("sh", document.read_text(encoding="utf-8"))).replace("\\\n", " ").splitlines()
    commands = (re.sub(r"\s+# .*", "", line.strip()) for line in lines)
    return [command for command in commands if re.match(rf"(sudo )?{program} ", command)]


def in_text(document: Path) -> list[str]:
    """Commands that stand in a sentence."""
    return re.findall(r"`(?:sudo )?(dispenser [a-z][^`…]*)`", document.read_text(encoding="utf-8"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_that_a_document_names_is_one(document: Path) -> None:
    for line in [*examples(document, "dispenser"), *in_text(document)]:
        words = shlex.split(" ".join(line.removeprefix("sudo ").split()), comments=True)[1:]
        command, context = typer.main.get_command(app), None
        name: str | None = "dispenser"
        try:
            while words or context is None:
                context = command.make_context(name, words, parent=context)
                if not hasattr(command, "resolve_command"):
                    break
                rest = [*context._protected_args, *context.args]  # noqa: SLF001 - there is no other way
                if not rest:
                    break
                name, found, words = command.resolve_command(context, rest)
                command = found or command
        except typer.Exit:  # --help
            continue
        except USAGE_ERROR as error:
            if type(error).__name__ not in {"BadParameter", "MissingParameter", "BadOptionUsage"}:
                pytest.fail(f"{document}: {line}: {error.format_message()}")


@contextmanager
def running_demo(folder: Path) -> Iterator[tuple[LauncherClient, dict[str, str]]]:
    """A simulated launcher, and the environment in which commands find it and the files that examples name."""
    (folder / "tests").symlink_to(ROOT / "tests")
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT), "LANG": "C.UTF-8", "NO_COLOR": "1"}
    words = ["demo", "--no-browser", "--port", "0", "--journal", "evening.sqlite3", "--seed", "documents"]
    command = [sys.executable, "-m", "dispenser", *words]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            page = (re.search(r"http://127\.0\.0\.1:\d+", line) for line in process.stdout)
            address = next(found[0] for found in page if found)
            settings = folder / "dispenser.toml"
            journal = folder / "evening.sqlite3"
            tables = f'[web]\nport = {address.rpartition(":")[2]}\n[journal]\npath = "{journal}"\n'
            settings.write_text(tables, encoding="utf-8")
            yield LauncherClient(address), {**environment, "DISPENSER_CONFIG": str(settings)}
        finally:
            process.terminate()


def is_ready(client: LauncherClient) -> bool:
    """Whether a press would count; a card that sticks out is taken."""
    now = client.snapshot()
    if now["refusal"] == "card_in_exit":
        client.post("/simulator/take")
    return now["state"] == "ready" and now["refusal"] != "card_in_exit"


def test_commands_and_curl_of_all_documents_run_against_a_demo(tmp_path: Path) -> None:
    with running_demo(tmp_path) as (client, environment):
        while client.snapshot()["seq"] < 50:  # an example listens after record 41
            client.send(Load(112))
        for document, line in ((each, line) for each in DOCUMENTS for line in examples(each, "(dispenser|curl)")):
            if NEEDS_MORE.match(line):
                continue
            wait_until(lambda: is_ready(client), f"ready for: {line}")
            words = shlex.split(line.replace("http://localhost:8112", client.url).replace("localhost:8112", client.url))
            if words[0] == "dispenser":
                words[:1] = [sys.executable, "-m", "dispenser"]
            typed = next((INPUT[each] for each in INPUT if line.startswith(each)), "")
            with subprocess.Popen(
                words,
                cwd=tmp_path,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            ) as process:
                assert process.stdin is not None
                assert process.stdout is not None
                if "-sN" in words:  # a stream has no end
                    said = process.stdout.readline()
                    process.kill()
                else:
                    said, _ = process.communicate(typed)
                    code = process.returncode
                    assert code == 0 or (code == 3 and "audit" in line), f"{document}: {line}: {said}"
            assert said, f"{document}: {line}: no answer"
            assert '"error"' not in said, f"{document}: {line}: {said}"


def test_the_version_is_the_projects() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert dispenser.__version__ == project["version"]


def test_the_state_diagram_is_the_machines() -> None:
    guide = (ROOT / "dispenser/launcher/README.md").read_text(encoding="utf-8")
    assert blocks("mermaid", guide) == [mermaid()], "stale: put the output of 'python -m tests.launcher.diagram' there"


@pytest.mark.parametrize(
    ("example", "says"),
    [
        (blocks("python")[1], r"^Ada pressed: \d+ cards, (dud|complete)$"),
        (blocks("python", RULES)[0], r"^Not allowed by G-04: that card is not in the hand\. Seat 2 can: .+$"),
        (blocks("python", SIMULATOR)[0], r"^0$"),
    ],
    ids=["launcher", "rules", "simulator"],
)
def test_the_python_examples_run(tmp_path: Path, example: str, says: str) -> None:
    assert len([line for line in example.splitlines() if line.startswith("        ")]) <= 10
    done = subprocess.run(
        [sys.executable, "-c", example],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        env={**os.environ, "GPIOZERO_PIN_FACTORY": "launcher"},
    )
    assert done.returncode == 0, done.stderr
    assert re.search(says, done.stdout, re.MULTILINE), done.stdout


def test_the_script_for_the_simulator_brings_three_cards_at_a_push(tmp_path: Path) -> None:
    with running(blocks("python")[0], tmp_path) as (_, client):

        def starts() -> bool:
            """A push before the script listens does nothing, so the button is pushed again once it is up."""
            now = client.get("/simulator")
            if not now["button_down"]:
                client.post("/simulator/button", hold_s=0.2)
            return bool(now["motor_commanded"] or now["cards_out"])

        wait_until(starts, "the motor's start")
        wait_until(lambda: client.get("/simulator")["cards_out"] >= 3, "three cards")
        wait_until(lambda: client.get("/simulator")["motor_commanded"] == 0, "the motor's stop")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_pictures_lead_somewhere(document: Path) -> None:
    for link, chapter in re.findall(r"(?:\]\(|src=\")([^)\"#:]*)(?:#([\w-]+))?[)\"]", document.read_text("utf-8")):
        leads_to = document.parent / link if link else document
        assert leads_to.exists(), link
        if chapter:
            titles = re.findall(r"^#+ (.+)$", leads_to.read_text("utf-8"), re.MULTILINE)
            assert chapter in {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in titles}, chapter


def test_links_to_code_lead_to_the_file_that_defines_the_name() -> None:
    links = re.findall(r"\[`([\w.]+)`\]\(([\w/.]+\.py)\)", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert len(links) > 20
    for symbol, path in links:
        definition = rf"^\s*(?:(?:async )?def |class ){symbol.rpartition('.')[2]}\b|^{symbol}\b.* = "
        assert re.search(definition, (ROOT / path).read_text(), re.MULTILINE), f"{path} does not define {symbol}"


def test_the_picture_of_the_data_flow_names_modules_that_are_there() -> None:
    picture = next(block for block in blocks("", CONTRIBUTING) if "edges" in block)
    named = re.findall(r"[a-z]+(?:/[a-z_]+)+", picture)
    assert len(named) > 9
    for name in named:
        assert [*ROOT.glob(f"dispenser/{name}.py"), *ROOT.glob(f"dispenser/{name}/__init__.py")], name


def test_every_folder_of_the_table_is_there() -> None:
    places = re.findall(r"^\| `([a-z/_0-9]+)` \|", CONTRIBUTING.split("## Where things are")[1], re.MULTILINE)
    assert len(places) > 20
    for place in places:
        assert (ROOT / place).exists(), place


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 130


@pytest.mark.parametrize("command", ["demo", "test"])
def test_the_two_commands_are_there_and_can_be_run(command: str) -> None:
    assert f".ci/{command} " in blocks("sh")[0]
    assert os.access(ROOT / ".ci" / command, os.X_OK)


def test_ci_calls_the_test_command() -> None:
    assert re.search(r"^exec \.ci/test$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
