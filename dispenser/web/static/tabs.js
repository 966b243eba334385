// Tabs, as WAI-ARIA has them: one is open, arrows go from one to the next.

/** `onOpen(panel)` is called when another panel is seen. */
export function setUpTabs(list, onOpen) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const panelOf = (tab) => document.getElementById(tab.getAttribute("aria-controls"));

  function open(chosen) {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      panelOf(tab).hidden = tab !== chosen;
    }
    onOpen(panelOf(chosen));
  }

  for (const tab of tabs) tab.addEventListener("click", () => open(tab));
  list.addEventListener("keydown", (event) => {
    const here = tabs.indexOf(document.activeElement);
    const next = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined || here < 0) return;
    event.preventDefault();
    const tab = tabs[(next + tabs.length) % tabs.length];
    tab.focus();
    open(tab);
  });
}
