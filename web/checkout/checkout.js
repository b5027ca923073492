/**
 * What the payment page does better where scripts run: it groups the card number, says what is
 * missing before anything is sent, shows the time that is left, waits for the bank, and sends a
 * form once. Without it the same page works by itself.
 *
 * The rules that matter: nothing typed into the form is read for any other purpose or leaves by
 * any other way than the form; no message of another window is listened to; no HTML is made.
 */

// @ts-check

const POLL_MS = 1000;
const POLL_SLOW_MS = 3000;
const POLL_SLOW_AFTER = 15;

/**
 * Stops with the form: a page that is left while the form is under way would give the answer up.
 *
 * @type {ReturnType<typeof setInterval> | undefined}
 */
let timer;

/** Ends the pause of `poll`. */
let askNow = () => {};

/** @param {string} id */
const find = (id) => document.getElementById(id);

/** @param {Element | null} element @param {string} name */
const textOf = (element, name) => element?.getAttribute(`data-${name}`) ?? "";

showTime();
showBank();
const form = find("card");
if (form instanceof HTMLFormElement) enhanceForm(form);
for (const other of document.forms) if (other !== form) sendOnce(other);
const polling = document.querySelector("[data-poll]");
if (polling !== null) poll(textOf(polling, "poll"), polling);
goOn();
addEventListener("pageshow", ({ persisted }) => {
  // A page that was kept alive in the history may show a form that is long over.
  if (persisted) location.reload();
});

document.addEventListener("visibilitychange", noticeReplacement);

/** A customer who comes back to this tab may have changed the order in another one. */
async function noticeReplacement() {
  const isTyping = () => form instanceof HTMLFormElement && form.dataset.sent === undefined;
  if (document.hidden || !isTyping()) return;
  const status = await ask(textOf(find("waiting"), "poll-later"));
  if (status?.step === "replaced" && isTyping()) leave(location.pathname);
}

/** @param {HTMLFormElement} card */
function enhanceForm(card) {
  // Our own words stand at the field, where they stay; the browser's bubbles go away.
  card.noValidate = true;
  const number = inputNamed(card, "number");
  const expiry = inputNamed(card, "expiry");
  const cvv = inputNamed(card, "cvv");
  number?.addEventListener("input", () => {
    regroup(number, groupsOfFour);
    showNetwork(digitsOf(number.value));
  });
  expiry?.addEventListener("input", (event) => {
    const isDeleting = event instanceof InputEvent && event.inputType.startsWith("delete");
    if (!isDeleting) regroup(expiry, monthAndYear);
  });
  for (const field of card.elements) {
    if (isField(field)) field.addEventListener("change", () => judge(field, field.value !== ""));
  }
  const country = card.elements.namedItem("country");
  if (country instanceof HTMLSelectElement) {
    country.addEventListener("change", () => countryChanged(card, country.value));
  }
  card.addEventListener("submit", (event) => {
    const wrong = [...card.elements].filter(isField).filter((field) => !judge(field, true));
    const [first] = wrong;
    if (first !== undefined || card.dataset.sent !== undefined) {
      event.preventDefault();
      openAround(first);
      first?.focus();
      return;
    }
    card.dataset.sent = "";
    showWaiting();
    // The browser has taken the values when this runs; the page need not keep them.
    setTimeout(() => {
      for (const field of [number, cvv]) if (field !== undefined) field.value = "";
    });
  });
  const notice = find("notice");
  notice?.focus();
}

/** @param {HTMLFormElement} other */
function sendOnce(other) {
  other.addEventListener("submit", (event) => {
    if (other.dataset.sent !== undefined) event.preventDefault();
    other.dataset.sent = "";
  });
}

/** @param {HTMLFormElement} card @param {string} name */
function inputNamed(card, name) {
  const field = card.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : undefined;
}

/** @param {Element} field @returns {field is HTMLInputElement | HTMLSelectElement} */
function isField(field) {
  const isOne = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
  return isOne && field.type !== "hidden";
}

/**
 * Whether the field looks right; when `tells`, what is wrong is said at the field.
 *
 * @param {HTMLInputElement | HTMLSelectElement} field @param {boolean} tells
 */
function judge(field, tells) {
  const { validity } = field;
  const message = validity.valueMissing
    ? textOf(field, "missing")
    : validity.patternMismatch || validity.typeMismatch || isCodeTooLong(field)
      ? textOf(field, "wrong")
      : field.name === "number"
        ? notTaken(field.value)
        : "";
  const place = find(`${field.id}-wrong`);
  if (place !== null && (tells || message === "")) {
    place.textContent = message;
    field.closest(".field")?.classList.toggle("wrong", message !== "");
    if (message === "") field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
  }
  return message === "";
}

