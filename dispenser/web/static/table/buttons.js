// What choices look like: buttons, numbers, a name to type, cards to pick.

import { html, nothing } from "./lit-html.js";
import { count, face, named, paint, say, spot } from "./pieces.js";
import { dim } from "./steps.js";

/** @import {Choice, Picking, Send} from "./view" */
/** @import {Asked, Steps} from "./steps.js" */
/** @typedef {{steps: Steps, pick: (choice: Choice) => void, sent: (send: Send) => boolean}} Hands what a button needs */

const WORDY = 6; // so many cards have room for their names beside them
const SHORT = 8; // signs of a name that fits below a card
const FEW = 13; // so many numbers have a button each

/** @param {Choice} choice @param {Hands} hands @param {string} [extra] */
export function button(choice, hands, extra = "") {
  const { card, colour, kind, label, hint, next } = choice;
  const busy = Boolean(choice.send && hands.sent(choice.send));
  const spent = choice.copies !== undefined && hands.steps.left(choice) <= 0;
  const off = dim(choice) || spent;
  const classes = ["choice", `kind-${kind ?? "plain"}`, colour ? `colour ${paint(colour)}` : "", busy ? "sent" : "", off ? "dim" : "", extra];
  return html`<button type="button" class=${classes.filter(Boolean).join(" ")} aria-busy=${busy ? "true" : nothing} aria-disabled=${off ? "true" : nothing} @click=${() => hands.pick(choice)}>
    ${colour ? spot(colour) : card ? face(card, "small") : nothing}
    <span class="label">${label}${next && !colour ? html`<i class="more" aria-hidden="true"></i>` : nothing}${hint && !off ? html`<small>${hint}</small>` : nothing}</span>
  </button>`;
}

/** Some choices together. A number or name that is all there is to enter, or the main thing, needs no tap to be asked. @param {Choice[]} choices @param {Hands} hands @param {string} [extra] @param {string} [said] the page asks that already */
export function group(choices, hands, extra = "", said = "") {
  if (choices.length === 0) return nothing;
  const opened = choices.filter(({ number, text, kind }) => (number && choices.length === 1) || (text && kind !== "quiet" && (choices.length === 1 || kind === "main")));
  const rest = choices.filter((choice) => !opened.includes(choice));
  return html`${opened.map((choice) => html`${choice.asks && choice.asks === said ? nothing : html`<p class="asked">${choice.asks ?? choice.label}</p>`}${entry(choice, hands.steps)}`)}
    ${runs(rest).map((run) => html`<div class="choices ${shape(run)} ${extra}" .style=${longest(run)}>${run.map((choice) => button(choice, hands))}</div>`)}`;
}

/** Colours stand beside colours, cards beside cards. @param {Choice[]} choices */
function runs(choices) {
  const runs = /** @type {Choice[][]} */ ([]);
  for (const choice of choices) {
    const run = runs.at(-1);
    if (run && looks(run[0]) === looks(choice)) run.push(choice);
    else runs.push([choice]);
  }
  return runs;
}

/** @param {Choice} choice */
const looks = ({ colour, card, label }) => (colour ? "colours" : card && label.length < 22 ? "deck" : "");

/** @param {Choice[]} choices */
function shape(choices) {
  const alike = looks(choices[0]);
  if (alike && choices.every((choice) => looks(choice) === alike)) return alike === "deck" && choices.length <= WORDY && choices.some(({ label }) => label.length > SHORT) ? "pairs" : alike;
  return choices.length > 4 && choices.every((choice) => choice.label.length < 5) ? "keys" : "";
}

/** For columns as wide as the longest word, which is never broken; the hint of a dim choice is not shown. @param {Choice[]} choices */
const longest = (choices) => `--longest: ${Math.max(...choices.flatMap((choice) => [...choice.label.split(/[ -]+/), choice.card && !dim(choice) ? (choice.hint ?? "") : ""].map(width)))}`;

/** In letters of usual width. @param {string} word */
const width = (word) => word.length - 0.3 * (word.match(/[iIljtf]/g) ?? []).length;

/** The step that is open: what is asked, what may be answered, and the way back. @param {Asked} asked @param {Hands} hands @param {boolean} [whole] with what confirms a picking */
export function step(asked, hands, whole = true) {
  const { steps } = hands;
  return html`<div class="step">
    <div class="step-head">
      <button type="button" class="back" @click=${() => steps.back()}>${say("back")}</button>
      <p class="step-title" tabindex="-1">${asked.card ? face(asked.card, "small") : nothing}<span>${asked.text}</span></p>
    </div>
    ${asked.pick ? html`${picking(asked.pick, hands)}${whole ? confirm(asked.pick, steps) : nothing}` : asked.number ? numeral(asked.text, asked.number, steps.enter.bind(steps)) : asked.typing ? field(asked.text, asked.typing, steps.enter.bind(steps)) : answers(asked, hands)}
  </div>`;
}

