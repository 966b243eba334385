// The workshop: draws what the launcher tells, and says what somebody answers. It decides nothing.

import { get, hand, say } from "./api.js";
import { html, nothing, render, svg } from "./table/lit-html.js";

const HOLD_MS = 120;
const AGAIN_MS = 1500;
const one = (id) => document.getElementById(id);
const figure = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const setting = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 4 });
let lidOpen = false;

const plain = (label) => {
  const words = label.replace(/[[\]]/g, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Text that is said aloud when it changes, and only then. */
function write(id, text) {
  if (one(id).textContent !== text) one(id).textContent = text;
}

function wrong(message) {
  write("wrong", message);
  one("wrong").hidden = !message;
}

async function post(path, fields) {
  try {
    await say(`/workshop/${path}`, fields);
    wrong("");
  } catch (error) {
    wrong(error.message);
  }
}

const button = ({ answer, label }, place) =>
  html`<button type="button" class="handle ${place ? "" : "strong"}" @click=${() => post("answer", { answer: answer })}>${plain(label)}</button>`;

const holding = new Map(); // a button under a finger stays the same button

/** As long as it is held, say so again and again: each sign begins one short run at most. */
function held({ answer: word, label }) {
  if (holding.has(label)) return holding.get(label);
  const element = Object.assign(document.createElement("button"), { type: "button", className: "handle", textContent: plain(label) });
  holding.set(label, element);
  let timer = 0;
  let waiting = false;
  const again = async () => {
    if (waiting) return;
    waiting = true;
    await post("answer", { answer: word });
    waiting = false;
  };
  const end = () => {
    clearInterval(timer);
    element.classList.remove("held");
  };
  element.addEventListener("click", (event) => event.detail === 0 && again()); // a keyboard's click
  element.addEventListener("pointerdown", (event) => {
    end();
    element.setPointerCapture(event.pointerId);
    element.classList.add("held");
    again();
    timer = setInterval(again, HOLD_MS);
  });
  for (const over of ["pointerup", "pointercancel", "lostpointercapture"]) element.addEventListener(over, end);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  addEventListener("blur", end);
  return element;
}

function showWizard(step) {
  one("wizard").hidden = step.over && !step.answers.length;
  write("place", step.over ? "" : `${step.number} / ${step.steps}`);
  for (const name of ["title", "say", "seen"]) write(name, step[name]);
  render(step.answers.map(button), one("answers"));
  render(step.findings.map(finding), one("findings"));
}

const finding = ({ status, title, text, remedy }) =>
  html`<li class=${status}><b>${title}</b>${text}${remedy ? html`<p>→ ${remedy}</p>` : nothing}</li>`;

/** How often each part of the range came. */
function chart(shades) {
  const width = shades.length * 8;
  return html`<svg viewBox="0 0 ${width} 28" aria-hidden="true" preserveAspectRatio="none">
    ${shades.map((share, place) => {
      const height = share ? Math.max(2, share * 26) : 0;
      return svg`<rect x=${place * 8} y=${27 - height} width="7" height=${height} />`;
    })}
    <rect x="0" y="27" width=${width} height="1" />
  </svg>`;
}

const measured = ({ name, number, least, median, most, shades }) =>
  html`<li><span>${name} (${number})</span><span class="range">${figure.format(least)} · <b>${figure.format(median)}</b> · ${figure.format(most)}</span>${chart(shades)}</li>`;

const proposal = ({ setting: key, now, proposed, why }) =>
  html`<dt>${key}</dt><dd class="change">${setting.format(now)} → ${setting.format(proposed)}</dd><dd>${why}</dd>`;

function showFigures({ figures = [], proposals = [] }) {
  one("figures").hidden = !figures.length;
  one("proposed").hidden = !proposals.length;
  render(figures.map(measured), one("measured"));
  render(proposals.map(proposal), one("proposals"));
}

function showHand(seen) {
  const { lid_open, button_down, exit_blocked } = seen.levels;
  lidOpen = lid_open;
  for (const [id, on] of Object.entries({ lid: lid_open, button: button_down, exit: exit_blocked })) {
    write(id, one(id).dataset[on ? "on" : "off"]);
    one(id).classList.toggle("on", on);
  }
  write("said", seen.said);
  render(seen.acts.map(held), one("acts"));
}

function show(seen) {
  one("choose").hidden = seen.open;
  one("leave").hidden = !seen.open;
  one("hand").hidden = seen.kind !== "manual";
  one("done").hidden = !seen.done;
  if (!seen.open) {
    one("wizard").hidden = true;
    return;
  }
  if (seen.trouble) wrong(seen.trouble);
  write("done", seen.done);
  if (seen.wizard) showWizard(seen.wizard);
  else showHand(seen);
  showFigures(seen);
}

async function follow() {
  let number = null;
  for (;;) {
    try {
      const seen = await get(number === null ? "/workshop" : `/workshop?number=${number}`);
      show(seen);
      number = seen.open ? seen.number : null;
      if (!seen.open) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    } catch (error) {
      wrong(error.message);
      number = null;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

for (const element of document.querySelectorAll("[data-open]")) {
  element.addEventListener("click", async () => {
    render(nothing, one("findings"));
    await post("open", { kind: element.dataset.open });
    show(await get("/workshop"));
  });
}
one("leave").addEventListener("click", async () => {
  await post("close", {});
  show(await get("/workshop"));
});
one("simulator-lid")?.addEventListener("click", () => hand("lid", { open: !lidOpen }).catch((error) => wrong(error.message)));
follow();
