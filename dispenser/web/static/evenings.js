/** The evenings: dates as one reads them here, and an evening is deleted when one has said so twice. */

import { command } from "./api.js";
import { render } from "./table/lit-html.js";
import { scoreChart } from "./table/pieces.js";

const written = new Intl.DateTimeFormat(navigator.languages.find((each) => each.startsWith(document.documentElement.lang)) ?? document.documentElement.lang, { dateStyle: "full", timeStyle: "short" });
for (const time of document.querySelectorAll("time")) time.textContent = written.format(new Date(time.dateTime));
for (const place of document.querySelectorAll(".score-chart")) render(scoreChart(JSON.parse(place.dataset.lines), place.dataset.label), place);

const dialog = document.querySelector("#delete");
if (dialog) {
  const [which, wrong, no, yes] = ["which", "wrong", "not", "yes"].map((name) => document.querySelector(`#delete-${name}`));
  let button = null;
  for (const one of document.querySelectorAll(".delete")) {
    one.hidden = false;
    one.addEventListener("click", () => {
      button = one;
      wrong.hidden = true;
      which.textContent = one.closest("article").querySelector("time").textContent;
      dialog.showModal();
    });
  }
  no.addEventListener("click", () => dialog.close());
  yes.addEventListener("click", async () => {
    yes.disabled = true;
    try {
      await command("/table/evenings/delete", { evening: button.dataset.evening });
      location.reload();
    } catch (error) {
      wrong.textContent = error.message;
      wrong.hidden = false;
      yes.disabled = false;
    }
  });
}
