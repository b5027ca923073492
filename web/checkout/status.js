/** How the payment stands, as the service tells it, and what is shown when it has ended. */

// @ts-check

/**
 * @typedef {{
 *   step: string, attempts: number, next?: string, heading?: string, text?: string,
 *   notice?: { heading: string, texts: string[] },
 *   problems?: { field: string, message: string }[],
 * }} Status
 */

const POLL_MS = 1000;
const POLL_SLOW_MS = 3000;
const POLL_SLOW_AFTER = 15;

/** Ends the pause of `poll`. */
let askNow = () => {};

/** Undefined: it could not be asked for. @param {string} url @returns {Promise<Status | undefined>} */
async function ask(url) {
  try {
    const answer = await fetch(url, { headers: { accept: "application/json" } });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/** How it ended, and the way on. @param {Status} status */
function showEnd(status) {
  const waiting = find("waiting");
  const on = find("waiting-on");
  const link = on?.querySelector("a");
  const { heading = "", text = "", next = "" } = status;
  if (waiting === null || on === null || !link) return leave(location.pathname);
  showOnly(waiting, true);
  const title = waiting.querySelector("h1");
  if (title !== null) title.textContent = heading;
  say("waiting-text", text);
  waiting.querySelector(".spinner")?.classList.add("done");
  link.href = next;
  const more = find("waiting-more");
  if (more !== null) more.hidden = true;
  for (const part of [on, find("waiting-reference")]) if (part !== null) part.hidden = false;
  // The merchant's page may take its time, or not answer at all. Without a connection the browser
  // would show its own error in place of this.
  const go = () => location.assign(next);
  if (navigator.onLine) go();
  else addEventListener("online", go, { once: true });
}

/**
 * Asks how it stands, and goes where it goes on.
 *
 * @param {string} url @param {Element} from
 */
async function poll(url, from) {
  for (let count = 1; ; count += 1) {
    const status = await ask(url);
    if (status?.step === "replaced") return leave(location.pathname);
    if (status?.step === "ended") return showEnd(status);
    const isOther =
      status !== undefined &&
      (status.step !== textOf(from, "step") ||
        String(status.attempts) !== textOf(from, "attempts"));
    // As somebody who waits: should it end before that page is there, it goes on from it, too.
    if (isOther) {
      const waiting = find("waiting");
      if (waiting !== null) showOnly(waiting, true);
      return leave(`${location.pathname}?waiting=1`);
    }
    const text = status === undefined ? textOf(find("waiting"), "unreachable") : status.text;
    if (text !== undefined) say("working-text", text);
    const ms = count > POLL_SLOW_AFTER ? POLL_SLOW_MS : POLL_MS;
    await new Promise((resolve) => {
      askNow = () => resolve(undefined);
      setTimeout(resolve, ms);
    });
  }
}
