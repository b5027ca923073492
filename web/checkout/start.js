/** Starts what the page in front of us needs. */

// @ts-check

const form = find("card");
const card = form instanceof HTMLFormElement ? form : undefined;
showTime(() => card !== undefined && isUnderWay(card));
showBank();
tellHeight();
if (card !== undefined) {
  enhanceFields(card);
  sendInBackground(card);
  find("notice")?.focus();
}
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
  const isTyping = () => card !== undefined && !isUnderWay(card);
  if (document.hidden || !isTyping()) return;
  const status = await ask(textOf(find("waiting"), "poll-later"));
  if (status?.step === "replaced" && isTyping()) leave(location.pathname);
}

/** @param {HTMLFormElement} other */
function sendOnce(other) {
  other.addEventListener("submit", (event) => {
    if (other.dataset.sent !== undefined) event.preventDefault();
    other.dataset.sent = "";
  });
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

/** At the end of a payment that was waited for. */
function goOn() {
  const link = document.querySelector("a[data-goes-on]");
  if (link instanceof HTMLAnchorElement) location.assign(link.href);
}
