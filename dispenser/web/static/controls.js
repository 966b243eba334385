// What every page with a launcher on it has: the dialog for loading, its steps, the switch for sound, the space bar.

import * as sound from "./sound.js";

const at = (id) => document.getElementById(id);

/** `load(cards)` is called when somebody said how many. */
export function setUpControls(load) {
  at("load-open").addEventListener("click", () => at("load").showModal());
  at("load-cancel").addEventListener("click", () => at("load").close());
  at("load-form").addEventListener("submit", () => load(at("load-cards").valueAsNumber));

  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => {
      const input = button.parentElement.querySelector("input");
      const next = (input.valueAsNumber || 0) + Number(button.dataset.step);
      input.value = Math.min(Number(input.max), Math.max(Number(input.min), next));
    });
  }

  const show = (on) => at("sound").setAttribute("aria-pressed", String(on));
  show(sound.isOn());
  at("sound").addEventListener("click", () => show(sound.toggle()));
}

/** The space bar, where it does nothing else. */
export const isFreeSpace = (event) =>
  event.code === "Space" && !event.target.closest("input, button, a, summary, dialog, [tabindex]");
