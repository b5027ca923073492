/** Who is calling: the merchant's id, password and gateway key in the headers of a call. */

import type { IncomingHttpHeaders } from "node:http";
import type { Journal, Merchant } from "./journal.ts";

const ID = "powertranz-powertranzid";
const PASSWORD = "powertranz-powertranzpassword";
const KEY = "powertranz-gatewaykey";

export type Credentials =
  | { readonly merchant: Merchant }
  | { readonly iso: string; readonly error: string };

export function readCredentials(journal: Journal, headers: IncomingHttpHeaders): Credentials {
  const { switches, gatewayKey } = journal;
  const merchant = journal.merchants.find(({ id }) => id === headers[ID]);
  if (merchant === undefined) return { iso: "03", error: "310" };
  if (switches.passwordWrong || headers[PASSWORD] !== merchant.password)
    return { iso: "89", error: "311" };
  return headers[KEY] === gatewayKey ? { merchant } : { iso: "89", error: "312" };
}

/** For the list of calls: of a secret it says whether it was right. */
export function maskHeaders(
  journal: Journal,
  headers: IncomingHttpHeaders,
): Record<string, string> {
  const password = headers[PASSWORD];
  const isRight = journal.merchants.some(
    (one) => one.id === headers[ID] && one.password === password,
  );
  const shown = Object.entries(headers).map(([name, value]) => {
    if (name === PASSWORD) return [name, isRight ? "right" : "wrong"];
    if (name === KEY) return [name, value === journal.gatewayKey ? "right" : "wrong"];
    return [name, String(value)];
  });
  return Object.fromEntries(shown);
}
