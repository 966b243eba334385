// The launcher's button on a phone: as large as it gets where it is due, small beside other things to do.

import { html, nothing } from "./lit-html.js";
import { pips, say, texts } from "./pieces.js";

/** @import {Launcher, Send, View} from "./view" */
/** @typedef {NonNullable<View["push"]>} Push */
/** @typedef {{send: (send: Send) => void, sent: (send: Send) => boolean}} Sending */

const MOVING = ["suspense", "feeding", "retracting"];

/** @param {Launcher | null} launcher */
export const moves = (launcher) => launcher !== null && MOVING.includes(launcher.state);

/** Why a push would not count now. @param {Launcher | null} launcher */
const refusal = (launcher) => (moves(launcher) ? null : (launcher?.refusal ?? null));

/** How large the button is, if it is there: on the phone that is the launcher not while it is of no use beside other things.
 * @param {View} view @param {Launcher | null} launcher @returns {"dome" | "pill" | ""} */
export function sizeOf({ push, hand, choices, asks, stand_in }, launcher) {
  if (!push) return "";
  if (push.due || (hand.length + choices.length === 0 && !asks)) return "dome";
  return stand_in?.me && refusal(launcher) ? "" : "pill";
}

/** Who presses on the phone that is the launcher. @param {View} view */
export const caption = ({ stand_in }) => (stand_in?.text ? html`<p class="for whose">${stand_in.text}</p>` : nothing);

/** The big round button. @param {View} view @param {Push} push @param {Launcher | null} launcher @param {Sending} sending */
export function dome(view, push, launcher, { send, sent }) {
  const why = refusal(launcher);
  const { owes } = view;
  return html`<div class="push">
    ${caption(view)}
    ${owes?.kind === "presses" && owes.total > 1 ? pips(owes.total - owes.left, owes.total) : nothing}
    <button type="button" class="dome ${sent(push.send) ? "down" : ""}" aria-disabled=${why || moves(launcher) ? "true" : nothing} @click=${() => send(push.send)}>
      <span class="cap"><span class="label">${push.label}</span></span>
    </button>
    ${why ? html`<p class="refusal">${texts.refused[why] ?? ""}</p>` : nothing}
  </div>`;
}

/** A push that nobody owes, beside other things to do. @param {View} view @param {Push} push @param {Sending} sending */
export const pill = (view, push, { send, sent }) => html`${caption(view)}
  <button type="button" class="choice kind-push ${sent(push.send) ? "sent" : ""}" @click=${() => send(push.send)}><span class="label">${push.label}</span></button>`;

/** Where the launcher sees by itself that it was seen to, nothing need be tapped. @param {string} waits @param {Sending} sending */
export const mend = (waits, { send, sent }) =>
  texts.mended[waits]
    ? html`<button type="button" class="choice kind-main ${sent({ reset: true }) ? "sent" : ""}" @click=${() => send({ reset: true })}><span class="label">${texts.mended[waits]}</span></button>`
    : html`<p class="waiting">${say("by_itself")}</p>`;
