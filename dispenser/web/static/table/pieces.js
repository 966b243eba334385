// What both pages are drawn from: texts, cards, colours, seats, scores.

import { addressOf } from "../api.js";
import { html, nothing, svg } from "./lit-html.js";

/** @import {Board, Card, Colour, Join, Launcher, Luck, Over, Seat, View} from "./view" */

/** States in which the launcher waits for a person. */
const TROUBLES = ["off", "open", "jammed", "empty", "blind", "fault"];
const IN_THE_WAY = ["card_in_exit", "exit_dark"];

const SUITS = ["♣", "♦", "♥", "♠"];
const PIPS = 12;

/** @param {string} id */
export const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** The texts of the page, by name; a pair is for one and for many. */
export const texts = JSON.parse(at("texts").textContent ?? "").table;
export const language = document.documentElement.lang;

const plural = new Intl.PluralRules(language);
const number = new Intl.NumberFormat(language);

/** @param {string} name @param {Record<string, unknown>} [values] @returns {string} */
export const say = (name, values = {}) => fill(texts[name], values);

/** @param {string} name @param {number} n @param {Record<string, unknown>} [values] */
export const count = (name, n, values = {}) =>
  fill(texts[name][plural.select(n) === "one" ? 0 : 1], { n, ...values });

/** @param {string} text @param {Record<string, unknown>} values */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    return typeof value === "number" ? number.format(value).replace("-", "−") : isolated(String(value));
  });
}

/** A name that is read from the right turns nothing around that it stands in. @param {string} words */
const isolated = (words) =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(words) && !words.includes("\u2068") ? `\u2068${words}\u2069` : words;

/** @param {string[]} names */
export const listed = (names) => names.map(isolated).join(", ");

/** What somebody must do at the launcher before anything goes on; null when nothing. @param {Launcher | null} launcher @returns {string | null} */
export function trouble(launcher) {
  if (!launcher) return null;
  if (launcher.state === "off" && launcher.workshop) return "workshop";
  if (TROUBLES.includes(launcher.state)) return launcher.state;
  return launcher.state === "ready" && launcher.refusal && IN_THE_WAY.includes(launcher.refusal) ? launcher.refusal : null;
}

/** Why a push of the launcher's own button has just not counted; empty when none was. @param {Launcher | null} before @param {Launcher} now @returns {string} */
export const refusedSince = (before, { refused }) => (before && refused && refused.press !== before.refused?.press ? (texts.refused[refused.reason] ?? "") : "");

/** Where the rules of this table are to be read, or one of them. @param {View} view @param {string} [rule] */
export function rulesOf({ game, options }, rule = game ?? "") {
  const told = Object.entries(options ?? {}).map(([name, value]) => `${name}:${typeof value === "boolean" ? (value ? "yes" : "no") : value}`);
  return `/rules${rule && `/${rule}`}${told.length ? `?options=${encodeURIComponent(told.join(","))}` : ""}`;
}

/** A title that breaks behind its dot. @param {View} view */
export const title = (view) => view.title.replace(" · ", "\u00a0· ").replace(/ (\d+)$/, "\u00a0$1") || say("title");

/** @param {Colour | null | undefined} colour */
export const paint = (colour) => `paint-${colour?.key ?? "wild"}`;

/** Never a little picture instead of the sign. @param {string} sign */
const asText = (sign) => `${sign}\uFE0E`;

/** A card, for the eye only: whoever draws it says its name. @param {Card} card @param {string} [extra] */
export function face(card, extra = "") {
  const { colour, symbol } = card;
  const suit = colour && SUITS.includes(colour.shape) ? html`<i class="suit">${asText(colour.shape)}</i>` : nothing;
  const corner = colour && html`<b class=${colour.letter.length > 1 ? "long" : nothing}>${colour.letter}</b>${suit === nothing ? html`<i>${asText(colour.shape)}</i>` : nothing}`;
  return html`<span class="card ${paint(colour)} ${extra}" aria-hidden="true">
    <span class="corner">${corner ?? nothing}</span>
    <span class="symbol signs-${Math.min(symbol.length, 3)}">${symbol}${suit}</span>
    <span class="corner end">${corner ?? nothing}</span>
  </span>`;
}

/** A card in the view's language. @param {Card} card */
export const named = ({ label, name, colour, symbol }) => label ?? (colour ? `${colour.name} ${symbol}` : name);