/** @param {Asked} asked @param {Hands} hands */
function answers({ likely }, hands) {
  const { choices } = hands.steps;
  if (likely === undefined) return group(choices, hands, "beside");
  return html`<div class="choices ${shape(choices)}">${choices.map((choice) => button(choice, hands, choice.value === likely ? "likely" : ""))}</div>`;
}

/** Cards one after the other: those picked so far, and a tree that begins anew after each. @param {Picking} pick @param {Hands} hands */
function picking(pick, hands) {
  const { steps } = hands;
  const { list } = steps;
  const names = labels(pick.cards);
  return html`<ul class="picked" aria-label=${count("picked", list.length)}>
      ${list.map((name, place) => {
        const card = names.get(name);
        const drawn = card?.card ? face(card.card, "small") : name;
        const whole = card?.card ? named(card.card) : name; // behind its colour a label is the symbol alone
        const fixed = place < pick.given.length;
        return html`<li>${fixed
          ? html`<span>${drawn}<span class="visually-hidden">${whole}</span></span>`
          : html`<button type="button" @click=${() => steps.putBack(place)}>${drawn}<i aria-hidden="true">×</i><span class="visually-hidden">${say("put_back", { card: whole })}</span></button>`}</li>`;
      })}
    </ul>
    ${list.length < pick.most ? group(steps.choices, hands) : nothing}`;
}

/** How many cards are to be picked, and the button that says they are. @param {Picking} pick @param {Steps} steps */
export function confirm({ least, most }, steps) {
  const { list } = steps;
  const enough = list.length >= least && list.length <= most;
  return html`<p class="between">${least === most ? count("pick_just", most) : say("pick_between", { least, most })}</p>
    <button type="button" class="choice kind-main confirm" aria-disabled=${enough ? nothing : "true"} @click=${() => enough && steps.enter(list)}><span class="label">${say("done")} (${list.length})</span></button>`;
}

/** The leaves of a tree of cards, by value. @param {Choice[]} tree @returns {Map<string, Choice>} */
function labels(tree) {
  return new Map(tree.flatMap((choice) => (choice.next ? [...labels(choice.next)] : [[String(choice.value), choice]])));
}

/** A number or a name, asked where it stands and not in a step of its own. @param {Choice} choice @param {Steps} steps */
function entry(choice, steps) {
  if (choice.text) {
    const { key } = choice.text;
    return field(choice.asks ?? choice.label, choice.text, (text) => steps.close(choice, key, text), choice.asks && choice.label);
  }
  return choice.number ? numeral(choice.label, choice.number, (n) => steps.close(choice, choice.number?.key ?? "", n)) : nothing;
}

/** A number: a button each when they are few (no OK needed), else a field. @param {string} label @param {NonNullable<Choice["number"]>} range @param {(n: number) => void} enter */
const numeral = (label, range, enter) => (range.most - range.least < FEW ? few : typedNumber)(label, range, enter);

/** @param {string} label @param {NonNullable<Choice["number"]>} range @param {(n: number) => void} enter */
function few(label, { least, most, likely = null }, enter) {
  const numbers = Array.from({ length: most - least + 1 }, (_, i) => least + i).filter((n) => n !== likely);
  /** @param {number} n @param {string} kind */
  const key = (n, kind) => html`<button type="button" class="choice ${kind}" @click=${() => enter(n)}><span class="label">${n}</span></button>`;
  return html`<div class="choices keys" role="group" aria-label=${label}>
    ${likely === null ? nothing : key(likely, "likely")} ${numbers.map((n) => key(n, "kind-plain"))}
  </div>`;
}

/** @param {string} label @param {NonNullable<Choice["number"]>} range @param {(n: number) => void} enter */
const typedNumber = (label, { least, most, likely = null, rule }, enter) =>
  html`<form class="field number" @submit=${submitted((input) => enter(input.valueAsNumber))}>
    <input name="text" type="number" inputmode=${least < 0 ? "text" : "numeric"} aria-label=${label} min=${least} max=${most} .defaultValue=${String(likely ?? "")} required />
    <p class="between">${say("between", { least, most })}${rule ? html` <a href="/rules/${rule}" target="_blank">${say("values")}</a>` : nothing}</p>
    <button class="choice kind-main"><span class="label">${say("ok")}</span></button>
  </form>`;

/** The form may ask something else next: it is empty then. @param {(input: HTMLInputElement) => void} enter */
const submitted = (enter) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  enter(/** @type {HTMLInputElement} */ (form.elements.namedItem("text")));
  form.reset();
};

/** A text, such as a name. @param {string} label @param {{key: string, most: number}} text @param {(text: string) => void} enter @param {string} [go] what its button says */
function field(label, { key, most }, enter, go = say("ok")) {
  const submit = submitted(({ value }) => value.trim() && enter(value.trim()));
  return html`<form class="field" @submit=${submit}>
    <input name="text" type="text" aria-label=${label} maxlength=${most} autocomplete=${key === "name" ? "nickname" : "off"} enterkeyhint="go" required />
    <button class="choice kind-main"><span class="label">${go}</span></button>
  </form>`;
}
