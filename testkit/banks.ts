/** What the tests of the account holder share: good bank details, and requests about them. */

import { sql } from "../src/infra/db/query.ts";
import type { Scope } from "../src/kit/scopes.ts";
import { countOf } from "./auth.ts";
import { mintToken } from "./credentials.ts";
import type { RequestOptions, TestAnswer, TestService } from "./service.ts";
import type { Person } from "./world.ts";

export type BankType = "local" | "foreign";
export type Fields = Record<string, unknown>;

export const TT_BANK = {
  bank_name: "First Citizens",
  bank_account: "0012345678",
  name_in_bank: "Anika Mohammed",
};
export const JM_BANK = {
  bank_name: "National Commercial Bank",
  bank_account: "001234567",
  name_in_bank: "Delroy Campbell",
  bank_account_type: "savings",
  bank_branch: "Half Way Tree",
};
export const FOREIGN_BANK = {
  beneficiary_name: "Marisol Baptiste",
  beneficiary_address: "12 Frederick Street\nPort of Spain",
  beneficiary_account_number: "000987654321",
  beneficiary_bank: "First Example Bank",
  bank_address: "1 Main Street, New York",
  beneficiary_bank_swift_or_routing_code: "CHASUS33",
};
export const GOOD: Record<BankType, Record<string, string>> = {
  local: TT_BANK,
  foreign: FOREIGN_BANK,
};

export interface Holder extends Person {
  readonly token: string;
}

/** Somebody of that country who is signed in, without the price of a password hash. */
export async function signedIn(
  service: TestService,
  countryCode: "BB" | "GD" | "GY" | "JM" | "TT" = "TT",
): Promise<Holder> {
  const who = await service.world.merchant({ countryCode });
  return { ...who, ...(await mintToken(service.ctx, who, who.allScopes.split(" ") as Scope[])) };
}

export function bank(
  service: TestService,
  { token }: { token: string },
  method: "GET" | "POST" | "PATCH" | "DELETE",
  type: string,
  more: Pick<RequestOptions, "json" | "form" | "headers"> = {},
): Promise<TestAnswer> {
  return service.request(`/user/banks/${type}`, { method, token, ...more });
}

/** A form has only texts; what is not one cannot be sent as a form. */
export function asForm(fields: Fields): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export function bankRows(service: TestService, who: Person, type: BankType): Promise<number> {
  const table = type === "local" ? sql`local_banks` : sql`foreign_banks`;
  return countOf(service, sql`${table} where account_number = ${who.accountNumber}`);
}
