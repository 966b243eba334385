// The big button is what one must do now: press, or whatever comes before the next press.

import { showsCard } from "./state.js";

const GRACE_MS = 500; // whoever hammers on the button shall not do what it has only just become
const PRESSES = ["press", "wait", "none"];

/** One word; what it says is in the texts, how it looks in page.css, what it does in page.js. */
export function deedOf(view, simulated) {
  const { connected, state, burst_press, refusal, journal } = view;
  if (!connected || state === "off" || journal === null) return "none"; // without a session nothing can be done here
  if (state === "fault" || state === "blind") return "done";
  if (state === "jammed") return simulated ? "free" : "freed";
  if (state === "empty") return simulated ? "load" : "loaded";
  if (burst_press === null && showsCard(view) && ["open", "ready"].includes(state)) return "take";
  if (state === "open") return "shut";
  return refusal === null ? "press" : "wait";
}

let shown = "none";
let changedMs = -GRACE_MS;

/** Dresses the button. Tells whether it may be pressed by now; if not yet, `again` is called when it may. */
export function showDeed(button, deed, words, again) {
  if (deed !== shown) {
    if (!PRESSES.includes(deed) || !PRESSES.includes(shown)) {
      changedMs = performance.now();
      setTimeout(again, GRACE_MS);
    }
    shown = deed;
    button.dataset.deed = deed;
    button.querySelector(".label").textContent = words;
  }
  const may = deed !== "none" && performance.now() - changedMs >= GRACE_MS - 1;
  button.setAttribute("aria-disabled", String(!may));
}
