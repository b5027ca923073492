/**
 * Those in whose name random requests are sent, and what they own: a request that names nothing
 * that exists never gets past the first 404. What the answers tell of is taken up, so that later
 * requests pay, refund, cancel and rotate what earlier ones made.
 */

import type { AppContext } from "../../src/app.ts";
import { SCOPES, type Scope } from "../../src/kit/scopes.ts";
import { formToken } from "../../src/modules/checkout/page/form-token.ts";
import { fund } from "../books.ts";
import { type Credential, mintKey, mintToken } from "../credentials.ts";
import { makeOperator } from "../operator-console.ts";
import { type Holder, openHolder, pathTo, type Records } from "../records.ts";
import type { RequestOptions, TestAnswer, TestService } from "../service.ts";
import type { Person } from "../world.ts";
import { type BrowserPerson, browserMakers, isBrowser } from "./browsers.ts";
import { knowRecords } from "./known-records.ts";
import { createPages } from "./pages.ts";
import type { FuzzRequest, Who } from "./requests.ts";

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

const NARROW: readonly Scope[] = ["svc-user-retrieve", "svc-transactions-retrieve"];
const ENDED = ["token_revoked", "api_key_revoked", "credential_invalid"];
/** More than all random withdrawals together. */
const FUNDS = "9000000000.00 TTD";

/** `looksAround`: people at a browser open a page of each route first, which takes a while. */
export async function createCast(
  service: TestService,
  { looksAround = true }: { readonly looksAround?: boolean } = {},
): Promise<Cast> {
  const { ctx, world } = service;
  const owner = await openHolder(service);
  const stranger = await openHolder(service);
  const merchant = await world.merchant({ countryCode: "JM" });
  const victim = await world.merchant();
  // Requests change the password, and guess at it until nobody is let in any more.
  let person = await world.person();
  let coming: Promise<void> | undefined;
  for (const environment of ["live", "sandbox"] as const)
    await fund(ctx.db, owner.accountNumber, FUNDS, environment);
  const known = await knowRecords(service, owner);
  const { email: operatorEmail } = await makeOperator(service, "support");
  const held = new Map<Who, Promise<Credential>>();
  const credentialOf = holder(held, (who) =>
    makers(ctx, { owner, stranger, merchant, person })[who](),
  );
  const pages = createPages(service, {
    make: browserMakers(service, { owner, stranger }),
    looksAround,
  });
  let refreshToken = (await person.signIn()).refresh_token;
  return {
    renew(pick) {
      known.renew(pick);
      const comes = world.person().then((somebody) => {
        person = somebody;
        held.delete("person");
      });
      coming = comes.catch(() => {});
    },
    async settled() {
      await Promise.all([known.settled(), coming]);
    },
    neverRenewed: known.neverRenewed,
    async ready(request) {
      const records = known.chosen(request.pick);
      const people = { owner, victim, person };
      const values = valuesOf(ctx, people, { ...request, records, refreshToken, operatorEmail });
      // As it will be sent: `fetch` takes the dots out of a path.
      const sentTo = (path: string) => filledPath(service.url + pathTo(path, records), values);
      const { headers, path, body = request.body } = await pages.ready(request, values);
      const { token, key } = isBrowser(request.who) ? {} : await credentialOf(request.who);
      return {
        path: sentTo(path),
        method: request.method,
        ...filled(body, values),
        headers: { ...headers, ...filled(request.headers, values) },
        ...{ ...(token && { token }), ...(key && { key }) },
      };
    },

    learn(request, sent, answer) {
      const { who, path, pick } = request;
      const { status, text, headers } = answer;
      // Something that was sent ended it, for this one or for the whole account.
      if (status === 401 && ENDED.includes(headers.get("x-svc-error") ?? "")) held.delete(who);
      // After a sign-out another token is needed; after a change of password, everything anew.
      if (path.startsWith("/auth/tokens")) held.delete(who);
      if (path.startsWith("/user/password") && status === 200) held.clear();
      pages.learn(request, sent, answer);
      if (status >= 400) return;
      if (sent.method === "DELETE" && path.includes("{")) known.renew(pick);
      refreshToken = /"refresh_token":"([^"]+)"/.exec(text)?.[1] ?? refreshToken;
      known.takeUp(sent.path, `${headers.get("location") ?? ""}\n${text}`);
    },
  };
}

type ApiCaller = Exclude<Who, BrowserPerson>;

function holder(
  held: Map<Who, Promise<Credential>>,
  make: (who: ApiCaller) => Promise<Credential>,
) {
  return (who: ApiCaller) => {
    const one = held.get(who) ?? make(who);
    held.set(who, one);
    return one;
  };
}

/** What names in braces stand for. */
function valuesOf(
  { config }: AppContext,
  { owner, victim, person }: Readonly<Record<"owner" | "victim" | "person", Person>>,
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

function makers(
  ctx: AppContext,
  { owner, stranger, merchant, person }: Record<string, Person> & { owner: Holder },
): Record<ApiCaller, () => Promise<Credential>> {
  const of = (one: Person | undefined) => ({ accountNumber: one?.accountNumber ?? "" });
  const token = async (one: Person | undefined, scopes: readonly Scope[] = SCOPES) => ({
    token: (await mintToken(ctx, of(one), scopes)).token,
  });
  const key = async (prefix: "live" | "test", scopes: readonly Scope[] = SCOPES) => ({
    key: (await mintKey(ctx, of(owner), scopes, { prefix })).key,
  });
  return {
    nobody: async () => ({}),
    owner: () => token(owner),
    merchant: () => token(merchant),
    person: () => token(person),
    stranger: () => token(stranger),
    narrow: () => token(owner, NARROW),
    key: () => key("test"),
    liveKey: () => key("live"),
    narrowKey: () => key("test", NARROW),
    both: async () => ({ ...(await token(owner)), ...(await key("test")) }),
    garbage: async () => ({ token: "eyJ.eyJ.x" }),
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
