// What is looked up or chosen beside the play: the menu with people and addresses, the scores, the game to play.

import { group, step } from "./buttons.js";
import { html, nothing, render } from "./lit-html.js";
import { sheet } from "./line.js";
import { at, board, count, invitation, language, rulesOf, say, typed } from "./pieces.js";
import * as senses from "./senses.js";
import { Steps } from "./steps.js";

/** @import {Game, GameOption, Lobby, Send, Sheet, Value, View} from "./view" */

const dialog = /** @type {HTMLDialogElement} */ (at("sheet"));
/** @type {"menu" | "board"} */
let shown = "menu";
/** @type {{view: View | null, send: (send: Send, at?: number) => void}} */
let last = { view: null, send: () => {} };

/** What stands behind the page, for that view; two of one number differ in who is present. @type {{view: View | null, sheet: Sheet}} */
let behind = { view: null, sheet: { at: 0, menu: [], lobby: null } };
/** @type {View | null} */
let asking = null;
/** The menu as it was opened: it stays until it is closed or left for a step, so that nothing moves under a finger. @type {Sheet | null} */
let held = null;

/** It is asked for when somebody looks at it. @param {View} view @param {() => void} draw @returns {Sheet} */
export function sheetOf(view, draw) {
  if (behind.view !== view && asking !== view) {
    asking = view;
    sheet().then(
      (found) => {
        if (asking !== view) return; // a newer one is asked for
        behind = { view, sheet: found };
        asking = null;
        draw();
      },
      () => {
        if (asking === view) asking = null;
      },
    );
  }
  return behind.sheet;
}

const steps = new Steps(
  () => (held ?? behind.sheet).menu,
  (send) => {
    const { at } = held ?? behind.sheet;
    dialog.close();
    last.send(send, at);
  },
  senses.announce,
  () => redraw(),
);
/** @type {import("./buttons.js").Hands} */
const hands = {
  steps,
  pick(choice) {
    const before = steps.here;
    steps.take(choice);
    if (steps.here !== before) dialog.querySelector(/** @type {"p"} */ (".step-title"))?.focus();
  },
  sent: () => false,
};

/** @param {"menu" | "board"} sheet */
export function openSheet(sheet) {
  shown = sheet;
  held = null;
  steps.leave();
  redraw();
  dialog.showModal();
  dialog.scrollTop = 0;
}

/** @param {View | null} view @param {(send: Send, at?: number) => void} send told as of that number of the table, or the page's */
export function drawSheet(view, send) {
  last = { view, send };
  if (dialog.open) redraw();
}

function redraw() {
  const { view } = last;
  if (!view) return;
  render(
    html`<div class="sheet-head">
        <h2 id="sheet-title">${say(shown === "menu" ? "menu" : "scores")}</h2>
        <button type="button" class="tool" aria-label=${say("close")} @click=${() => dialog.close()}>
          <svg viewBox="0 0 24 24" aria-hidden="true"><path d="m6 6 12 12M18 6 6 18" /></svg>
        </button>
      </div>
      ${shown === "menu" ? menu(view) : board(view)}`,
    dialog,
  );
}

dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close(); // beside the sheet
});
dialog.addEventListener("cancel", (event) => {
  if (!steps.here) return;
  event.preventDefault(); // Escape goes back one step first
  steps.back();
});

export const isOpen = () => dialog.open;

/** One step back, or the sheet closes. */
export function back() {
  if (steps.here) steps.back();
  else dialog.close();
}

// --- the menu ---

/** @param {View} view */
function menu(view) {
  const { asked } = steps;
  if (asked) {
    held = null;
    sheetOf(view, redraw);
    return step(asked, hands);
  }
  if (!held) {
    const sheet = sheetOf(view, redraw);
    if (behind.view !== view) return html`<p>${say("looking")}</p>`;
    held = sheet;
  }
  return html`${group(held.menu, hands, "list")}
    <nav aria-label=${say("elsewhere")}><a class="switch" href=${rulesOf(view)}>${say("rules")}</a>
      <a class="switch" href="/screen">${say("screen")}</a>${view.me.host || view.me.owner ? html`<a class="switch" href="/">${say("launcher")}</a>` : nothing}</nav>
    <section><h3>${say("this_phone")}</h3>${thisPhone()}</section>
    ${people(view)}
    ${view.join
      ? html`<section><h3>${say("come_in")}</h3>${invitation(view.join, redraw)}
          ${view.join.addresses.length ? html`<p>${say("addresses")}</p><ul class="addresses">${view.join.addresses.map((one) => html`<li>${typed(one.url)}</li>`)}</ul>` : nothing}</section>`
      : nothing}`;
}

function thisPhone() {
  /** @param {"sound" | "buzz"} sense */
  const change = (sense) => () => {
    senses.toggle(sense);
    redraw();
  };
  /** @param {"sound" | "buzz"} sense */
  const toggle = (sense) =>
    html`<button type="button" class="switch" role="switch" aria-checked=${String(senses.wanted(sense))} @click=${change(sense)}><span>${say(sense)}</span><i aria-hidden="true"></i></button>`;
  const other = language === "fr" ? ["en", "English"] : ["fr", "Français"];
  return html`${document.body.hasAttribute("data-owners-phone") ? html`<p class="owners">${say("owners_phone")}</p>` : nothing}${toggle("sound")}${senses.canBuzz ? toggle("buzz") : nothing}
    <p class="awake">${say(senses.canStayAwake ? "awake" : "stay_awake")}</p>
    <a class="switch" href="?lang=${other[0]}" lang=${other[0]} hreflang=${other[0]}>${other[1]}</a>
    <a class="switch" href="/evenings">${say("evenings")}</a>`;
}

