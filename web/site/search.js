/**
 * Search while somebody types: the list that the page of results would have, below the field. Enter
 * leads to that page, arrows go through the list, Escape closes it, "/" goes to the field.
 */

// @ts-check

/** A pause in the typing: no request for each key. */
const TYPING_MS = 150;
const FOUND_MAX = 8;

const field = document.getElementById("q");
const panel = document.getElementById("found");
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
/** Of several lists that were asked for, only the last is shown. */
let asked = 0;
/**
 * XMLHttpRequest and not fetch, because it hands over a parsed document: the policy allows no HTML
 * made from text. One for all questions: opening it again gives up the one before.
 */
const request = new XMLHttpRequest();

/** @param {string} query @returns {Promise<Document>} */
function fetchResults(query) {
  return new Promise((resolve, reject) => {
    request.open("GET", `/docs/search?${new URLSearchParams({ q: query })}`);
    request.responseType = "document";
    request.onload = () => {
      if (request.status === 200 && request.response) resolve(request.response);
      else reject(new Error("no results"));
    };
    request.onerror = () => reject(new Error("not fetched"));
    request.send();
  });
}

/** @param {string} query */
async function showResults(query) {
  const turn = ++asked;
  if (panel === null) return;
  if (query === "") return closePanel();
  try {
    const page = await fetchResults(query);
    if (turn !== asked) return;
    const found = page.querySelector("ol.found");
    for (const item of [...(found?.children ?? [])].slice(FOUND_MAX)) item.remove();
    const count = document.createElement("p");
    count.className = "soft";
    count.textContent = page.querySelector("[data-count]")?.textContent ?? "";
    panel.replaceChildren(found ?? count);
    panel.hidden = false;
    announce(count.textContent);
  } catch {
    closePanel(); // Enter still leads to the page of results
  }
}

function closePanel() {
  clearTimeout(typing);
  asked++;
  if (panel !== null) panel.hidden = true;
}

field?.addEventListener("input", () => {
  clearTimeout(typing);
  if (field instanceof HTMLInputElement)
    typing = setTimeout(() => showResults(field.value.trim()), TYPING_MS);
});

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  const isTyping = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) field?.focus();
  else if (key === "Escape" && panel?.hidden === false) {
    closePanel();
    field?.focus();
  } else if ((key === "ArrowDown" || key === "ArrowUp") && panel?.hidden === false) {
    /** @type {(HTMLElement | null)[]} */
    const stops = [field, ...panel.querySelectorAll("a")];
    const focused = document.activeElement;
    const at = focused instanceof HTMLElement ? stops.indexOf(focused) : -1;
    if (at < 0) return;
    const next = stops[(at + (key === "ArrowDown" ? 1 : stops.length - 1)) % stops.length];
    next?.focus();
  } else return;
  event.preventDefault();
});

document.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest(".find") === null) closePanel();
});