/**
 * Four digits are the code of a network that is not taken, which is then said at the number.
 *
 * @param {HTMLInputElement | HTMLSelectElement} field
 */
function isCodeTooLong(field) {
  const number = field.form === null ? undefined : inputNamed(field.form, "number");
  return (
    field.name === "cvv" && digitsOf(field.value).length > 3 && notTaken(number?.value ?? "") === ""
  );
}

/** @param {string} number */
function notTaken(number) {
  const network = networkOf(digitsOf(number));
  return network === "amex" || network === "other" ? textOf(find("networks"), network) : "";
}

/** @param {Element | undefined} field */
function openAround(field) {
  const details = field?.closest("details");
  if (details) details.open = true;
}

/** @param {string} text */
function digitsOf(text) {
  return text.replace(/\D/g, "");
}

/** @param {string} digits */
function groupsOfFour(digits) {
  return digits.slice(0, 19).replace(/(\d{4})(?=\d)/g, "$1 ");
}

/** @param {string} digits */
function monthAndYear(digits) {
  const whole = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  const year = whole.length > 4 ? whole.slice(2).replace(/^20(?=\d\d)/, "") : whole.slice(2);
  return whole.length < 2 ? whole : `${whole.slice(0, 2)} / ${year.slice(0, 2)}`;
}

/**
 * Writes the digits anew and leaves the cursor behind the same digit.
 *
 * @param {HTMLInputElement} field @param {(digits: string) => string} grouped
 */
function regroup(field, grouped) {
  const at = field.selectionStart ?? field.value.length;
  const isAtEnd = at === field.value.length;
  let before = digitsOf(field.value.slice(0, at)).length;
  const text = grouped(digitsOf(field.value));
  if (text === field.value) return;
  field.value = text;
  let to = isAtEnd ? text.length : 0;
  while (!isAtEnd && before > 0 && to < text.length) {
    if (/\d/.test(text.charAt(to))) before -= 1;
    to += 1;
  }
  field.setSelectionRange(to, to);
}

/** @param {string} digits */
function networkOf(digits) {
  if (digits.startsWith("4")) return "visa";
  if (/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits)) return "mastercard";
  if (digits.length < 4) return "";
  return /^3[47]/.test(digits) ? "amex" : "other";
}

/** @param {string} digits */
function showNetwork(digits) {
  const networks = find("networks");
  const said = find("network-said");
  if (networks === null || said === null) return;
  const network = networkOf(digits);
  const [isVisa, isMastercard] = [network === "visa", network === "mastercard"];
  networks.classList.toggle("is-visa", isVisa);
  networks.classList.toggle("is-mastercard", isMastercard);
  const text = isVisa || isMastercard ? textOf(networks, network) : "";
  if (said.textContent !== text) said.textContent = text;
}

/** @param {HTMLFormElement} card @param {string} country */
async function countryChanged(card, country) {
  const dial = card.elements.namedItem("dial");
  const phone = inputNamed(card, "phone");
  if (dial instanceof HTMLSelectElement && phone?.value === "") dial.value = country;
  const states = card.elements.namedItem("state");
  const place = find("states");
  if (!(states instanceof HTMLSelectElement) || place === null) return;
  const [first] = states.options;
  states.replaceChildren(...(first === undefined ? [] : [first]));
  const names = country === "" ? {} : await statesOf(country);
  // Chosen again while the list was loading.
  const chosen = card.elements.namedItem("country");
  if (!(chosen instanceof HTMLSelectElement) || chosen.value !== country) return;
  states.append(...Object.entries(names).map(([code, name]) => new Option(name, code)));
  place.hidden = states.options.length === 1;
  states.required = card.dataset.avs !== undefined && !place.hidden;
}

