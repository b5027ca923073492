/**
 * The customer's browser without a browser: takes RedirectData, follows the Conductor and the
 * bank's pages over HTTP, and returns what would be posted to the merchant. It sends nothing there
 * by itself (`post-back.ts` does).
 */

import { CHALLENGE_PASSWORD } from "./cards.ts";

export interface BrowserOptions {
  /** What is typed on the bank's page, one per try; the right one when absent. */
  readonly passwords?: readonly string[];
  /** Presses Cancel. */
  readonly cancel?: true;
}

export interface PlayedBrowser {
  /** MerchantResponseUrl */
  readonly returnUrl: string;
  readonly fields: PostBackFields;
  /** Every page it was shown, the last one is the post back. */
  readonly pages: readonly string[];
}

export type PostBackFields = Readonly<
  Record<"Response" | "TransactionIdentifier" | "SpiToken", string>
>;

/** The browser shows a page that leads nowhere. */
export class BrowserStandsStill extends Error {
  readonly page: string;

  constructor(page: string) {
    super("the browser stands still on a page without a form");
    this.page = page;
  }
}

interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly asksPassword: boolean;
}

const BROWSER = {
  browserLanguage: "en-TT",
  browserWidth: "390",
  browserHeight: "600",
  browserTimeZone: "240",
  browserJavaEnabled: "false",
  browserJavascriptEnabled: "true",
  browserColorDepth: "24",
};
const PAGES_MAX = 12;

export async function playBrowser(
  redirectData: string,
  options: BrowserOptions = {},
): Promise<PlayedBrowser> {
  const passwords = [...(options.passwords ?? [])];
  const type = () =>
    options.cancel
      ? { password: "", choice: "cancel" }
      : { password: passwords.shift() ?? CHALLENGE_PASSWORD, choice: "submit" };
  const pages = [redirectData];
  for (let page = redirectData; pages.length <= PAGES_MAX; pages.push(page)) {
    const form = formIn(page);
    if (form === undefined) throw new BrowserStandsStill(page);
    const { Response, TransactionIdentifier = "", SpiToken = "" } = form.fields;
    if (Response !== undefined)
      return {
        returnUrl: form.action,
        fields: { Response, TransactionIdentifier, SpiToken },
        pages,
      };
    await openFrame(page);
    const answers = form.asksPassword ? type() : page === redirectData ? BROWSER : {};
    page = await submit(form.action, { ...form.fields, ...answers });
  }
  throw new Error("the browser was sent around in a circle");
}

/** The first step alone: the browser is on the bank's page, or wherever the Conductor leads. */
export async function openConductor(redirectData: string): Promise<string> {
  const form = formIn(redirectData);
  if (form === undefined) throw new BrowserStandsStill(redirectData);
  return submit(form.action, { ...form.fields, ...BROWSER });
}

async function submit(action: string, fields: Readonly<Record<string, string>>): Promise<string> {
  // A frame without an origin of its own, as the payment page opens it.
  const headers = { origin: "null" };
  const body = new URLSearchParams(fields);
  return (await fetch(action, { method: "POST", headers, body })).text();
}

async function openFrame(page: string): Promise<void> {
  const [, source] = /<iframe[^>]* src="([^"]*)"/.exec(page) ?? [];
  if (source !== undefined) await (await fetch(unescapeHtml(source))).text();
}

function formIn(page: string): Form | undefined {
  const [, tag = "", inside = ""] = /<form([^>]*)>(.*?)<\/form>/s.exec(page) ?? [];
  const action = attribute(tag, "action");
  if (action === undefined) return undefined;
  const inputs = [...inside.matchAll(/<input([^>]*)>/g)].map(([, input = ""]) => input);
  const hidden = inputs.filter((input) => attribute(input, "type") === "hidden");
  return {
    action,
    fields: Object.fromEntries(
      hidden.map((input) => [attribute(input, "name") ?? "", attribute(input, "value") ?? ""]),
    ),
    asksPassword: inputs.some((input) => attribute(input, "type") === "password"),
  };
}

function attribute(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? undefined : unescapeHtml(value);
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
