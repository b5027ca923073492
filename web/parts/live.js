/**
 * Follows the account of a page: a stream of server-sent events says when something has changed, and
 * what is live is replaced. Loaded behind `script.js`, whose functions it uses.
 */

// @ts-check

/** Changes come in bursts: the first is shown soon, of the others not each. */
const REFRESH_MS = 400;
const REFRESH_EVERY_MS = 5000;
/** A refused stream is asked for again after twice the time, up to a minute. */
const RETRY_MS = 1000;
const RETRY_MS_MAX = 60_000;

/** Replaces what is live by what stands under the same id in the page as it is now. */
async function refresh() {
  if (document.hidden || document.querySelector("dialog[open]") !== null) return;
  const turn = shows;
  try {
    const page = await fetchDocument(location.href, { isRefresh: true });
    if (turn !== shows || document.querySelector("dialog[open]") !== null) return;
    for (const old of document.querySelectorAll("[data-live][id]")) {
      const fresh = page.getElementById(old.id);
      if (fresh !== null && !fresh.isEqualNode(old)) bringUpToDate(old, fresh);
    }
  } catch {
    // The next change tries again.
  }
}

/** @param {Element} old @param {HTMLElement} fresh */
function bringUpToDate(old, fresh) {
  if (old instanceof HTMLSelectElement && fresh instanceof HTMLSelectElement) {
    offer(old, fresh);
    return;
  }
  const isInUse = old.contains(document.activeElement) || old.querySelector("[open] form") !== null;
  // A form that is gone would be refused.
  const isGone = fresh.querySelector("form") === null && old.querySelector("form") !== null;
  if (!isInUse || isGone) old.replaceWith(fresh);
}

/**
 * What was chosen stays, as long as it is offered.
 * @param {HTMLSelectElement} list @param {HTMLSelectElement} fresh
 */
function offer(list, fresh) {
  const { value } = list;
  list.replaceChildren(...fresh.childNodes);
  list.value = value;
  if (list.selectedIndex < 0) list.selectedIndex = 0;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let refreshing;
let refreshedAt = 0;

function refreshSoon() {
  clearTimeout(refreshing);
  const rest = refreshedAt + REFRESH_EVERY_MS - Date.now();
  refreshing = setTimeout(
    () => {
      refreshedAt = Date.now();
      refresh();
    },
    Math.max(REFRESH_MS, rest),
  );
}

let { liveSeen: seen = "" } = document.body.dataset;
/** @type {EventSource | undefined} */
let stream;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
let retryMs = RETRY_MS;

/** Only a page in view is followed: browsers open few connections to one site. */
function follow() {
  const { liveSource } = document.body.dataset;
  clearTimeout(retry);
  stream?.close();
  stream = undefined;
  if (liveSource === undefined || document.hidden) return;
  const url = new URL(liveSource, location.href);
  url.searchParams.set("seen", seen);
  const opened = new EventSource(url);
  stream = opened;
  opened.addEventListener("open", () => {
    retryMs = RETRY_MS;
  });
  opened.addEventListener("changed", ({ lastEventId }) => {
    seen = lastEventId;
    refreshSoon();
  });
  opened.addEventListener("error", () => {
    // A stream that broke is opened again by the browser; one that was refused is not: while the
    // service pauses for a snapshot it answers 503.
    if (opened.readyState === EventSource.CLOSED) followLater();
  });
}

/** Not all pages at once, when a service is back. */
function followLater() {
  retry = setTimeout(follow, retryMs * (0.5 + Math.random()));
  retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
}

document.addEventListener("visibilitychange", follow);
follow();
