"""What is asserted of each page after each step of an evening, and of each button before anybody taps it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dispenser.table import commands as c
from dispenser.table.decisions import decide, execute
from dispenser.table.errors import TableRefusal
from dispenser.table.people import Who
from dispenser.table.presses import order
from dispenser.table.replay import event_of
from dispenser.table.table import Table

if TYPE_CHECKING:
    from tests.browser.party import Party

SHOWN = """
async () => {
  const answer = await fetch("/api/v1/table/view");
  const view = answer.ok ? await answer.json() : null;
  const { table } = JSON.parse(document.getElementById("texts").textContent);
  const { at } = document.body.dataset;
  scrollTo(0, 0);
  const scope = document.querySelector("dialog[open]") ?? document.body;
  const faults = [];
  const seen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !one.closest(".visually-hidden, .skip, noscript, .too-old");
  const named = (one) => `${one.tagName.toLowerCase()}${[...one.classList].map((name) => `.${name}`).join("")} `
    + `“${one.textContent.trim().replaceAll(/\\s+/g, " ").slice(0, 40)}”`;
  const box = ({ left, top, right, bottom }) => `${[left, top, right, bottom].map(Math.round).join(" ")}`;
  const room = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const within = (inner, outer, x, y) =>
    (x === null || (inner.left >= outer.left - x && inner.right <= outer.right + x))
    && (y === null || (inner.top >= outer.top - y && inner.bottom <= outer.bottom + y));
  const row = (all, most) => {
    const top = (one) => one.getBoundingClientRect().top;
    return all.length <= most ? all : all.filter((one) => top(one) < Math.min(...all.map(top)) + 24);
  };

  // Main actions are in the window, and nothing lies on them.
  const enabled = (one) => seen(one) && one.ariaDisabled !== "true" && !one.closest("[inert]");
  const live = (selector) => [...scope.querySelectorAll(selector)].filter(enabled);
  const actions = new Set([...live(".dome, .kind-main, .kind-push, .kind-call, .likely"), ...row(live(".lay"), 0)]);
  for (const group of scope.querySelectorAll("#act .asks, .step .choices"))
    for (const one of row([...group.children].filter(enabled), 8)) actions.add(one);
  for (const one of actions) {
    const its = one.getBoundingClientRect();
    if (!within(its, room, 1, 1)) {
      faults.push(`main action outside of the window: ${named(one)} at ${box(its)}`);
      continue;
    }
    for (const [x, y] of [[0.5, 0.5], [0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]]) {
      const top = document.elementFromPoint(its.left + x * its.width, its.top + y * its.height);
      if (!one.contains(top)) {
        faults.push(`main action covered: ${named(one)} at ${box(its)} by ${top ? named(top) : "nothing"}`);
        break;
      }
    }
  }

  // Texts are whole.
  const scrolls = (style) => /auto|scroll/.test(style);
  const cuts = (style) => /hidden|clip/.test(style);
  const texts = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!text.data.trim() || !seen(parent) || parent.closest("svg, script, style, select")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    let [x, y] = [1, true];
    for (let one = parent; one && rects.length; one = one.parentElement) {
      const style = getComputedStyle(one);
      const outer = one.getBoundingClientRect();
      if (scrolls(style.overflowX)) x = null;
      if (scrolls(style.overflowY)) y = false;
      const [aside, below] = [cuts(style.overflowX) ? x : null, y && cuts(style.overflowY)];
      const away = rects.find((each) => !within(each, outer, aside, below ? each.height / 4 : null));
      const dots = one === parent && style.textOverflow === "ellipsis" && one.scrollWidth > one.clientWidth + 1;
      if (away || dots) {
        faults.push(`clipped text: ${named(parent)} at ${box(away ?? rects[0])} in ${named(one)} at ${box(outer)}`);
        break;
      }
    }
    const beside = x !== null && rects.find((each) => !within(each, room, 1, null));
    if (beside) faults.push(`text beside the window: ${named(parent)} at ${box(beside)}`);
    if (rects.length < 2 || parent.closest(".address, .addresses, .code")) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size < 2) continue;
      faults.push(`broken word: “${word}” in ${named(parent)} at ${box(range.getBoundingClientRect())}`);
    }
  }
  const sentence = document.querySelector("#sentence, .now .sentence, p.sentence");
  if (sentence?.scrollHeight > sentence?.clientHeight + 8) faults.push(`headline beyond its place: ${named(sentence)}`);
  for (const one of document.querySelectorAll(".notice")) faults.push(`refused: ${named(one)}`);

  // Headline and what is read aloud are those of the view.
  const written = sentence?.textContent.trim() ?? "";
  const read = document.getElementById("said").textContent.trim();
  const screen = document.body.classList.contains("screen");
  const ofScreen = screen ? [table.scan, ...Object.values(table.refused), ...table.jokes] : [];
  const trouble = [...Object.values(table.trouble), ...ofScreen];
  if (!written) faults.push("the headline is empty");
  if (view && view.phase !== "closed" && at === String(view.at)) {
    if (![view.sentence, ...trouble].includes(written)) faults.push(`headline “${written}” for “${view.sentence}”`);
    const news = view.news.at(-1)?.text ?? "";
    const now = [view.sentence, news, `${news} ${view.sentence}`, ...trouble, ...(screen ? [""] : [])];
    if (!now.includes(read)) faults.push(`read aloud: “${read}” for “${view.sentence}”, news “${news}”`);
  }
  return { at, view, written, read, faults };
}
"""
"""In a page of the table: the number of what it shows, its view as the server makes it now, and what is wrong."""


def sends(choices: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What the buttons of a tree send, with a likely answer where they ask for one."""
    for choice in choices:
        if "next" in choice:
            yield from sends(choice["next"])
            continue
        send = choice.get("send")
        if send is None:
            continue
        send = copy.deepcopy(send)
        for question in choice.get("form", [choice]):
            key, value = _answer(question)
            if key:
                _fill(send, key.split("."), value)
        yield send


