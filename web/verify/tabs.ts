/** Tabs by the keyboard's custom: arrows move between them, Tab goes on into the panel. */

export function startTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tabs, at));
    tab.addEventListener("keydown", (event) => {
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      choose(tabs, (to + tabs.length) % tabs.length);
    });
  }
}

function choose(tabs: readonly HTMLElement[], chosen: number): void {
  for (const [at, tab] of tabs.entries()) {
    const isChosen = at === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
    if (panel !== null) panel.hidden = !isChosen;
    if (isChosen) tab.focus();
  }
  const result = document.getElementById("result");
  if (result !== null) result.hidden = true;
}
