// What waits behind the drawer: the last presses, luck, trouble to make, the journal. Drawn only while it is open.

import { command, get, hand, Problem } from "./api.js";
import { drawChart } from "./chart.js";
import { happenings } from "./fold.js";
import { atTime, cameOf, count, entryText, fill, texts } from "./words.js";

const KEPT_ENTRIES = 200;
const COUNTED_BURSTS = 500; // beyond that nobody counts them, and they go by the time
const SHOWN_BURSTS = 8;
const BURST_TYPES = ["launcher.burst.ended", "launcher.burst.counted"];
const STRIKES = { roller_jam: 9 }; // retracts free a jam now and then; nine in a row are not freed

const drawer = document.getElementById("drawer");
const at = (id) => document.getElementById(id);

const entries = new Map(); // seq → entry, the newest
const bursts = new Map(); // press → what came of it
const unfolded = new Set(); // happenings that somebody opened, by their first entry
let timer = 0;
let loaded = false;
let countable = true;
let deeds = 0; // by hand, so far
let underway = 0; // and not answered yet
let view = null;
let report = () => {};

export function setUp(theView, onProblem) {
  view = theView;
  report = onProblem;
  at("cells-new")?.addEventListener("click", () => doToy("cells", {}));
  at("cells-flat")?.addEventListener("click", () => doToy("cells", { voltage_v: 2.7 }));
  at("finger")?.addEventListener("click", () => doToy("button", {}));
  at("computer-open")?.addEventListener("click", askAboutComputer);
  at("computer-cancel")?.addEventListener("click", () => at("computer").close());
  for (const button of document.querySelectorAll("#computer [data-act]")) {
    button.addEventListener("click", () => switchComputer(button.dataset.act));
  }
  addEventListener("resize", () => refresh());
}

function askAboutComputer() {
  at("computer-said").textContent = "";
  at("computer").showModal();
}

async function switchComputer(act) {
  const said = at("computer-said");
  try {
    const { done } = await command("/computer", { act });
    said.textContent = done ? texts.controls.switching : texts.controls.only_simulated;
  } catch (problem) {
    said.textContent = problem instanceof Problem ? problem.message : texts.controls.switching; // it has gone already
  }
}

export async function open() {
  if (!loaded) {
    loaded = true;
    const [ended, counted] = BURST_TYPES;
    const pages = [`last=${COUNTED_BURSTS}&type=${ended}`, `last=${SHOWN_BURSTS}&type=${counted}`, `last=${KEPT_ENTRIES}`];
    try {
      const [ends, counts, newest] = await Promise.all(pages.map((page) => get(`/journal?${page}`)));
      countable = ends.entries.length < COUNTED_BURSTS;
      [...ends.entries, ...counts.entries].forEach(rememberBurst);
      newest.entries.forEach(remember);
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

function rememberBurst({ type, data, time }) {
  const known = bursts.get(data.press);
  if (type === BURST_TYPES[0]) bursts.set(data.press, { ...data, time, counted: known?.counted, delivered: known?.counted ?? data.delivered });
  else bursts.set(data.press, { ...known, delivered: data.cards, counted: data.cards });
}

export function refresh() {
  if (!drawer.open || timer) return;
  timer = setTimeout(() => {
    timer = 0;
    draw();
  }, 200);
}

/** Only what is seen. */
export function draw() {
  for (const [panel, drawIt] of Object.entries(PANELS)) if (at(panel) && !at(panel).hidden) drawIt();
}

const PANELS = { "panel-bursts": drawBursts, "panel-odds": drawLuck, "panel-trouble": drawToy, "panel-journal": drawJournal };

/** Numbered without those that did not count; the journal's own number is in the title. */
function drawBursts() {
  at("streak").textContent = count(texts.controls.streak, view.dud_streak);
  const inOrder = [...bursts.entries()].filter(([, burst]) => burst.cause).sort(([a], [b]) => a - b);
  const rows = inOrder.map(([press, burst], place) => {
    const line = row([countable ? place + 1 : atTime(burst.time), cameOf(burst), texts.why[burst.cause] ?? ""]);
    line.title = press;
    return line;
  });
  if (!rows.length) {
    const empty = row([texts.controls.nothing_yet]);
    empty.firstChild.colSpan = 3;
    rows.push(empty);
  }
  at("bursts").tBodies[0].replaceChildren(...rows.slice(-SHOWN_BURSTS).reverse());
}

function row(cells) {
  const line = document.createElement("tr");
  for (const cell of cells) line.insertCell().textContent = cell;
  return line;
}

/** One line a happening; what belongs to it opens below. */
function drawJournal() {
  const newest = happenings([...entries.values()].sort((a, b) => a.seq - b.seq)).reverse();
  at("journal").replaceChildren(
    ...newest.map(({ head, entries: parts }) => {
      if (parts.length === 1) return line("li", head);
      const item = document.createElement("li");
      const box = document.createElement("details");
      const list = document.createElement("ol");
      const key = parts[0].seq;
      box.open = unfolded.has(key);
      box.addEventListener("toggle", () => (box.open ? unfolded.add(key) : unfolded.delete(key)));
      list.append(...parts.map((entry) => line("li", entry)));
      box.append(line("summary", head), list);
      item.append(box);
      return item;
    }),
  );
}

function line(name, entry) {
  const item = document.createElement(name);
  const time = document.createElement("time");
  const words = document.createElement("span");
  time.dateTime = entry.time;
  time.textContent = atTime(entry.time);
  words.textContent = entryText(entry);
  item.className = "line";
  item.title = `${entry.seq} ${entry.type}`;
  item.append(time, words);
  return item;
}

async function drawLuck() {
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
  const before = deeds;
  try {
    const toy = await get("/toy");
    if (deeds === before && !underway) showToy(toy); // else it is from before what the hand did
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
  deeds += 1;
  underway += 1;
  try {
    showToy(await hand(path, fields));
  } catch (problem) {
    report(problem);
    refresh();
  }
  underway -= 1;
}
