// What waits behind the drawer: the last presses, luck, trouble to make, the journal. Drawn only while it is open.

import { get, hand } from "./api.js";
import { drawChart } from "./chart.js";
import { atTime, cameOf, count, entryText, fill, texts } from "./words.js";

const KEPT_ENTRIES = 60;
const SHOWN_BURSTS = 8;
const BURST_TYPES = ["launcher.burst.ended", "launcher.burst.counted"];
const STRIKES = { roller_jam: 9 }; // retracts free a jam now and then; nine in a row are not freed

const drawer = document.getElementById("drawer");
const at = (id) => document.getElementById(id);

const entries = new Map(); // seq → entry, the newest
const bursts = new Map(); // press → what came of it
let timer = 0;
let loaded = false;
let view = null;
let report = () => {};

export function setUp(theView, onProblem) {
  view = theView;
  report = onProblem;
  drawer.addEventListener("toggle", () => {
    if (drawer.open) open();
  });
  at("cells-new")?.addEventListener("click", () => doToy("cells", {}));
  at("cells-flat")?.addEventListener("click", () => doToy("cells", { voltage_v: 2.7 }));
  at("finger")?.addEventListener("click", () => doToy("button", {}));
  addEventListener("resize", () => refresh());
}

async function open() {
  if (!loaded) {
    loaded = true;
    const types = BURST_TYPES.map((type) => `&type=${type}`).join("");
    const pages = [`/journal?last=${2 * SHOWN_BURSTS}${types}`, `/journal?last=${KEPT_ENTRIES}`];
    try {
      for (const page of await Promise.all(pages.map(get))) page.entries.forEach(remember);
    } catch (problem) {
      loaded = false;
      report(problem);
    }
  }
  draw();
}

/** Takes an entry, new or missed, in any order. */
export function take(entry) {
  remember(entry);
  refresh();
}

function remember(entry) {
  if (BURST_TYPES.includes(entry.type)) rememberBurst(entry);
  entries.set(entry.seq, entry);
  if (entries.size > KEPT_ENTRIES) entries.delete(Math.min(...entries.keys()));
}

function rememberBurst({ type, data }) {
  if (type === "launcher.burst.ended") bursts.set(data.press, { ...data, delivered: bursts.get(data.press)?.counted ?? data.delivered });
  else bursts.set(data.press, { ...bursts.get(data.press), delivered: data.cards, counted: data.cards });
}

export function refresh() {
  if (!drawer.open || timer) return;
  timer = setTimeout(() => {
    timer = 0;
    draw();
  }, 200);
}

function draw() {
  drawBursts();
  drawJournal();
  drawLuck();
  drawToy();
}

function drawBursts() {
  if (!at("bursts")) return; // a script has none
  at("streak").textContent = count(texts.controls.streak, view.dud_streak);
  const newest = [...bursts.entries()].sort(([a], [b]) => b - a).slice(0, SHOWN_BURSTS);
  const rows = newest.map(([press, burst]) => {
    return row([press, cameOf(burst), texts.why[burst.cause] ?? ""]);
  });
  if (!rows.length) {
    const empty = row([texts.controls.nothing_yet]);
    empty.firstChild.colSpan = 3;
    rows.push(empty);
  }
  at("bursts").tBodies[0].replaceChildren(...rows);
}

function row(cells) {
  const line = document.createElement("tr");
  for (const cell of cells) line.insertCell().textContent = cell;
  return line;
}

function drawJournal() {
  const newest = [...entries.values()].sort((a, b) => b.seq - a.seq);
  at("journal").replaceChildren(
    ...newest.map((entry) => {
      const item = document.createElement("li");
      const time = document.createElement("time");
      time.dateTime = entry.time;
      time.textContent = atTime(entry.time);
      const words = document.createElement("span");
      words.textContent = entryText(entry);
      item.title = `${entry.seq} ${entry.type}`;
      item.append(time, words);
      return item;
    }),
  );
}

async function drawLuck() {
  if (!at("chart")) return;
  at("commitment").textContent = view.commitment ?? "";
  at("seed").hidden = !view.seed;
  if (view.seed) at("seed").textContent = fill(texts.controls.seed, { seed: view.seed });
  try {
    const odds = await get("/odds");
    drawChart(at("chart"), odds);
    at("tally").textContent = fill(texts.controls.tally, odds);
  } catch (problem) {
    report(problem);
  }
}

async function drawToy() {
  if (!at("faults")) return;
  try {
    showToy(await get("/toy"));
  } catch (problem) {
    report(problem);
  }
}

function showToy(toy) {
  const place = at("faults");
  if (!place.childElementCount) place.append(...Object.keys(toy.faults).map(faultSwitch));
  for (const box of place.querySelectorAll("input")) box.checked = toy.faults[box.value];
  const say = texts.toy;
  const facts = [
    [say.cells, fill(say.volts, { voltage: Math.round(toy.cell_voltage_v * 10) / 10 })],
    [say.motor, toy.motor_commanded === 0 ? say.motor_off : say.motor_on],
    [say.stack, count(texts.controls.cards, toy.cards_in_stack)],
  ];
  at("toy-facts").replaceChildren(
    ...facts.flatMap(([name, value]) => {
      const term = document.createElement("dt");
      const description = document.createElement("dd");
      term.textContent = name;
      description.textContent = value;
      return [term, description];
    }),
  );
}

function faultSwitch(name) {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.value = name;
  box.addEventListener("change", () => doToy("fault", { fault: name, on: box.checked, cards: STRIKES[name] ?? 1 }));
  label.append(box, texts.faults[name] ?? name);
  return label;
}

async function doToy(path, fields) {
  try {
    showToy(await hand(path, fields));
  } catch (problem) {
    report(problem);
    refresh();
  }
}
