/**
 * The payment page as a customer without JavaScript uses it: the form is read, filled in and
 * posted, and the page is asked again until it leads away.
 */

import { wait } from "../../wait.ts";
import { ToolError } from "../tool-error.ts";

export const CARDS = {
  approved: "4111111111111111",
  unknownThenApproved: "4111111111112040",
  unknownForLong: "4111111111112060",
};

const POLL_MS = 500;
const LEADS_AWAY_WITHIN_MS = 30_000;

interface Page {
  /** Where it leads. */
  readonly location: string | null;
  readonly text: string;
}

export async function submitCard(url: string, number: string): Promise<Page> {
  const { text } = await openPage(url, url);
  const fields = new URLSearchParams({
    form_token: hiddenValue(text, "form_token"),
    attempts: hiddenValue(text, "attempts"),
    number,
    expiry: "12/39",
    cvv: "123",
    holder: "Windward Trigger",
  });
  // Only where the page asks for it.
  if (/ name="email"/.test(text)) fields.set("email", "customer@example.com");
  const headers = { origin: new URL(url).origin, "sec-fetch-site": "same-origin" };
  return openPage(url, url, { method: "POST", headers, body: fields });
}

/** Pays or saves a card, and gives the address that the merchant's shop would be called with. */
export async function completePage(url: string, number: string): Promise<URL> {
  let page = await submitCard(url, number);
  for (const began = performance.now(); ; await wait(POLL_MS)) {
    const target = page.location === null ? undefined : new URL(page.location, url);
    if (target !== undefined && target.pathname !== new URL(url).pathname) return target;
    const waiting = /url=([^"]*waiting[^"]*)"/.exec(page.text)?.[1] ?? "";
    if (performance.now() - began > LEADS_AWAY_WITHIN_MS)
      throw new ToolError("The payment page did not end.", `Open it in a browser: ${url}`);
    const next = waiting === "" ? url : new URL(waiting.replaceAll("&amp;", "&"), url).href;
    page = await openPage(next, url);
  }
}

/** One of the pages of a payment, which a browser would begin at `url`. */
async function openPage(address: string, url: string, init: RequestInit = {}): Promise<Page> {
  try {
    const response = await fetch(address, { redirect: "manual", ...init });
    return { location: response.headers.get("location"), text: await response.text() };
  } catch {
    throw new ToolError("The payment page does not answer.", `Open it in a browser: ${url}`);
  }
}

function hiddenValue(page: string, name: string): string {
  const found = new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1];
  if (found !== undefined) return found;
  throw new ToolError("The payment page has no form for a card.", "Its time may be over.");
}