/** @param {string} country @returns {Promise<Record<string, string>>} */
async function statesOf(country) {
  try {
    const answer = await fetch(`/plugins/get/states?country_code=${encodeURIComponent(country)}`);
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}

function showTime() {
  const time = find("time");
  const said = find("time-said");
  if (time === null || said === null) return;
  const endsAt = performance.now() + Number(textOf(time, "seconds")) * 1000;
  /** @type {Record<string, string>} */
  const warnings = JSON.parse(textOf(time, "warnings"));
  const clock = document.createElement("b");
  time.textContent = `${textOf(time, "label")}: `;
  time.append(clock);
  let shown = Number.POSITIVE_INFINITY;
  const tick = () => {
    const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
    clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    for (const [at, words] of Object.entries(warnings)) {
      if (left > Number(at) || shown <= Number(at)) continue;
      time.classList.add("short");
      // Words for screen readers: others see the clock.
      said.textContent = words;
    }
    shown = left;
    if (left > 0) return;
    clearInterval(timer);
    said.textContent = textOf(time, "over");
    // To read how it ended: nobody who waits is led on by a clock.
    setTimeout(() => leave(location.pathname), POLL_MS);
  };
  timer = setInterval(tick, 1000);
  tick();
}

/** A frame in place of the link, which is for where no script waits for the bank's answer. */
function showBank() {
  const bank = find("bank");
  const [frame, link] = [find("bank-frame"), find("bank-window")];
  if (!(bank instanceof HTMLIFrameElement) || frame === null || link === null) return;
  // A real bank's page stands in a second frame, inside our document.
  bank.addEventListener("load", () => {
    const inner = bank.contentDocument?.querySelector("iframe");
    inner?.addEventListener("load", () => bankLoaded(inner));
    bankLoaded(bank);
  });
  bank.src = textOf(bank, "src");
  frame.hidden = false;
  link.hidden = true;
}

/**
 * Each page of the bank may be the last. Of the pages in its place only our answer is one that we
 * can read: then there is nothing more to open.
 *
 * @param {HTMLIFrameElement} frame
 */
function bankLoaded(frame) {
  const more = find("bank-more");
  if (more !== null && frame.contentDocument?.querySelector("main > h1")) more.hidden = true;
  askNow();
}

/** Takes the place of the form while it is under way, and goes on to tell how it ended. */
function showWaiting() {
  const waiting = find("waiting");
  if (waiting === null) return;
  clearInterval(timer);
  showOnly(waiting);
  waiting.querySelector("h1")?.focus();
  scrollTo({ top: 0 });
  setTimeout(() => poll(textOf(waiting, "poll-later"), undefined), POLL_SLOW_MS);
}

/** @param {Element} shown */
function showOnly(shown) {
  for (const sibling of shown.parentElement?.children ?? []) {
    if (sibling instanceof HTMLElement) sibling.hidden = sibling !== shown;
  }
}

/**
 * Asks how it stands, and goes where it goes on. Without `from` the browser is navigating already,
 * and only the end is told, in case the merchant's page does not answer.
 *
 * @param {string} url @param {Element | undefined} from
 */
async function poll(url, from) {
  for (let count = 1; ; count += 1) {
    const status = await ask(url);
    if (status?.step === "replaced") return leave(location.pathname);
    if (status?.step === "ended") return showEnd(status, from !== undefined);
    const isOther =
      status !== undefined &&
      (status.step !== textOf(from ?? null, "step") ||
        String(status.attempts) !== textOf(from ?? null, "attempts"));
    // As somebody who waits: should it end before that page is there, it goes on from it, too.
    if (from !== undefined && isOther) {
      const waiting = find("waiting");
      if (waiting !== null) showOnly(waiting);
      return leave(`${location.pathname}?waiting=1`);
    }
    const ms = count > POLL_SLOW_AFTER ? POLL_SLOW_MS : POLL_MS;
    await new Promise((resolve) => {
      askNow = () => resolve(undefined);
      setTimeout(resolve, ms);
    });
  }
}

/** @param {string} url */
async function ask(url) {
  try {
    const answer = await fetch(url, { headers: { accept: "application/json" } });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/** @param {{heading: string, text: string, next: string}} status @param {boolean} goes */
function showEnd(status, goes) {
  const waiting = find("waiting");
  const on = find("waiting-on");
  const link = on?.querySelector("a");
  if (waiting === null || on === null || !link) return leave(location.pathname);
  showOnly(waiting);
  const heading = waiting.querySelector("h1");
  if (heading !== null) heading.textContent = status.heading;
  const text = find("waiting-text");
  if (text !== null) text.textContent = status.text;
  const more = find("waiting-more");
  if (more !== null) more.hidden = true;
  waiting.querySelector(".spinner")?.classList.add("done");
  link.href = status.next;
  on.hidden = false;
  const reference = find("waiting-reference");
  if (reference !== null) reference.hidden = false;
  if (goes) location.assign(status.next);
}

/** At the end of a payment that was waited for. */
function goOn() {
  const link = document.querySelector("a[data-goes-on]");
  if (link instanceof HTMLAnchorElement) location.assign(link.href);
}

/** @param {string} path */
function leave(path) {
  location.replace(path);
}
