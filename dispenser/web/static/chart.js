// Bars: what the odds promise (outline) and what really came (filled), for each number of cards.

import { html, render, svg } from "./table/lit-html.js";
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
  const column = (width - LEFT) / rows.length;
  const lines = Array.from({ length: Math.floor((BASE - TOP + 1) / (step * scale)) + 1 }, (_, i) => i);
  render(
    html`<svg class="chart" viewBox="0 0 ${width} ${HEIGHT}" height=${HEIGHT} aria-hidden="true">
        ${text(texts.controls.axis_share, "from-start", 0, 18)} ${text(texts.controls.axis_cards, "", (LEFT + width) / 2, BASE + 52)}
        ${lines.map((i) => {
          const y = BASE - i * step * scale;
          return svg`<line class=${i ? "scale" : "base"} x1=${LEFT} x2=${width} y1=${y} y2=${y} />${text(percent(i * step), "share", LEFT - 8, y + 6)}`;
        })}
        ${rows.map((row) => {
          const middle = LEFT + (row.cards + 0.5) * column;
          return svg`${bar("bar-came", middle, column * 0.5, row.came * scale)}${bar("bar-expected", middle, column * 0.74, row.expected * scale)}${text(row.cards, "", middle, BASE + 24)}`;
        })}
      </svg>
      <ul class="visually-hidden">${rows.filter((row) => row.expected || row.came).map((row) => html`<li>${inWords(row)}</li>`)}</ul>`,
    place,
  );
}

const bar = (name, middle, width, height) =>
  svg`<rect class=${name} x=${middle - width / 2} y=${BASE - height} width=${width} height=${height} rx=${Math.min(4, height / 2)} />`;

const text = (words, name, x, y) => svg`<text class=${name} x=${x} y=${y}>${words}</text>`;

/** A bar for whoever cannot see it. */
const inWords = ({ cards, expected, came }) =>
  fill(cards ? texts.controls.chart : texts.controls.chart_dud, { cards, expected: Math.round(expected * 100), came: Math.round(came * 100) });
