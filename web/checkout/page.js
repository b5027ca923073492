/**
 * What the payment page does better where scripts run: it groups the card number, says at a field
 * what is wrong with it, sends the form in the background, shows the time that is left, waits for
 * the bank, and tells a shop around it how high it is. Without it the same page works by itself.
 *
 * The rules that matter: nothing typed into the form is read for any other purpose or leaves by
 * any other way than the form; no message of another window is listened to; no HTML is made. The
 * files of this folder are served one behind the other, and each uses only those before it.
 *
 * Here: finding and showing parts of the page.
 */

// @ts-check

/** @param {string} id */
const find = (id) => document.getElementById(id);

/** @param {Element | null} element @param {string} name */
const textOf = (element, name) => element?.getAttribute(`data-${name}`) ?? "";

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} path */
function leave(path) {
  location.replace(path);
}

/**
 * In place of its neighbours. The time that is left stays in sight, unless `isAlone`.
 *
 * @param {Element} shown @param {boolean} isAlone
 */
function showOnly(shown, isAlone) {
  for (const sibling of shown.parentElement?.children ?? []) {
    if (!(sibling instanceof HTMLElement)) continue;
    const isHead = sibling.classList.contains("head") && !isAlone;
    sibling.hidden = sibling !== shown && !isHead;
    if (isHead) setHeadingHidden(sibling, true);
  }
}

/** The neighbours again. @param {HTMLElement} shown */
function showOthers(shown) {
  for (const sibling of shown.parentElement?.children ?? []) {
    if (!(sibling instanceof HTMLElement)) continue;
    sibling.hidden = sibling === shown;
    if (sibling.classList.contains("head")) setHeadingHidden(sibling, false);
  }
}

/** @param {HTMLElement} head @param {boolean} isHidden */
function setHeadingHidden(head, isHidden) {
  const heading = head.querySelector("h1");
  if (heading !== null) heading.hidden = isHidden;
}

/** @param {string} id @param {string} text */
function say(id, text) {
  const place = find(id);
  // Words that have not changed are not to be read out again.
  if (place !== null && place.textContent !== text) place.textContent = text;
}