def _answer(question: dict[str, Any]) -> tuple[str, Any]:
    if number := question.get("number"):
        likely = number.get("likely")
        return number["key"], number["least"] if likely is None else likely
    if text := question.get("text") if isinstance(question.get("text"), dict) else None:
        return text["key"], "Nadia"
    if pick := question.get("pick"):
        least = pick["least"] - len(pick["given"])
        return pick.get("key") or question["key"], [
            *pick["given"],
            *[leaf["value"] for leaf in _leaves(pick["cards"])][:least],
        ]
    if question.get("choices"):
        return question["key"], next(_leaves(question["choices"]))["value"]
    return "", None


def _leaves(choices: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for choice in choices:
        if "next" in choice:
            yield from _leaves(choice["next"])
        else:
            yield choice


def _fill(into: Any, path: list[str], value: Any) -> None:
    *way, last = path
    for name in way:
        into = into[int(name)] if isinstance(into, list) else into[name]
    into[int(last) if isinstance(into, list) else last] = value


def buttons(view: dict[str, Any]) -> list[dict[str, Any]]:
    """All that a view has to tap on the page."""
    grouped = [each["choices"] for each in (view["asks"], view["recount"]) if each]
    laid = [each["choice"] for each in view["hand"] if each["choice"]]
    push = [view["push"]] if view["push"] else []
    return [*view["choices"], *view["always"], *view["quick"], *laid, *push, *(one for some in grouped for one in some)]


class Judge:
    """Knows whether the table would refuse something, and does not do it."""

    def __init__(self, on: Party) -> None:
        self._on = on
        self._seq = 0
        self._twin = Table(self._secret, {})
        """Hears what is in the journal, and is copied to try something."""

    def _secret(self, commitment: str) -> bytes:
        return bytes.fromhex(dict(self._on.service.journal.unrevealed_secrets()).get(commitment, "00"))

    def refusal(self, send: dict[str, Any], person: int | None, *, owner: bool, tried: bool = False) -> str:
        """Why the table would refuse that now; empty when it would not.

        :param tried: at a copy, which takes longer: what the rules say of it is found out as well.
        """
        evening = self._on.service.evening
        assert evening is not None
        table = evening.table
        if send.get("press") is True:
            if person is None and not owner:
                return "one only watches"
            other = None if owner else evening.other_presser(person)
            return f"{other} is to press" if other else str(order(table, MOST_CARDS).why or "")
        if "do" not in send:
            return ""
        who = Who(person, owner, table.at, present=evening.present, secret="ab" * 32, table="another")
        try:
            if tried:
                execute(self._copy(), msgspec.convert(send, c.AnyCommand), who)
            else:
                decide(table, msgspec.convert(send, c.AnyCommand), who)
        except TableRefusal as refusal:
            return refusal.text["en"]
        return ""

    def _copy(self) -> Table:
        for entry in self._on.service.journal.read(after=self._seq, types=["table.*"]):
            self._seq = entry.seq
            if (written := event_of(entry)) is not None:
                self._twin.apply(written)
        return copy.deepcopy(self._twin, {id(self): self})


MOST_CARDS: Final = 30
