"""What is asserted of each page after each step of an evening, and what its buttons send."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any

from tests.table.buttons import leaves

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
  const ofScreen = screen ? [table.scan] : [];
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
            *[leaf["value"] for leaf in leaves(pick["cards"])][:least],
        ]
    if question.get("choices"):
        return question["key"], next(leaves(question["choices"]))["value"]
    return "", None


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