/** @param {View} view */
function people(view) {
  if (view.seats.length === 0) return nothing;
  return html`<section><h3>${say("people")}</h3><ul class="people">
    ${view.seats.map((seat) => {
      const is = /** @type {const} */ (["me", "host", "bot", "dealer", "away", "gone"]).filter((name) => seat[name]);
      return html`<li><bdi>${seat.name}</bdi>${is.length ? html`<small>${is.map((name) => say(name)).join(", ")}</small>` : nothing}</li>`;
    })}
  </ul></section>`;
}

// --- before a match: which game, by which rules, told how ---

const chosen = {
  game: "",
  tracking_mode: "",
  deals: true,
  /** By game. */
  options: /** @type {Record<string, Record<string, Value>>} */ ({}),
};

/** @param {Lobby} lobby @param {View} view @param {(send: Send) => void} send @param {() => void} draw */
export function lobby(lobby, view, send, draw) {
  const game = lobby.games.find(({ id }) => id === chosen.game) ?? lobby.games[0];
  const mode = lobby.tracking_modes.find(({ id }) => id === chosen.tracking_mode) ?? lobby.tracking_modes[0];
  if (!game || !mode) return nothing;
  const seated = view.seats.length;
  const [fewest, most] = game.seats;
  const fits = seated >= fewest && seated <= most;
  const options = (chosen.options[game.id] ??= {});
  /** @param {() => void} change */
  const then = (change) => () => {
    change();
    draw();
  };
  const start = () => send({ do: "start", game: game.id, options, tracking_mode: mode.id, deals: chosen.deals });
  return html`<form class="lobby" @submit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <fieldset><legend>${say("which_game")}</legend>
      ${lobby.games.map((one) => radio("game", one, one === game, then(() => (chosen.game = one.id))))}
    </fieldset>
    <fieldset><legend>${say("which_tracking_mode")}</legend>
      ${lobby.tracking_modes.map((one) => radio("tracking_mode", { id: one.id, name: one.label, summary: one.text }, one === mode, then(() => (chosen.tracking_mode = one.id))))}
    </fieldset>
    ${house(game, options, draw)}
    <label class="switch"><input type="checkbox" role="switch" .checked=${chosen.deals} @change=${then(() => (chosen.deals = !chosen.deals))} /><span>${say("deals")}</span><i aria-hidden="true"></i></label>
    ${fits ? nothing : html`<p class="asked">${seated ? count("players", seated, { least: fewest, most }) : say("no_players", { least: fewest, most })}</p>`}
    <div class="start"><button type="button" class="choice kind-main" aria-disabled=${fits ? nothing : "true"} @click=${() => fits && start()}><span class="label">${say("start", { game: game.name })}<small>${mode.label}</small></span></button></div>
  </form>`;
}

/** @param {string} group @param {{id: string, name: string, summary: string, seats?: [number, number]}} one @param {boolean} is @param {() => void} choose */
const radio = (group, one, is, choose) =>
  html`<label class="option"><input type="radio" name=${group} value=${one.id} .checked=${is} @change=${choose} />
    <span><b>${one.name}</b><small>${one.summary}</small>${one.seats ? html`<small>${say("for_players", { least: one.seats[0], most: one.seats[1] })}</small>` : nothing}</span></label>`;

/** @param {Game} game @param {Record<string, Value>} options @param {() => void} draw */
function house(game, options, draw) {
  if (game.options.length === 0) return nothing;
  return html`<details><summary>${say("options")}</summary>${game.options.map((option) => setting(option, options, draw))}</details>`;
}

/** @param {GameOption} option @param {Record<string, Value>} options @param {() => void} draw */
function setting(option, options, draw) {
  const now = options[option.name] ?? option.default;
  /** @param {Value} value */
  const set = (value) => {
    if (value === option.default) delete options[option.name];
    else options[option.name] = value;
    draw();
  };
  const about = html`<small>${option.text}</small>`;
  if (option.range) {
    const [least, most] = option.range;
    const read = (/** @type {Event} */ event) => set(Number(/** @type {HTMLInputElement} */ (event.target).value));
    return html`<label class="setting"><span>${option.label}${about}</span><input type="number" inputmode="numeric" min=${least} max=${most} .value=${String(now)} @change=${read} /></label>`;
  }
  if (option.most) {
    const write = (/** @type {Event} */ event) => set(/** @type {HTMLInputElement} */ (event.target).value.trim());
    return html`<label class="setting"><span>${option.label}${about}</span><input type="text" maxlength=${option.most} .value=${String(now)} @change=${write} /></label>`;
  }
  const values = (option.values ?? [true, false]).map((value) => (typeof value === "object" ? value : { value, label: String(value) }));
  if (typeof option.default === "boolean")
    return html`<label class="switch"><input type="checkbox" role="switch" .checked=${now === true} @change=${() => set(!now)} /><span>${option.label}${about}</span><i aria-hidden="true"></i></label>`;
  const pick = (/** @type {Event} */ event) => set(values[/** @type {HTMLSelectElement} */ (event.target).selectedIndex].value);
  return html`<label class="setting"><span>${option.label}${about}</span><select @change=${pick}>
    ${values.map(({ value, label }) => html`<option ?selected=${value === now}>${label}</option>`)}
  </select></label>`;
}
