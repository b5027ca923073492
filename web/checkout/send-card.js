/**
 * Sends the card form in the background (Decision 0096), so that a network that fails loses
 * nothing that was typed.
 *
 * However often it is sent, it is one attempt: the form says how many cards had been tried, and
 * the service takes one form for each number. So a form whose answer was lost may be sent again,
 * and is answered with what came of the first.
 */

// @ts-check

const SLOW_MS = 10_000;
/** A form that has not arrived by then is not waited for. */
const GIVE_UP_MS = 30_000;
const LOOK_AGAIN_MS = 5000;

/** Whether a form of this attempt may have reached the service. */
let mayHaveArrived = false;

/** @param {HTMLFormElement} card */
const isUnderWay = (card) => card.dataset.sent !== undefined;

/** @param {HTMLFormElement} card */
function sendInBackground(card) {
  card.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isUnderWay(card)) return;
    const words = wordsOf(card);
    const problems = fieldsOf(card)
      .map((field) => ({ field: field.id, message: problemOf(field, words) }))
      .filter(({ message }) => message !== "");
    if (problems.length > 0) return showProblems(card, problems);
    for (const field of fieldsOf(card)) tell(field, "");
    send(card);
  });
}

/** @param {HTMLFormElement} card */
async function send(card) {
  hideNotice();
  if (!navigator.onLine && !mayHaveArrived) return void showLost(card, "offline");
  card.dataset.sent = "";
  mayHaveArrived = true;
  showWaiting();
  const done = new AbortController();
  const answered = post(card, done.signal);
  let status = await Promise.race([answered, watch(card, done.signal, GIVE_UP_MS)]);
  // It was taken and has no result yet.
  if (status.step === "working") status = await watch(card, done.signal);
  done.abort();
  goOnFrom(card, status);
}

/**
 * @param {HTMLFormElement} card @param {AbortSignal} signal
 * @returns {Promise<Status>}
 */
async function post(card, signal) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(card)) body.append(name, String(value));
  const headers = { accept: "application/json" };
  try {
    const answer = await fetch(card.action, { method: "POST", headers, body, signal });
    const status = await answer.json();
    if (typeof status.step === "string") return status;
    const isTrouble = answer.status >= 500 || answer.status === 429;
    return { step: isTrouble ? "trouble" : "page", attempts: 0 };
  } catch {
    return { step: "lost", attempts: 0 };
  }
}

/**
 * Asks how it stands until that is more than waiting, and says what is true meanwhile.
 *
 * @param {HTMLFormElement} card @param {AbortSignal} signal @param {number} limitMs
 * @returns {Promise<Status>}
 */
async function watch(card, signal, limitMs = Number.POSITIVE_INFINITY) {
  const began = performance.now();
  const waiting = find("waiting");
  for (let count = 1; ; count += 1) {
    await pause(count === 1 || count > POLL_SLOW_AFTER ? POLL_SLOW_MS : POLL_MS);
    const status = signal.aborted ? undefined : await ask(textOf(waiting, "poll-later"));
    if (status !== undefined && !isWaiting(card, status)) return status;
    const waitedMs = performance.now() - began;
    // It has been taken, or its answer would be here: sent again, it would be the same.
    if (signal.aborted || (status?.step !== "working" && waitedMs > limitMs))
      return { step: "lost", attempts: 0 };
    if (status === undefined) say("waiting-text", textOf(waiting, "unreachable"));
    else if (status.step === "working") say("waiting-text", status.text ?? "");
    else if (waitedMs > SLOW_MS) say("waiting-text", wordsOf(card).sending.slow);
  }
}

/** Not taken yet, or taken and without a result. @param {HTMLFormElement} card @param {Status} status */
function isWaiting(card, { step, attempts }) {
  return step === "working" || (step === "card" && attempts === seenAttempts(card));
}

/** @param {HTMLFormElement} card */
function seenAttempts(card) {
  return Number(inputNamed(card, "attempts")?.value);
}

/** @param {HTMLFormElement} card @param {Status} status @returns {void} */
function goOnFrom(card, status) {
  const { step } = status;
  if (step === "lost" || step === "trouble") return void showLost(card, step);
  if (step === "card" && (status.notice !== undefined || status.problems !== undefined))
    return showAgain(card, status);
  // The page need not keep them.
  clear(card, ["number", "cvv"]);
  if (step === "ended") return showEnd(status);
  leave(step === "challenge" ? `${location.pathname}?waiting=1` : location.pathname);
}

/** @param {HTMLFormElement} card @param {readonly string[]} names */
function clear(card, names) {
  for (const name of names) {
    const field = inputNamed(card, name);
    if (field !== undefined) field.value = "";
  }
}

/**
 * Declined, or something is wrong in it. Number, expiry and name stay where they were typed.
 *
 * @param {HTMLFormElement} card @param {Status} status
 */
function showAgain(card, { attempts, problems = [], notice }) {
  showForm(card);
  mayHaveArrived = false;
  const seen = inputNamed(card, "attempts");
  if (seen !== undefined) seen.value = String(attempts);
  if (problems.length > 0) return showProblems(card, problems);
  clear(card, ["cvv"]);
  const shown = notice && showNotice(card, notice);
  inputNamed(card, "cvv")?.focus({ preventScroll: true });
  shown?.scrollIntoView({ block: "nearest" });
}

/**
 * Nothing that was typed is lost. What became of it is found out by sending it again, or by itself.
 *
 * @param {HTMLFormElement} card @param {"offline" | "lost" | "trouble"} why
 * @returns {Promise<void>}
 */
async function showLost(card, why) {
  const { sending } = wordsOf(card);
  const { heading, text } = sending[why];
  showForm(card);
  const again = elementOf("button", sending.again);
  again.setAttribute("type", "button");
  again.addEventListener("click", () => card.requestSubmit());
  const shown = showNotice(card, { heading, texts: [text, sending.kept] }, again);
  shown.scrollIntoView({ block: "nearest" });
  again.focus({ preventScroll: true });
  while (mayHaveArrived) {
    await pause(LOOK_AGAIN_MS);
    if (!shown.isConnected || isUnderWay(card)) return;
    const status = await ask(textOf(find("waiting"), "poll-later"));
    if (!shown.isConnected || isUnderWay(card)) return;
    if (status?.step === "working") return card.requestSubmit();
    if (status !== undefined && !isWaiting(card, status)) return goOnFrom(card, status);
  }
}

/** @param {HTMLFormElement} card */
function showForm(card) {
  delete card.dataset.sent;
  const waiting = find("waiting");
  if (waiting !== null) showOthers(waiting);
}

/** Takes the place of the form while it is under way. */
function showWaiting() {
  const waiting = find("waiting");
  if (waiting === null) return;
  showOnly(waiting, false);
  waiting.querySelector("h1")?.focus();
  scrollTo({ top: 0 });
}
