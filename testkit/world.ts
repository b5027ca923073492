/** People with names, made on the spot: a test says who, and the reader knows them. */

import { randomBytes } from "node:crypto";
import type { AppContext } from "../src/app.ts";
import type { CountryCode } from "../src/kit/vocabulary.ts";
import { createAccount } from "../src/modules/accounts/create-account.ts";
import type { PasswordDigest } from "../src/modules/accounts/passwords.ts";
import type { RequestOptions, TestAnswer } from "./service.ts";

export const PASSWORD = "correct horse";

const PERSON = "svc-user-all svc-withdrawals-all svc-transactions-all";
const MERCHANT = `${PERSON} svc-trusted-cards-all svc-links-all`;
const ALL_SCOPES = {
  person: PERSON,
  merchant: MERCHANT,
  mainMerchant: `${MERCHANT} svc-accounts-all`,
};

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export interface Person {
  readonly accountNumber: string;
  readonly email: string;
  readonly password: string;
  /** Everything this kind of account may hold. */
  readonly allScopes: string;
  /** Signs in through the API; without scopes, with all of them. */
  signIn(scopes?: string): Promise<Tokens>;
  /** A test key made through the API; more fields in `fields`. */
  makeKey(scopes?: string, fields?: Record<string, unknown>): Promise<{ key: string; kid: string }>;
}

export interface World {
  person(options?: { countryCode?: CountryCode }): Promise<Person>;
  merchant(options?: { countryCode?: CountryCode }): Promise<Person>;
  mainMerchant(options?: { countryCode?: CountryCode }): Promise<Person>;
}

export function createWorld(
  ctx: AppContext,
  request: (path: string, options?: RequestOptions) => Promise<TestAnswer>,
): World {
  // Hashed once for everybody: a hash costs more than the rest of a test.
  let digest: Promise<PasswordDigest> | undefined;

  async function make(
    kind: keyof typeof ALL_SCOPES,
    countryCode: CountryCode = "TT",
  ): Promise<Person> {
    digest ??= ctx.passwords.digest(PASSWORD);
    const password = await digest;
    const email = `${kind.toLowerCase()}-${randomBytes(5).toString("hex")}@example.com`;
    const accountNumber = await ctx.db.transaction((tx) =>
      createAccount(tx, {
        accountType: kind === "person" ? "PERSONAL" : "BUSINESS",
        countryCode,
        email,
        firstName: "Test",
        lastName: kind,
        isMainMerchant: kind === "mainMerchant",
        isVerified: true,
        password,
      }),
    );
    return personOf({ accountNumber, email, allScopes: ALL_SCOPES[kind] }, request);
  }

  return {
    person: ({ countryCode } = {}) => make("person", countryCode),
    merchant: ({ countryCode } = {}) => make("merchant", countryCode),
    mainMerchant: ({ countryCode } = {}) => make("mainMerchant", countryCode),
  };
}

function personOf(
  who: { accountNumber: string; email: string; allScopes: string },
  request: (path: string, options?: RequestOptions) => Promise<TestAnswer>,
): Person {
  async function signIn(scopes = who.allScopes): Promise<Tokens> {
    const form = { email: who.email, password: PASSWORD, scopes };
    const answer = await request("/auth/tokens", { method: "POST", form });
    if (answer.status !== 200) throw new Error(`signing in answered ${answer.text}`);
    return answer.body;
  }
  return {
    ...who,
    password: PASSWORD,
    signIn,
    async makeKey(scopes = who.allScopes, fields = {}) {
      const { access_token: token } = await signIn();
      const json = { environment: "sandbox", scopes, ...fields };
      const answer = await request("/auth/keys", { method: "POST", token, json });
      if (answer.status !== 201) throw new Error(`making a key answered ${answer.text}`);
      return answer.body.data;
    },
  };
}