/** Colour, shape and letter. @param {Colour} colour */
export const spot = (colour) =>
  html`<span class="spot ${paint(colour)}" aria-hidden="true"><i>${asText(colour.shape)}</i>${colour.letter === colour.shape ? nothing : html`<b>${colour.letter}</b>`}</span>`;

/** What lies on top, and which colour counts. @param {View} view */
export function pile(view) {
  const { top, colour } = view;
  if (!top && !colour) return nothing;
  const other = colour && colour.key !== top?.colour?.key;
  const shown = [top && named(top), other && colour.name].filter(Boolean).join(", ");
  return html`<div class="pile" role="img" aria-label=${say("pile", { card: shown })}>
    ${top ? face(top, "top") : nothing}${other ? spot(colour) : nothing}
  </div>`;
}

/** What holds beside the card on top. @param {View} view */
export const inForce = ({ in_force }) => in_force.map((said) => html`<p class="force">${said}</p>`);

/** Who sits around the table, whose turn it is, and which way it goes. @param {View} view */
export const strip = (view) =>
  view.seats.length === 0
    ? nothing
    : html`<ol class="strip" aria-label=${say(view.direction === -1 ? "seats_back" : "seats")}>
        ${view.seats.map((seat) => seatOf(seat, view))}
      </ol>`;

/** @param {Seat} seat @param {View} view */
function seatOf(seat, view) {
  const absent = seat.gone ? "gone" : seat.left ? "left" : seat.away ? "away" : "";
  const marks = { turn: seat.turn, me: seat.me, away: absent !== "", exposed: seat.exposed };
  const classes = Object.entries(marks).flatMap(([name, is]) => (is ? [name] : []));
  const playing = view.phase !== "lobby";
  const scored = view.seats.some((one) => one.score);
  return html`<li class="seat ${classes.join(" ")}" aria-current=${seat.turn ? "true" : nothing}>
    <span class="who">
      ${seat.turn ? html`<i class="arrow ${view.direction === -1 ? "reverse" : ""}" aria-hidden="true"></i>` : nothing}
      <bdi class="name">${seat.name}</bdi>
      ${role(seat, view.phase)}
    </span>
    <span class="facts">
      ${seat.cards === null || !playing ? nothing : html`<span class="cards"><i aria-hidden="true"></i><span aria-hidden="true">${seat.cards}</span><span class="visually-hidden">${count("cards", seat.cards)}</span></span>`}
      ${playing && scored && seat.score !== null ? html`<span class="score">${count("points", seat.score)}</span>` : nothing}
      ${seat.owes ? html`<span class="owes"><span class="visually-hidden">${say("owes")} </span>${seat.owes}</span>` : nothing}
      ${seat.announced ? html`<span class="badge">${say("announced")}</span>` : nothing}
      ${absent ? html`<span class="absent">${say(absent)}</span>` : nothing}
    </span>
  </li>`;
}

/** What is worth knowing now. @param {Seat} seat @param {View["phase"]} phase */
function role(seat, phase) {
  const roles = [seat.host && phase === "lobby" && "host", seat.dealer && phase === "between" && "dealer", seat.bot && "bot"].filter((one) => one !== false);
  return roles.length ? html`<span class="role">${roles.map((name) => say(name)).join(", ")}</span>` : nothing;
}

