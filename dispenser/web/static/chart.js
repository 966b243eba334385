// Bars: what the odds promise (outline) and what really came (filled), for each number of cards.

import { shape } from "./stage.js";
import { fill, texts } from "./words.js";

const HEIGHT = 170;
const BASE = 140;

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
  const width = Math.max(place.clientWidth, 200);
  const chart = shape("svg", { class: "chart", viewBox: `0 0 ${width} ${HEIGHT}`, height: HEIGHT, "aria-hidden": "true" });
  const step = width / rows.length;
  for (const row of rows) {
    const middle = (row.cards + 0.5) * step;
    chart.append(
      bar("bar-came", middle, step * 0.5, row.came / highest),
      bar("bar-expected", middle, step * 0.74, row.expected / highest),
    );
    const label = shape("text", { x: middle, y: BASE + 24 });
    label.textContent = row.cards;
    chart.append(label);
  }
  chart.append(shape("line", { class: "base", x1: 0, x2: width, y1: BASE, y2: BASE }));
  place.replaceChildren(chart, inWords(rows));
}

function bar(name, middle, width, share) {
  const height = share * (BASE - 6);
  return shape("rect", { class: name, x: middle - width / 2, y: BASE - height, width, height, rx: Math.min(4, height / 2) });
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
