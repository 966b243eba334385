/** The rules: shows those with the word that is typed, leads to a rule that is not shown, opens all examples on paper. */

const input = document.querySelector("#word");
const found = document.querySelector("#found");
const results = document.querySelector(".results");
const rules = [...document.querySelectorAll("[data-words]")];
const examples = [...document.querySelectorAll(".example")];

/** As the server folds the words of the rules. */
const folded = (text) =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replaceAll("œ", "oe").replaceAll("æ", "ae").replaceAll("’", "'");

function show(word) {
  const wanted = folded(word.trim());
  for (const rule of rules) rule.hidden = !rule.dataset.words.includes(wanted);
  if (results) results.hidden = !wanted;
  else for (const part of document.querySelectorAll(".part")) part.hidden = !part.querySelector("article:not([hidden])");
  const number = rules.filter((rule) => !rule.hidden).length;
  const { none, one, many } = found.dataset;
  found.textContent = !wanted ? "" : number > 1 ? many.replace("#", number) : number ? one : none;
}

function search() {
  show(input.value);
  const address = new URL(location.href);
  if (input.value.trim()) address.searchParams.set("word", input.value.trim());
  else address.searchParams.delete("word");
  address.hash = "";
  history.replaceState(null, "", address);
}

function followHash() {
  const rule = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!rule?.closest("[hidden]")) return;
  input.value = "";
  search();
  location.hash = rule.id;
}

if (input) {
  input.addEventListener("input", search);
  document.querySelector("#search").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  addEventListener("hashchange", followHash);
  addEventListener("pageshow", () => show(input.value)); // the browser may have kept what was typed
}

const language = document.querySelector("#language");
language.addEventListener("click", () => {
  const address = new URL(location.href);
  address.searchParams.set("lang", language.hreflang);
  language.href = address.href;
});

addEventListener("beforeprint", () => {
  for (const example of examples) {
    example.dataset.open = example.open;
    example.open = true;
  }
});
addEventListener("afterprint", () => {
  for (const example of examples) example.open = example.dataset.open === "true";
});
