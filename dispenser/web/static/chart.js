// Bars: what the odds promise (outline) and what really came (filled), for each number of cards.

import { shape } from "./stage.js";
import { fill, percent, texts } from "./words.js";

const TOP = 34;
const BASE = 190;
const HEIGHT = BASE + 58;
const LEFT = 62; // room for "100 %"
const STEPS = [0.05, 0.1, 0.2, 0.25];
const MOST_LINES = 5;

export function drawChart(place, odds) {
  const expected = Object.entries(odds.expected).map(([cards, share]) => [Number(cards), share]);
  const most = Math.max(...expected.map(([cards]) => cards), ...Object.keys(odds.came).map(Number));
  const promised = new Map(expected);
  const rows = Array.from({ length: most + 1 }, (_, cards) => ({
    cards,
    expected: promised.get(cards) ?? 0,
    came: odds.presses ? (odds.came[cards] ?? 0) / odds.presses : 0,
  }));
  const highest = Math.max(...rows.flatMap((row) => [row.expected, row.came]));
  const step = STEPS.find((each) => highest / each <= MOST_LINES) ?? STEPS.at(-1);
  const scale = (BASE - TOP) / (Math.ceil(highest / step - 1e-9) * step);
  const width = Math.max(place.clientWidth, 200);
  const chart = shape("svg", { class: "chart", viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, "aria-hidden": "true" });
  chart.append(text(texts.controls.axis_share, "from-start", 0, 18), text(texts.controls.axis_cards, "", (LEFT + width) / 2, BASE + 52));
  for (let line = 0; line * step * scale <= BASE - TOP + 1; line += 1) {
    const y = BASE - line * step * scale;
    chart.append(shape("line", { class: line ? "scale" : "base", x1: LEFT, x2: width, y1: y, y2: y }));
    chart.append(text(percent(line * step), "share", LEFT - 8, y + 6));
  }
  const column = (width - LEFT) / rows.length;
  for (const row of rows) {
    const middle = LEFT + (row.cards + 0.5) * column;
    chart.append(
      bar("bar-came", middle, column * 0.5, row.came * scale),
      bar("bar-expected", middle, column * 0.74, row.expected * scale),
      text(row.cards, "", middle, BASE + 24),
    );
  }
  place.replaceChildren(chart, inWords(rows));
}

function bar(name, middle, width, height) {
  return shape("rect", { class: name, x: middle - width / 2, y: BASE - height, width, height, rx: Math.min(4, height / 2) });
}

function text(words, name, x, y) {
  const label = shape("text", { class: name, x, y });
  label.textContent = words;
  return label;
}

/** The chart for whoever cannot see it. */
function inWords(rows) {
  const list = document.createElement("ul");
  list.className = "visually-hidden";
  for (const { cards, expected, came } of rows) {
    if (!expected && !came) continue;
    const item = document.createElement("li");
    const text = cards ? texts.controls.chart : texts.controls.chart_dud;
    item.textContent = fill(text, { cards, expected: Math.round(expected * 100), came: Math.round(came * 100) });
    list.append(item);
  }
  return list;
}
