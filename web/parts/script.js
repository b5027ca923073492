/**
 * What our pages do better where scripts run: a filter or a pager fetches only what it changes, a
 * dialog opens in place, a value is copied, and what is live is fetched anew when it changed.
 * Without it the same pages work by themselves; on any error it leaves the work to the browser.
 *
 * No HTML is made from text: XMLHttpRequest hands over parsed documents, whose scripts never run,
 * so the page's policy allows no Trusted Types at all.
 */

// @ts-check

/** Changes come in bursts: the first is shown soon, of the others not each. */
const REFRESH_MS = 400;
const REFRESH_EVERY_MS = 5000;
const COPIED_MS = 2000;

/** Of several pages that were asked for, only the last is shown. */
let shows = 0;
/** The page that is shown, without a hash. */
let shown = location.href.split("#")[0];

/** @param {string} url @param {{ isRefresh: boolean }} options @returns {Promise<Document>} */
function fetchDocument(url, { isRefresh }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", url);
    // Nobody asked for it, so it must not keep the session alive.
    if (isRefresh) request.setRequestHeader("x-windward-refresh", "1");
    request.responseType = "document";
    request.onload = () => {
      const page = request.response;
      const isSamePage = new URL(request.responseURL).pathname === new URL(url).pathname;
      // Another tab may have gone to the other environment or account: all of the page changes.
      const isSameSource = page?.body?.dataset.liveSource === document.body.dataset.liveSource;
      const found = page?.getElementById("main");
      // Signed out, moved or refused: the browser shows it.
      if (request.status === 200 && isSamePage && isSameSource && found) resolve(page);
      else reject(new Error("not the page that was asked for"));
    };
    request.onerror = () => reject(new Error("not fetched"));
    request.send();
  });
}

/** @param {string} url @param {boolean} isNew */
async function show(url, isNew) {
  const main = document.getElementById("main");
  if (main === null) return location.assign(url);
  const turn = ++shows;
  main.setAttribute("aria-busy", "true");
  try {
    const page = await fetchDocument(url, { isRefresh: false });
    if (turn !== shows) return;
    const focused = document.activeElement?.id ?? "";
    const isOpen = document.querySelector("#filters[open]") !== null;
    main.replaceChildren(...(page.getElementById("main")?.childNodes ?? []));
    document.title = page.title;
    if (isNew) history.pushState(null, "", url);
    shown = location.href.split("#")[0];
    if (isOpen && focused !== "") document.getElementById("filters")?.setAttribute("open", "");
    const again = focused === "" ? null : document.getElementById(focused);
    (again ?? main).focus({ preventScroll: again !== null });
    if (again === null) scrollTo(0, 0);
    announce(main.querySelector("[data-announce]")?.textContent ?? document.title);
    main.removeAttribute("aria-busy");
  } catch {
    if (turn === shows) location.assign(url);
  }
}

/** @param {string} text */
function announce(text) {
  const announcer = document.getElementById("announcer");
  if (announcer !== null) announcer.textContent = text;
}

/** Fields that are left empty do not go into the address. @param {HTMLFormElement} form */
function addressOf(form) {
  const url = new URL(form.action);
  url.search = "";
  for (const [name, value] of new FormData(form))
    if (typeof value === "string" && value !== "") url.searchParams.append(name, value);
  return url.href;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
  const opened = form.dataset.dialog && document.getElementById(form.dataset.dialog);
  if (opened instanceof HTMLDialogElement) {
    event.preventDefault();
    opened.showModal();
  } else if (form.dataset.swap !== undefined) {
    event.preventDefault();
    show(addressOf(form), true);
  } else if (form.method === "post") sendOnce(form, event);
});

/** @param {HTMLFormElement} form @param {SubmitEvent} event */
function sendOnce(form, event) {
  if (form.dataset.sent !== undefined) event.preventDefault();
  form.dataset.sent = "";
  event.submitter?.setAttribute("aria-disabled", "true");
}

addEventListener("pageshow", ({ persisted }) => {
  // A page from the history may show what is long over, and forms that were sent.
  if (persisted) location.reload();
});

document.addEventListener("change", ({ target }) => {
  const isChoice =
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLInputElement && /^(checkbox|radio)$/.test(target.type));
  if (isChoice && target.form?.dataset.swap !== undefined) target.form.requestSubmit();
});

