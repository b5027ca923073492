/**
 * Tabs by keyboard custom: arrows move between them, Tab goes on into the panel. `#request` in the
 * address opens the tab of that name.
 */

export function startTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tabs, at)?.focus());
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(tabs, (to + tabs.length) % tabs.length)?.focus();
    });
  }
  const openLinked = () => {
    const linked = tabs.findIndex(({ id }) => `#${id}` === `${location.hash}-tab`);
    if (linked !== -1) choose(tabs, linked);
  };
  addEventListener("hashchange", openLinked);
  openLinked();
}

function choose(tabs: readonly HTMLElement[], chosen: number): HTMLElement | undefined {
  for (const [at, tab] of tabs.entries()) {
    const isChosen = at === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
    if (panel !== null) panel.hidden = !isChosen;
  }
  const result = document.getElementById("result");
  if (result !== null) result.hidden = true;
  return tabs[chosen];
}