/** An address as people type it. @param {string} url */
export const typed = (url) => url.replace(/^http:\/\//, "");

/** Which of the addresses is shown: not every phone reaches each of them. */
let way = 0;

/** How others come in. @param {Join} join @param {() => void} draw */
export function invitation({ addresses, code, is_open, wifi }, draw) {
  if (!addresses.length) return html`<p class="invitation closed">${say(is_open ? "no_network" : "not_open")}</p>`;
  const shown = addresses[way % addresses.length];
  const next = () => {
    way += 1;
    draw();
  };
  const page = html`<div class="invitation">
    ${wifi ? html`<p class="ordinal"><b>2</b> ${say("then_page")}</p>` : nothing}
    <img class="qr" src=${addressOf(`/table/qr.svg?address=${encodeURIComponent(shown.host)}`)} alt=${say("qr")} width="200" height="200" />
    <div>
      <p class="code"><span>${say("code")}</span> <b>${code}</b></p>
      <p class="address">${typed(shown.url).replace(/\/t\/.*/, "")}<wbr />${shown.url.replace(/.*(?=\/t\/)/, "")}${addresses.length > 1 ? html` <button type="button" class="other" @click=${next}>${say("other_address")}</button>` : nothing}</p>
    </div>
  </div>`;
  return wifi ? html`<div class="ways-in">${toJoin(wifi)} ${page}</div>` : page;
}

/** The launcher's own Wi-Fi, which comes first. @param {NonNullable<Join["wifi"]>} wifi */
const toJoin = ({ name, password }) => html`<div class="invitation wifi">
    <p class="ordinal"><b>1</b> ${say("first_wifi")}</p>
    <img class="qr" src=${addressOf(`/table/wifi.svg?of=${encodeURIComponent(`${name} ${password}`)}`)} alt=${say("qr_wifi")} width="200" height="200" />
    <div>
      <p class="code"><span>${say("wifi")}</span> <strong>${name}</strong></p>
      <p class="address">${say("password")} <kbd>${password}</kbd></p>
    </div>
  </div>`;

/** So many are done, so many are left. @param {number} done @param {number} total */
export const pips = (done, total) =>
  total > PIPS
    ? html`<p class="pips">${done} / ${total}</p>`
    : html`<p class="pips" role="img" aria-label=${count("pips", done, { total })}>
        ${Array.from({ length: total }, (_, i) => html`<i class=${i < done ? "done" : i === done ? "next" : ""}></i>`)}
      </p>`;

// --- scores ---

const [WIDTH, HEIGHT] = [280, 250]; // of the chart
const [LEFT, RIGHT] = [8, WIDTH - 134]; // beyond it stand the names
const [TOP, BOTTOM] = [14, HEIGHT - 28];
const LINES = 8; // kinds of lines in the style sheets
const NAME_GAP = 22;
const ROOM = 9; // letters of a name

/** The scores between rounds. @param {View} view */
export const summary = (view) =>
  view.board.names.length + view.board.places.length ? html`<section class="summary" aria-label=${say("scores")}>${board(view)}</section>` : nothing;

/** The end of an evening. @param {Over} over */
export const farewell = (over) => html`${over.title ? html`<section class="summary" aria-label=${say("scores")}><h2>${over.title}</h2>${board(over)}</section>` : nothing}
  ${over.facts.length ? html`<ul class="facts-of">${over.facts.map((fact) => html`<li>${fact}</li>`)}</ul>` : nothing}`;

/** @param {Pick<View, "board" | "luck" | "round">} view */
export function board({ board, luck, round }) {
  if (board.places.length) return html`<ol class="places">${board.places.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ol>`;
  if (board.names.length === 0) return html`<p>${say("no_scores")}</p>`;
  return html`${board.winner.length ? html`<p class="winner">${say("winner", { names: listed(board.winner) })}</p>` : nothing}
    ${ranking(board)} ${board.rounds.length > 1 ? chart(board, round) : nothing} ${board.rounds.length ? rounds(board, round) : nothing} ${luck.length ? fortune(luck) : nothing}`;
}

/** @param {Board} board */
function ranking({ names, totals, winner }) {
  const most = Math.max(1, ...totals);
  return html`<ol class="ranking">
    ${names.map((name, i) => html`<li class=${winner.includes(name) ? "won" : ""}><bdi class="name">${name}</bdi>
      <span class="bar-line" aria-hidden="true"><i class="line-${i % LINES}" .style=${`--share: ${Math.max(0, totals[i] / most)}`}></i></span>
      <b>${figure(totals[i])}</b></li>`)}
  </ol>`;
}

/** @param {Board} board @param {string} called */
const chart = ({ names, scores }, called) =>
  scoreChart(names.map((name, seat) => ({ name, points: [[0, 0], ...scores.map((round, i) => /** @type {[number, number]} */ ([i + 1, round[seat]]))] })), say("chart", { round: called }));

/** The scores of a match over its rounds, a line for each player with the name at its end; past evenings have it, too.
 * @param {{name: string, points: [number, number][]}[]} lines each point is the number of a round, and the score after it
 * @param {string} label */
export function scoreChart(lines, label) {
  const scores = lines.flatMap(({ points }) => points.map(([, score]) => score));
  const rounds = Math.max(...lines.flatMap(({ points }) => points.map(([round]) => round)));
  const most = Math.max(1, ...scores);
  const least = Math.min(0, ...scores);
  /** @param {number} round */
  const x = (round) => LEFT + (round / rounds) * (RIGHT - LEFT);
  /** @param {number} score */
  const y = (score) => TOP + ((most - score) / (most - least)) * (BOTTOM - TOP);
  const every = Math.ceil(rounds / 6); // so many numbers have room
  const ends = lines.map(({ points }) => points[points.length - 1]);
  const places = apart(ends.map(([, score]) => y(score)));
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${label}>
    <path class="base" d="M${LEFT} ${y(0)}H${RIGHT}" />
    ${Array.from({ length: rounds }, (_, i) => ((i + 1) % every ? nothing : svg`<text class="round" x=${x(i + 1)} y=${HEIGHT - 5}>${i + 1}</text>`))}
    ${lines.map(({ name, points }, i) => svg`<path class="line line-${i % LINES}" d=${points.map(([round, score], j) => `${j ? "L" : "M"}${x(round)} ${y(score)}`).join("")} />
      <circle class="dot line-${i % LINES}" cx=${x(ends[i][0])} cy=${y(ends[i][1])} r="4.5" />
      <path class="lead" d="M${x(ends[i][0]) + 5} ${y(ends[i][1])}L${RIGHT + 12} ${places[i]}" />
      <text class="who" x=${RIGHT + 15} y=${places[i] + 5}>${short(name)}</text>`)}
  </svg>`;
}

/** As much of a name as has room; a flag, an emoji or a Chinese letter is as wide as two others. @param {string} name */
function short(name) {
  let [end, width] = [0, 0];
  const parts = Intl.Segmenter ? Array.from(new Intl.Segmenter(language).segment(name), ({ segment }) => segment) : [...name]; // Firefox before 125
  for (const segment of parts) {
    width += /[^\0-\u2e7f]/u.test(segment) ? 2 : 1;
    if (width < ROOM) end += segment.length;
  }
  return isolated(width > ROOM ? `${name.slice(0, end)}…` : name);
}

/** Names that do not lie on one another, none below the chart. @param {number[]} heights */
function apart(heights) {
  const placed = [...heights];
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  order.forEach((i, place) => { placed[i] = Math.max(heights[i], place ? placed[order[place - 1]] + NAME_GAP : -Infinity); });
  let highest = BOTTOM;
  for (const i of order.reverse()) {
    placed[i] = Math.min(placed[i], highest);
    highest = placed[i] - NAME_GAP;
  }
  return placed;
}

/** With a true minus. @param {number} points */
const figure = (points) => String(points).replace("-", "−");

/** @param {Board} board @param {string} round */
const rounds = ({ names, rounds, totals }, round) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label=${say("by_round", { round })}><table>
    <thead><tr><th class="called" scope="col">${round}</th>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rounds.map((points, i) => html`<tr><th scope="row">${i + 1}</th>${points.map((points) => html`<td>${figure(points)}</td>`)}</tr>`)}</tbody>
    <tfoot><tr><th scope="row">${say("total")}</th>${totals.map((points) => html`<td>${figure(points)}</td>`)}</tr></tfoot>
  </table></div>`;

/** Cards that came, beside those that the odds had promised. @param {Luck[]} luck */
function fortune(luck) {
  const most = Math.max(1, ...luck.flatMap(({ cards, promised }) => [cards, promised]));
  return html`<h2 class="luck">${say("luck")}</h2><ul class="fortune">
    ${luck.map(({ name, presses, cards, promised }) => html`<li>
      <bdi class="name">${name}</bdi>
      <span class="bars" aria-hidden="true"><i class="came" .style=${`--share: ${cards / most}`}></i><i class="promised" .style=${`--share: ${promised / most}`}></i></span>
      <small>${count("presses", presses)}, ${count("cards", cards)}, ${say("promised", { promised: Math.round(promised * 10) / 10 })}</small>
    </li>`)}
  </ul>`;
}

/** What a shared phone shows until its next person has it. @param {View} view @param {NonNullable<View["cover"]>} cover @returns {View} */
export const covered = (view, { label, sentence }) => ({
  ...view,
  ...(sentence ? { sentence } : {}),
  hand: [],
  choices: [{ label, kind: "main", send: { uncover: true } }],
  always: [],
});
