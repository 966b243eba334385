/** The workshop: draws what the launcher tells, and says what somebody answers. It decides nothing. */

import { get, hand, say } from "./api.js";

const HOLD_MS = 120;
const AGAIN_MS = 1500;
const one = (id) => document.getElementById(id);
const figure = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const setting = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 4 });
let drawn = {};
let lidOpen = false;

function made(name, text = "", look = "") {
  const element = document.createElement(name);
  element.textContent = text;
  if (look) element.className = look;
  return element;
}

const plain = (label) => {
  const words = label.replace(/[[\]]/g, "");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** Draws only what is another than before: a button under a finger stays the same button. */
function draw(id, content, redraw) {
  const key = JSON.stringify(content ?? null);
  if (drawn[id] === key) return;
  drawn[id] = key;
  redraw(one(id), content);
}

function wrong(message) {
  draw("wrong", message, (element) => {
    element.textContent = message;
    element.hidden = !message;
  });
}

async function tell(path, fields) {
  try {
    await say(`/workshop/${path}`, fields);
    wrong("");
  } catch (error) {
    wrong(error.message);
  }
}

function button(label, act, look = "") {
  const element = made("button", plain(label), `handle ${look}`);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

/** As long as it is held, say so again and again: each sign begins one short run at most. */
function held(label, word) {
  const element = button(label, (event) => event.detail === 0 && tell("tell", { word })); // a keyboard's click
  let timer = 0;
  const end = () => {
    clearInterval(timer);
    timer = 0;
    element.classList.remove("held");
  };
  element.addEventListener("pointerdown", (event) => {
    end();
    element.setPointerCapture(event.pointerId);
    element.classList.add("held");
    let waiting = false;
    const again = async () => {
      if (waiting) return;
      waiting = true;
      await tell("tell", { word });
      waiting = false;
    };
    again();
    timer = setInterval(again, HOLD_MS);
  });
  for (const over of ["pointerup", "pointercancel", "lostpointercapture"]) element.addEventListener(over, end);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  window.addEventListener("blur", end);
  return element;
}

function showWizard(step) {
  one("wizard").hidden = step.over && !step.answers.length;
  draw("place", step.over ? "" : `${step.number} / ${step.steps}`, (element, text) => { element.textContent = text; });
  for (const name of ["title", "say", "seen"]) draw(name, step[name], (element, text) => { element.textContent = text; });
  draw("answers", step.answers, (element, answers) => {
    element.replaceChildren(...answers.map(({ answer, label }, at) => button(label, () => tell("tell", { word: answer }), at ? "" : "strong")));
  });
  draw("findings", step.findings, (element, findings) => {
    element.replaceChildren(...findings.map((each) => {
      const line = made("li", "", each.status);
      line.append(made("b", each.title), each.text);
      if (each.remedy) line.append(made("p", `→ ${each.remedy}`));
      return line;
    }));
  });
}

/** How often each part of the range came. */
function chart(shades) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${shades.length * 8} 28`);
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("preserveAspectRatio", "none");
  shades.forEach((share, at) => {
    const bar = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const height = share ? Math.max(2, share * 26) : 0;
    for (const [name, value] of Object.entries({ x: at * 8, y: 27 - height, width: 7, height })) bar.setAttribute(name, String(value));
    svg.append(bar);
  });
  const base = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ x: 0, y: 27, width: shades.length * 8, height: 1 })) base.setAttribute(name, String(value));
  svg.append(base);
  return svg;
}

function showFigures({ figures = [], proposals = [] }) {
  one("figures").hidden = !figures.length;
  one("proposed").hidden = !proposals.length;
  draw("measured", figures, (element, rows) => {
    element.replaceChildren(...rows.map((row) => {
      const line = made("li");
      const range = made("span", "", "range");
      range.append(`${figure.format(row.least)} · `, made("b", figure.format(row.median)), ` · ${figure.format(row.most)}`);
      line.append(made("span", `${row.name} (${row.number})`), range, chart(row.shades));
      return line;
    }));
  });
  draw("proposals", proposals, (element, all) => {
    element.replaceChildren(...all.flatMap((each) => {
      const change = made("dd", `${setting.format(each.now)} → ${setting.format(each.proposed)}`, "change");
      return [made("dt", each.setting), change, made("dd", each.why)];
    }));
  });
}

function showHand(seen) {
  const { lid_open, button_down, exit_blocked } = seen.levels;
  lidOpen = lid_open;
  for (const [id, on] of Object.entries({ lid: lid_open, button: button_down, exit: exit_blocked })) {
    draw(id, on, (element) => {
      element.textContent = on ? element.dataset.on : element.dataset.off;
      element.classList.toggle("on", on);
    });
  }
  draw("said", seen.said, (element, text) => { element.textContent = text; });
  draw("acts", seen.acts, (element, acts) => element.replaceChildren(...acts.map(({ answer, label }) => held(label, answer))));
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
  draw("done", seen.done, (element, text) => {
    element.textContent = text;
    element.hidden = !text;
  });
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
    drawn = {};
    one("findings").replaceChildren();
    await tell("open", { kind: element.dataset.open });
    show(await get("/workshop"));
  });
}
one("leave").addEventListener("click", async () => {
  await tell("close", {});
  show(await get("/workshop"));
});
one("toy-lid")?.addEventListener("click", () => hand("lid", { open: !lidOpen }).catch((error) => wrong(error.message)));
follow();
