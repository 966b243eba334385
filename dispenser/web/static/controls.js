// What every page with a launcher on it has: the dialog for loading, its steps, the switch for sound, the space bar, the
// drawer; and what a phone can do: stay awake, buzz.

import { hand, Problem } from "./api.js";
import * as sound from "./sound.js";
import { fill, texts } from "./words.js";

const at = (id) => document.getElementById(id);

/** `load(cards)` is called when somebody said how many. */
export function setUpControls(load) {
  at("load-open").addEventListener("click", () => at("load").showModal());
  at("load-cancel").addEventListener("click", () => at("load").close());
  at("load-form").addEventListener("submit", () => load(at("load-cards").valueAsNumber));

  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => {
      const input = button.parentElement.querySelector("input");
      const next = (input.valueAsNumber || 0) + Number(button.dataset.step);
      input.value = Math.min(Number(input.max), Math.max(Number(input.min), next));
    });
  }

  stayAwake();
  document.addEventListener("visibilitychange", stayAwake);

  const show = (on) => at("sound").setAttribute("aria-pressed", String(on));
  show(sound.isOn());
  at("sound").addEventListener("click", () => show(sound.toggle()));
}

const NEWS_MS = 2600;

/** A passing remark, which comes before what else the sentence says. `show()` draws the page. */
export function newsLine(show) {
  let timer = 0;
  const news = {
    text: "",
    display(text) {
      news.text = text;
      clearTimeout(timer);
      if (text) timer = setTimeout(() => news.display(""), NEWS_MS);
      show();
    },
    report: (problem) => news.display(problem instanceof Problem ? fill(texts.sentence.failed, { message: problem.message }) : texts.sentence.lost),
  };
  return news;
}

export function showSentence(text) {
  const line = at("sentence");
  if (line.textContent !== text) line.textContent = text; // said aloud once
  line.classList.toggle("long", text.length > 34);
}

const PAUSE_MS = 450; // so that one sees what the hands do

export const liftLid = () => hand("lid", { open: true });
export const shutLid = () => hand("lid", { open: false });
export const takeCard = () => hand("take", {});
export const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

/** A simulated stack is filled by hand, as a real one: lid up, cards in, lid down. */
export function stackFilled(view, cards, ...then) {
  const fillStack = [() => hand("stack", { cards }), ...then];
  return view.lid_open ? fillStack : [liftLid, pause, ...fillStack, pause, shutLid];
}

/** The drawer, whose scripts come when it is opened first. Until then it need not hear of anything. */
export function pullOutDrawer(view, report) {
  const box = at("drawer");
  let inside = null;
  setUpTabs(box.querySelector("[role=tablist]"), () => inside?.draw());
  box.addEventListener("toggle", async () => {
    if (!box.open) return;
    try {
      if (!inside) (inside = await import("./drawer.js")).setUp(view, report);
      await inside.open();
      box.dataset.ready = "";
    } catch (problem) {
      report(problem);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open || document.querySelector("dialog[open]")) return;
    box.open = false;
    at("drawer-handle").focus();
  });
  return { take: (record) => inside?.take(record), refresh: () => inside?.refresh() };
}

/** Tabs, as WAI-ARIA has them: one is open, arrows go from one to the next. `onOpen()`: another panel is seen. */
function setUpTabs(list, onOpen) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

  function open(chosen) {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      panelOf(tab).hidden = tab !== chosen;
    }
    onOpen();
  }

  for (const tab of tabs) tab.addEventListener("click", () => open(tab));
  list.addEventListener("keydown", (event) => {
    const here = tabs.indexOf(document.activeElement);
    const next = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined || here < 0) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length];
    tab.focus();
    open(tab);
  });
}

/** A launcher on the table is looked at more than touched. Browsers allow it only where the address is trusted. */
function stayAwake() {
  if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {}); // low on power
}

/** Before the first touch a browser takes it amiss. */
export function buzz(durationMs) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(durationMs);
}

/** The space bar, where it does nothing else. */
export const isFreeSpace = (event) =>
  event.code === "Space" && !event.target.closest("input, button, a, summary, dialog, [tabindex]");
