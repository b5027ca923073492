/**
 * The fields of the card form: digits are grouped while they are typed, and what is wrong is said
 * at the field when it is left, or complete; never while it is merely unfinished.
 */

// @ts-check

/** @param {HTMLFormElement} card */
function enhanceFields(card) {
  // Our own words stand at the field, where they stay; the browser's bubbles go away.
  card.noValidate = true;
  const words = wordsOf(card);
  const number = inputNamed(card, "number");
  const expiry = inputNamed(card, "expiry");
  number?.addEventListener("input", () => {
    regroup(number, groupsOfFour);
    showNetwork(digitsOf(number.value));
  });
  expiry?.addEventListener("input", (event) => {
    const isDeleting = event instanceof InputEvent && event.inputType.startsWith("delete");
    if (!isDeleting) regroup(expiry, monthAndYear);
  });
  for (const field of fieldsOf(card)) {
    find(`${field.id}-wrong`)?.setAttribute("aria-live", "polite");
    field.addEventListener("input", () => {
      tell(field, isComplete(field) ? problemOf(field, words) : "");
    });
    field.addEventListener("change", () => {
      tell(field, field.value === "" ? "" : problemOf(field, words));
    });
  }
  const country = card.elements.namedItem("country");
  if (country instanceof HTMLSelectElement) {
    country.addEventListener("change", () => countryChanged(card, country.value));
  }
}

/** @param {HTMLFormElement} card @returns {FormWords} */
function wordsOf(card) {
  return JSON.parse(textOf(card, "words"));
}

/** @param {HTMLFormElement} card @param {string} name */
function inputNamed(card, name) {
  const field = card.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : undefined;
}

/** @param {HTMLFormElement} card */
function fieldsOf(card) {
  return [...card.elements].filter(isField);
}

/** @param {Element} field @returns {field is HTMLInputElement | HTMLSelectElement} */
function isField(field) {
  const isOne = field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
  return isOne && field.type !== "hidden";
}

/** @param {HTMLInputElement | HTMLSelectElement} field */
function isComplete({ name, value }) {
  const isWhole = Object.entries(COMPLETE).find(([each]) => each === name)?.[1];
  return isWhole?.(digitsOf(value)) === true;
}

/**
 * What is wrong with a field; empty where nothing is.
 *
 * @param {HTMLInputElement | HTMLSelectElement} field @param {FormWords} words
 */
function problemOf(field, words) {
  const { validity, name, value } = field;
  if (validity.valueMissing) return textOf(field, "missing");
  if (validity.patternMismatch || validity.typeMismatch) {
    // Of a network that is not taken that is said, however long its numbers are.
    const network = name === "number" ? networkOf(digitsOf(value)) : "";
    return (LENGTHS[network] ? "" : words.number[network]) || textOf(field, "wrong");
  }
  if (name === "number") return numberProblem(value, words);
  if (name === "expiry") return expiryProblem(value, words);
  return name === "cvv" && isCodeTooLong(field) ? textOf(field, "wrong") : "";
}

/**
 * Four digits are the code of a network that is not taken, which is then said at the number.
 *
 * @param {HTMLInputElement | HTMLSelectElement} field
 */
function isCodeTooLong({ form, value }) {
  const number = form === null ? undefined : inputNamed(form, "number");
  const network = networkOf(digitsOf(number?.value ?? ""));
  const isTaken = network === "" || LENGTHS[network] !== undefined;
  return digitsOf(value).length > 3 && isTaken;
}

/** @param {HTMLInputElement | HTMLSelectElement} field @param {string} message */
function tell(field, message) {
  say(`${field.id}-wrong`, message);
  field.closest(".field")?.classList.toggle("wrong", message !== "");
  if (message === "") field.removeAttribute("aria-invalid");
  else field.setAttribute("aria-invalid", "true");
}

/** @param {Element | undefined} field */
function openAround(field) {
  const details = field?.closest("details");
  if (details) details.open = true;
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
function showNetwork(digits) {
  const networks = find("networks");
  if (networks === null) return;
  const network = networkOf(digits);
  const [isVisa, isMastercard] = [network === "visa", network === "mastercard"];
  networks.classList.toggle("is-visa", isVisa);
  networks.classList.toggle("is-mastercard", isMastercard);
  say("network-said", isVisa || isMastercard ? textOf(networks, network) : "");
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
