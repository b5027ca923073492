/**
 * Those in whose name random requests are sent, and what they own: a request that names nothing
 * that exists never gets past the first 404. What the answers tell of is taken up, so that later
 * requests pay, refund, cancel and rotate what earlier ones made.
 */

import type { AppContext } from "../../../src/app.ts";
import { SCOPES, type Scope } from "../../../src/kit/scopes.ts";
import type { Environment } from "../../../src/kit/vocabulary.ts";
import { formToken } from "../../../src/modules/checkout/page/form-token.ts";
import { fund } from "../books.ts";
import { type Credential, mintKey, mintToken } from "../credentials.ts";
import { type Holder, keepRecords, openHolder, pathTo, type Records } from "../records.ts";
import type { RequestOptions, TestAnswer, TestService } from "../service.ts";
import type { Person } from "../world.ts";
import type { FuzzRequest, Who } from "./requests.ts";

export interface Cast {
  /** The request as it is sent: with a credential, and with what exists in it. */
  ready(request: FuzzRequest): Promise<ReadyRequest>;
  /** Takes up what was made, and forgets what has ended. */
  learn(request: FuzzRequest, sent: ReadyRequest, answer: TestAnswer): void;
  /** Nothing is being made any more. */
  settled(): Promise<void>;
}

export interface ReadyRequest extends RequestOptions {
  readonly path: string;
  readonly method: string;
}

const NARROW: readonly Scope[] = ["svc-user-retrieve", "svc-transactions-retrieve"];
const KEPT_MAX = 300;
/** More than all random withdrawals together. */
const FUNDS = "9000000000.00 TTD";

/** Where an answer names something that a path can name. */
const MADE: readonly { readonly place: string; readonly named: RegExp }[] = [
  { place: "/transactions/{transaction_id}", named: /"transaction_id":"((?:SB-)?[A-Z]{2}-\w+)"/ },
  { place: "/withdrawals/{transaction_id}", named: /"transaction_id":"((?:SB-)?[A-Z]{2}-\w+)"/ },
  { place: "/trusted-cards/{uuid}", named: /"uuid":"([0-9a-f-]{36})"/ },
  { place: "/webhooks/{id}", named: /"id":"([0-9a-f-]{36})","url"/ },
  { place: "/auth/keys/{kid}", named: /"kid":"([0-9a-f]{18})"/ },
  { place: "/accounts/{account_number}", named: /"account_number":"(\d{10})"/ },
  { place: "/checkout/assets/{name}", named: /\/checkout\/assets\/([\w.-]+)/ },
  { place: "/checkout/{token}", named: /\/checkout\/([\w-]{20,64})/ },
  { place: "/sandbox/acs/{token}", named: /\/sandbox\/acs\/([\w-]{20,64})/ },
  { place: "/pictures/{picture_id}", named: /\/pictures\/([\w-]{20,64})/ },
];

export async function createCast(service: TestService): Promise<Cast> {
  const { ctx, world } = service;
  const owner = await openHolder(service);
  const stranger = await openHolder(service);
  const merchant = await world.merchant({ countryCode: "JM" });
  const person = await world.person();
  for (const environment of ["live", "sandbox"] as const)
    await fund(ctx.db, owner.accountNumber, FUNDS, environment);
  const pools = await startingPools(service, owner);
  let renewing: Promise<void> | undefined;
  const renew = (pick: number) => {
    renewing ??= keepAll(pools, service, owner, pick % 2 === 0 ? "sandbox" : "live")
      // A limit may be in the way of it.
      .catch(() => {})
      .finally(() => {
        renewing = undefined;
      });
  };
  const make = makers(ctx, { owner, stranger, merchant, person });
  const held = new Map<Who, Promise<Credential>>();
  const credentialOf = (who: Who) => {
    const known = held.get(who) ?? make[who]();
    held.set(who, known);
    return known;
  };
  let refreshToken = (await person.signIn()).refresh_token;

  return {
    settled: async () => renewing,
    async ready(request) {
      const records = chosen(pools, request.pick);
      const token = records["/checkout/{token}"] ?? "";
      const known: Record<string, string> = {
        account_number: owner.accountNumber,
        email: person.email,
        password: person.password,
        refresh_token: refreshToken,
        form_token: formToken(ctx.config, token),
        origin: new URL(ctx.config.http.paymentsPublicUrl).origin,
      };
      const { token: bearer, key } = await credentialOf(request.who);
      // As it will be sent: `fetch` takes the dots out of a path.
      const { pathname, search } = new URL(service.url + pathTo(request.path, records));
      return {
        path: pathname + search,
        method: request.method,
        ...filled(request.body, known),
        headers: filled(request.headers, known),
        ...(bearer === undefined ? {} : { token: bearer }),
        ...(key === undefined ? {} : { key }),
      };
    },

    learn({ who, path, pick }, sent, { status, text }) {
      // Whoever signed out needs another token; whoever changed the password, everything anew.
      if (path.startsWith("/auth/tokens")) held.delete(who);
      if (path.startsWith("/user/password") && status === 200) held.clear();
      if (status >= 400) return;
      if (sent.method === "DELETE" && path.includes("{")) renew(pick);
      refreshToken = /"refresh_token":"([^"]+)"/.exec(text)?.[1] ?? refreshToken;
      for (const { place, named } of MADE) {
        const id = named.exec(text)?.[1];
        const isOfPath = !place.startsWith("/withdrawals") || sent.path.startsWith("/withdrawals");
        if (id !== undefined && isOfPath) keep(pools, place, id);
      }
    },
  };
}

async function startingPools(service: TestService, owner: Holder): Promise<Map<string, string[]>> {
  const pools = new Map<string, string[]>();
  for (const environment of ["sandbox", "live", "sandbox"] as const)
    await keepAll(pools, service, owner, environment);
  return pools;
}

async function keepAll(
  pools: Map<string, string[]>,
  service: TestService,
  owner: Holder,
  environment: Environment,
): Promise<void> {
  const records = await keepRecords(service, owner, environment);
  for (const [place, id] of Object.entries(records)) keep(pools, place, id);
}

function makers(
  ctx: AppContext,
  { owner, stranger, merchant, person }: Record<string, Person> & { owner: Holder },
): Record<Who, () => Promise<Credential>> {
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

function keep(pools: Map<string, string[]>, place: string, id: string): void {
  const pool = pools.get(place) ?? [];
  pools.set(place, pool);
  if (pool.includes(id)) return;
  // The oldest goes; the first three stay, because their parts belong together.
  if (pool.length >= KEPT_MAX) pool.splice(3, 1);
  pool.push(id);
}

function chosen(pools: ReadonlyMap<string, readonly string[]>, pick: number): Records {
  const entries = [...pools].map(([place, ids]) => [place, ids[pick % ids.length] ?? ""]);
  return Object.fromEntries(entries);
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
