/**
 * Those in whose name random requests call the API. A credential is made when somebody first needs
 * it, and anew once a request has ended it.
 */

import { SCOPES, type Scope } from "../../src/kit/scopes.ts";
import { fund } from "../books.ts";
import { type Credential, mintKey, mintToken } from "../credentials.ts";
import { type Holder, openHolder } from "../records.ts";
import type { TestAnswer, TestService } from "../service.ts";
import type { Person } from "../world.ts";
import type { BrowserPerson } from "./browsers.ts";
import type { FuzzRequest, Who } from "./requests.ts";

type ApiCaller = Exclude<Who, BrowserPerson>;

export interface Callers {
  readonly owner: Holder;
  readonly stranger: Holder;
  /** For what would end all that the others need. */
  readonly victim: Person;
  readonly merchant: Person;
  readonly person: Person;
}

export interface Calling {
  readonly callers: Callers;
  credentialOf(who: ApiCaller): Promise<Credential>;
  /** Forgets what has ended. */
  learn(request: FuzzRequest, answer: TestAnswer): void;
  /** Puts somebody new in place of the person. */
  renew(): void;
  settled(): Promise<void>;
}

const NARROW: readonly Scope[] = ["svc-user-retrieve", "svc-transactions-retrieve"];
const ENDED = ["token_revoked", "api_key_revoked", "credential_invalid"];
/** More than all random withdrawals together. */
const FUNDS = "9000000000.00 TTD";

export async function createCalling(service: TestService): Promise<Calling> {
  const { ctx, world } = service;
  const owner = await openHolder(service);
  for (const environment of ["live", "sandbox"] as const)
    await fund(ctx.db, owner.accountNumber, FUNDS, environment);
  const callers = {
    owner,
    stranger: await openHolder(service),
    victim: await world.merchant(),
    merchant: await world.merchant({ countryCode: "JM" }),
    person: await world.person(),
  };
  const held = new Map<Who, Promise<Credential>>();
  const make = makersOf(service, callers);
  let renewing: Promise<void> | undefined;
  return {
    callers,
    credentialOf(who) {
      const one = held.get(who) ?? make[who]();
      held.set(who, one);
      return one;
    },
    learn({ who, path }, { status, headers }) {
      // Something that was sent ended it, for this one or for the whole account.
      if (status === 401 && ENDED.includes(headers.get("x-svc-error") ?? "")) held.delete(who);
      // After a sign-out another token is needed; after a change of password, everything anew.
      if (path.startsWith("/auth/tokens")) held.delete(who);
      if (path.startsWith("/user/password") && status === 200) held.clear();
    },
    renew() {
      // Requests change the password, and guess at it until the right one is refused as well.
      const made = world.person().then((somebody) => {
        callers.person = somebody;
        held.delete("person");
      });
      renewing = made.catch(() => {});
    },
    settled: async () => renewing,
  };
}

function makersOf(
  { ctx }: TestService,
  callers: Callers,
): Record<ApiCaller, () => Promise<Credential>> {
  const token = async (one: keyof Callers, scopes: readonly Scope[] = SCOPES) => ({
    token: (await mintToken(ctx, callers[one], scopes)).token,
  });
  const key = async (prefix: "live" | "test", scopes: readonly Scope[] = SCOPES) => ({
    key: (await mintKey(ctx, callers.owner, scopes, { prefix })).key,
  });
  return {
    nobody: async () => ({}),
    owner: () => token("owner"),
    merchant: () => token("merchant"),
    person: () => token("person"),
    stranger: () => token("stranger"),
    narrow: () => token("owner", NARROW),
    key: () => key("test"),
    liveKey: () => key("live"),
    narrowKey: () => key("test", NARROW),
    both: async () => ({ ...(await token("owner")), ...(await key("test")) }),
    garbage: async () => ({ token: "eyJ.eyJ.x" }),
  };
}
