/**
 * Those in whose name random requests are sent, and what they own: a request that names nothing
 * that exists never gets past the first 404. What the answers tell of is taken up, so that later
 * requests pay, refund, cancel and rotate what earlier ones made.
 */

import type { AppContext } from "../../src/app.ts";
import { formToken } from "../../src/modules/checkout/page/form-token.ts";
import { makeOperator } from "../operator-console.ts";
import { pathTo, type Records } from "../records.ts";
import type { RequestOptions, TestAnswer, TestService } from "../service.ts";
import { browserMakers, isBrowser } from "./browsers.ts";
import { type Callers, createCalling } from "./callers.ts";
import { knowRecords } from "./known-records.ts";
import { createPages } from "./pages.ts";
import type { FuzzRequest } from "./requests.ts";

export interface Cast {
  /** The request as it is sent: with a credential, and with what exists in it. */
  ready(request: FuzzRequest): Promise<ReadyRequest>;
  /** Takes up what was made, and forgets what has ended. */
  learn(request: FuzzRequest, sent: ReadyRequest, answer: TestAnswer): void;
  /** Makes some more of each record, by a number, and somebody new in place of the person. */
  renew(pick: number): void;
  /** Places of records of which none was made again. */
  neverRenewed(): string[];
  /** Nothing is being made any more. */
  settled(): Promise<void>;
}

export interface ReadyRequest extends RequestOptions {
  readonly path: string;
  readonly method: string;
}

/** `looksAround`: people at a browser open a page of each route first, which takes a while. */
export async function createCast(
  service: TestService,
  { looksAround = true }: { readonly looksAround?: boolean } = {},
): Promise<Cast> {
  const { ctx } = service;
  const calling = await createCalling(service);
  const { callers } = calling;
  const known = await knowRecords(service, callers.owner);
  const { email: operatorEmail } = await makeOperator(service, "support");
  const pages = createPages(service, {
    make: browserMakers(service, callers),
    looksAround,
  });
  let refreshToken = (await callers.person.signIn()).refresh_token;
  return {
    renew(pick) {
      known.renew(pick);
      calling.renew();
    },
    async settled() {
      await Promise.all([known.settled(), calling.settled()]);
    },
    neverRenewed: known.neverRenewed,
    async ready(request) {
      const records = known.chosen(request.pick);
      const values = valuesOf(ctx, callers, { ...request, records, refreshToken, operatorEmail });
      // As it will be sent: `fetch` takes the dots out of a path.
      const sentTo = (path: string) => filledPath(service.url + pathTo(path, records), values);
      const { headers, path, body = request.body } = await pages.ready(request, values);
      const { token, key } = isBrowser(request.who) ? {} : await calling.credentialOf(request.who);
      return {
        path: sentTo(path),
        method: request.method,
        ...filled(body, values),
        headers: { ...headers, ...filled(request.headers, values) },
        ...{ ...(token && { token }), ...(key && { key }) },
      };
    },

    learn(request, sent, answer) {
      const { path, pick } = request;
      const { status, text, headers } = answer;
      calling.learn(request, answer);
      pages.learn(request, sent, answer);
      if (status >= 400) return;
      if (sent.method === "DELETE" && path.includes("{")) known.renew(pick);
      refreshToken = /"refresh_token":"([^"]+)"/.exec(text)?.[1] ?? refreshToken;
      known.takeUp(sent.path, `${headers.get("location") ?? ""}\n${text}`);
    },
  };
}

/** What names in braces stand for. */
function valuesOf(
  { config }: AppContext,
  { owner, victim, person }: Callers,
  {
    pick,
    records,
    refreshToken,
    operatorEmail,
  }: Pick<FuzzRequest, "pick"> & {
    readonly records: Records;
    readonly refreshToken: string;
    readonly operatorEmail: string;
  },
): Record<string, string> {
  return {
    transaction_id: records["/transactions/{transaction_id}"] ?? "",
    withdrawal_id: records["/withdrawals/{transaction_id}"] ?? "",
    uuid: records["/trusted-cards/{uuid}"] ?? "",
    kid: records["/auth/keys/{kid}"] ?? "",
    link_id: records["/payment-links/{id}"] ?? "",
    webhook_id: records["/webhooks/{id}"] ?? "",
    delivery: records["/deliveries/{delivery}"] ?? "",
    event_id: records["/events/{id}"] ?? "",
    request_id: records["/requests/{request_id}"] ?? "",
    order_id: `order-${pick}-${crypto.randomUUID().slice(0, 8)}`,
    managed_account: records["/accounts/{account_number}"] ?? "",
    account_number: owner.accountNumber,
    victim: victim.accountNumber,
    email: person.email,
    operator_email: operatorEmail,
    new_email: `kim-${pick}@example.com`,
    password: person.password,
    refresh_token: refreshToken,
    form_token: formToken(config, records["/checkout/{token}"] ?? ""),
    origin: new URL(config.http.paymentsPublicUrl).origin,
  };
}

function filledPath(url: string, known: Readonly<Record<string, string>>): string {
  const { pathname, search } = new URL(url);
  return pathname + search.replace(/%7B(\w+)%7D/g, (all, name: string) => known[name] ?? all);
}

/** Every text that is a name in braces becomes what it stands for. */
function filled<T>(value: T, known: Readonly<Record<string, string>>): T {
  if (typeof value === "string") {
    const name = /^\{(\w+)\}$/.exec(value)?.[1];
    return ((name === undefined ? undefined : known[name]) ?? value) as T;
  }
  if (Array.isArray(value) || value === null || typeof value !== "object") return value;
  if (ArrayBuffer.isView(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, filled(one, known)]);
  return Object.fromEntries(entries) as T;
}