/** As on the server: `1,250.00`. @param {string} typed */
function amountOf(typed) {
  const [, units, cents = ""] = /^(\d[\d,]*)(?:\.(\d{0,2}))?$/.exec(typed.trim()) ?? [];
  if (units === undefined) return undefined;
  const grouped = units.replaceAll(",", "").replace(/\d(?=(?:\d{3})+$)/g, "$&,");
  return `${grouped}.${cents.padEnd(2, "0")}`;
}

/** A button that moves money says how much: "Refund TTD 25.00". */
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "amount") return;
  const button = target.form?.querySelector("[data-amount-text]");
  const text = button?.getAttribute("data-amount-text") ?? "";
  const amount = amountOf(target.value);
  if (button)
    button.textContent = amount === undefined ? text.replace(/ \w+$/, "") : `${text} ${amount}`;
});

document.addEventListener("click", (event) => {
  const { target } = event;
  if (!(target instanceof Element)) return;
  for (const menu of document.querySelectorAll("details.menu[open]"))
    if (!menu.contains(target)) menu.removeAttribute("open");
  if (target instanceof HTMLDialogElement) return target.close();
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (target.closest("[data-print]") !== null) return print();
  const copying = target.closest("[data-copy]");
  if (copying !== null) return copy(copying);
  const around = target.closest("[data-close]")?.closest("dialog");
  const link = target.closest("a[data-swap]");
  if (around) around.close();
  else if (link instanceof HTMLAnchorElement) show(link.href, true);
  else return;
  event.preventDefault();
});

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  menu?.removeAttribute("open");
  menu?.querySelector("summary")?.focus();
});

/** @param {Element} button */
async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.getAttribute("data-copy") ?? "");
  } catch {
    // Over plain http there is no clipboard: the value is marked, to be copied by hand.
    const value = button.parentElement?.querySelector("code") ?? button.closest("figure");
    if (value) getSelection()?.selectAllChildren(value);
    return;
  }
  const text = button.querySelector(".copy-text");
  const label = [...(text?.childNodes ?? [])];
  if (text === null || button.classList.contains("copied")) return;
  button.classList.add("copied");
  text.textContent = "Copied";
  announce("Copied");
  setTimeout(() => {
    text.replaceChildren(...label);
    button.classList.remove("copied");
  }, COPIED_MS);
}

// To a place on the same page the browser goes by itself.
addEventListener("popstate", () => {
  if (location.href.split("#")[0] !== shown) show(location.href, false);
});

/** Replaces what is live by what stands under the same id in the page as it is now. */
async function refresh() {
  if (document.hidden || document.querySelector("dialog[open]") !== null) return;
  const turn = shows;
  try {
    const page = await fetchDocument(location.href, { isRefresh: true });
    if (turn !== shows || document.querySelector("dialog[open]") !== null) return;
    for (const old of document.querySelectorAll("[data-live][id]")) {
      const fresh = page.getElementById(old.id);
      const isInUse = old.contains(document.activeElement);
      if (fresh !== null && !isInUse && !fresh.isEqualNode(old)) old.replaceWith(fresh);
    }
  } catch {
    // The next change tries again.
  }
}

/** Only a page in view is followed: browsers open few connections to one site. */
function follow() {
  const { liveSource, liveSeen = "" } = document.body.dataset;
  if (liveSource === undefined) return;
  let seen = liveSeen;
  let refreshedAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {EventSource | undefined} */
  let source;
  const refreshSoon = () => {
    clearTimeout(timer);
    const rest = refreshedAt + REFRESH_EVERY_MS - Date.now();
    timer = setTimeout(
      () => {
        refreshedAt = Date.now();
        refresh();
      },
      Math.max(REFRESH_MS, rest),
    );
  };
  const openOrClose = () => {
    source?.close();
    source = undefined;
    if (document.hidden) return;
    const url = new URL(liveSource, location.href);
    url.searchParams.set("seen", seen);
    source = new EventSource(url);
    source.addEventListener("changed", ({ lastEventId }) => {
      seen = lastEventId;
      refreshSoon();
    });
  };
  document.addEventListener("visibilitychange", openOrClose);
  openOrClose();
}

follow();

// Not by scrollIntoView: the next Tab would start from there.
for (const bar of document.querySelectorAll(".side, .tabs")) {
  const entry = bar.querySelector("[aria-current]");
  if (entry instanceof HTMLElement)
    bar.scrollLeft = entry.offsetLeft - (bar.clientWidth - entry.offsetWidth) / 2;
}
