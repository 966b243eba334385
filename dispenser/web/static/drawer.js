// What waits behind the drawer: the last presses, luck, trouble to make, the journal. Drawn only while it is open.

import { command, get, hand, Problem } from "./api.js";
import { drawChart } from "./chart.js";
import { html, render } from "./table/lit-html.js";
import { atTime, cameOf, count, recordText, fill, texts } from "./words.js";

const KEPT_RECORDS = 200;
const SHOWN_BURSTS = 8;
const BURST_TYPES = ["launcher.burst.ended", "launcher.burst.counted"];
const STRIKES = { roller_jam: 9 }; // retracts free a jam now and then; nine in a row are not freed

const drawer = document.getElementById("drawer");
const at = (id) => document.getElementById(id);

const records = new Map(); // seq → record, the newest
const bursts = new Map(); // press → what came of it
let timer = 0;
let loaded = false;
let view = null;
let report = () => {};

export function setUp(theView, onProblem) {
  view = theView;
  report = onProblem;
  at("cells-new")?.addEventListener("click", () => doSimulator("cells", {}));
  at("cells-flat")?.addEventListener("click", () => doSimulator("cells", { voltage_v: 2.7 }));
  at("finger")?.addEventListener("click", () => doSimulator("button", {}));
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
    await command("/computer", { act });
    said.textContent = texts.controls.switching;
  } catch (problem) {
    said.textContent = problem instanceof Problem ? problem.message : texts.controls.switching; // it has gone already
  }
}

export async function open() {
  if (!loaded) {
    loaded = true;
    const [ended, counted] = BURST_TYPES;
    const pages = [`last=${SHOWN_BURSTS}&type=${ended}`, `last=${SHOWN_BURSTS}&type=${counted}`, `last=${KEPT_RECORDS}`];
    try {
      const [ends, counts, newest] = await Promise.all(pages.map((page) => get(`/journal?${page}`)));
      [...ends.records, ...counts.records].forEach(rememberBurst);
      newest.records.forEach(remember);
    } catch (problem) {
      loaded = false;
      report(problem);
    }
  }
  draw();
}

/** Takes a record, new or missed, in any order. */
export function take(record) {
  remember(record);
  refresh();
}

function remember(record) {
  if (BURST_TYPES.includes(record.type)) rememberBurst(record);
  records.set(record.seq, record);
  if (records.size > KEPT_RECORDS) records.delete(Math.min(...records.keys()));
}

function rememberBurst({ type, data }) {
  const known = bursts.get(data.press);
  if (type === BURST_TYPES[0]) bursts.set(data.press, { ...data, counted: known?.counted, delivered: known?.counted ?? data.delivered });
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

const PANELS = { "panel-bursts": drawBursts, "panel-odds": drawLuck, "panel-trouble": drawSimulator, "panel-journal": drawJournal };

/** By the number of the press, the newest first. */
function drawBursts() {
  at("streak").textContent = count(texts.controls.streak, view.dud_streak);
  const newest = [...bursts].filter(([, burst]) => burst.cause).sort(([a], [b]) => b - a).slice(0, SHOWN_BURSTS);
  const rows = newest.map(([press, burst]) => html`<tr><td>${press}</td><td>${cameOf(burst)}</td><td>${texts.why[burst.cause]}</td></tr>`);
  render(rows.length ? rows : html`<tr><td colspan="3">${texts.controls.nothing_yet}</td></tr>`, at("bursts").tBodies[0]);
}

/** The newest first; above them why the MQTT broker does not have them, should it be so. */
function drawJournal() {
  at("broker").textContent = view.broker_error ?? "";
  render([...records.values()].sort((a, b) => b.seq - a.seq).map(line), at("journal"));
}

const line = (record) =>
  html`<li class="line" title="${record.seq} ${record.type}"><time datetime=${record.time}>${atTime(record.time)}</time><span>${recordText(record)}</span></li>`;

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

async function drawSimulator() {
  try {
    showSimulator(await get("/simulator"));
  } catch (problem) {
    report(problem);
  }
}

function showSimulator(simulator) {
  render(Object.entries(simulator.faults).map(faultSwitch), at("faults"));
  for (const box of at("faults").querySelectorAll("input")) box.checked = simulator.faults[box.value]; // a switch that failed
  const say = texts.simulator;
  const facts = [
    [say.cells, fill(say.volts, { voltage: Math.round(simulator.cell_voltage_v * 10) / 10 })],
    [say.motor, simulator.motor_commanded === 0 ? say.motor_off : say.motor_on],
    [say.stack, count(texts.controls.cards, simulator.cards_in_stack)],
  ];
  render(facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`), at("simulator-facts"));
}

function faultSwitch([name]) {
  const switched = ({ target }) => doSimulator("fault", { fault: name, on: target.checked, cards: STRIKES[name] ?? 1 });
  return html`<label><input type="checkbox" value=${name} @change=${switched} />${texts.faults[name] ?? name}</label>`;
}

async function doSimulator(path, fields) {
  try {
    showSimulator(await hand(path, fields));
  } catch (problem) {
    report(problem);
    refresh();
  }
}
