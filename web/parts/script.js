/**
 * What our pages do better where scripts run: swap lists and open dialogs; `live.js` follows what is
 * live. On any error the browser does the work. No HTML is made from text: XMLHttpRequest hands over parsed
 * documents, whose scripts never run, so the policy allows no Trusted Types.
 */

// @ts-check

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

/** A colour that is picked is typed, and the other way round. */
document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  const { colourOf } = target.dataset;
  const other =
    colourOf === undefined
      ? document.querySelector(`[data-colour-of="${CSS.escape(target.id)}"]`)
      : document.getElementById(colourOf);
  if (!(other instanceof HTMLInputElement)) return;
  if (target.value === "") other.value = other.defaultValue;
  else if (colourOf !== undefined || /^#[0-9a-f]{6}$/i.test(target.value))
    other.value = target.value;
});

/** As on the server: `1,250.00`. @param {string} typed */
function amountOf(typed) {
  const [, units, cents = ""] = /^(\d[\d,]*)(?:\.(\d{0,2}))?$/.exec(typed.trim()) ?? [];
  if (units === undefined) return undefined;
  const grouped = units.replaceAll(",", "").replace(/\d(?=(?:\d{3})+$)/g, "$&,");
  return `${grouped}.${cents.padEnd(2, "0")}`;
}

/** A button that moves money says how much: "Refund TTD 25.00". */
document.addEventListener("input", ({ target }) => sayAmount(target));
for (const field of document.querySelectorAll("input[name=amount]")) sayAmount(field);

/** @param {EventTarget | null} field */
function sayAmount(field) {
  if (!(field instanceof HTMLInputElement) || field.name !== "amount") return;
  const button = field.form?.querySelector("[data-amount-text]");
  const text = button?.getAttribute("data-amount-text") ?? "";
  const amount = amountOf(field.value);
  if (button)
    button.textContent = amount === undefined ? text.replace(/ \w+$/, "") : `${text} ${amount}`;
}

document.addEventListener("click", (event) => {
  const { target } = event;
  if (!(target instanceof Element)) return;
  for (const menu of document.querySelectorAll("details.menu[open]"))
    if (!menu.contains(target)) menu.removeAttribute("open");
  if (target instanceof HTMLDialogElement) return target.close();
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (target.closest("[data-print]") !== null) return print();
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

// To a place on the same page the browser goes by itself.
addEventListener("popstate", () => {
  if (location.href.split("#")[0] !== shown) show(location.href, false);
});

// Not by scrollIntoView: the next Tab would start from there.
for (const bar of document.querySelectorAll(".side, .tabs")) {
  const entry = bar.querySelector("[aria-current]");
  if (entry instanceof HTMLElement)
    bar.scrollLeft = entry.offsetLeft - (bar.clientWidth - entry.offsetWidth) / 2;
}
