/**
 * People at a browser, for random requests to pages: members of the owner's account, somebody
 * else's, people of the operator, and those whose sign-in stopped halfway. One whose session has
 * ended is somebody new: what was done to the last one does not matter.
 */

import { sql } from "../../src/infra/db/query.ts";
import type { Role } from "../../src/kit/roles.ts";
import { makeMember, signInTo, type Tab } from "../console.ts";
import {
  giveOperatorPassword,
  makeOperator,
  OPERATOR_SECRET,
  signInOperator,
} from "../operator-console.ts";
import { goHalfway, setUpApp } from "../second-factors.ts";
import type { TestService } from "../service.ts";
import { fromBase32, totpCode } from "../totp.ts";
import type { Person } from "../world.ts";

export const CONSOLE_PEOPLE = ["anOwner", "aSupporter", "anotherOwner", "halfway"] as const;
export const OPERATOR_PEOPLE = [
  ...(["anAdmin", "aSecondAdmin", "anOperator"] as const),
  ...(["operatorHalfway", "operatorWithoutFactor"] as const),
] as const;

export type BrowserPerson = (typeof CONSOLE_PEOPLE)[number] | (typeof OPERATOR_PEOPLE)[number];

export function isBrowser(who: string): who is BrowserPerson {
  return [...CONSOLE_PEOPLE, ...OPERATOR_PEOPLE].some((one) => one === who);
}

/** Instead of a token or a key. */
export interface Browser {
  readonly cookie: string;
  /** Of an authenticator app, where there is one. */
  code?(): string;
}

export function browserMakers(
  service: TestService,
  { owner, stranger }: { readonly owner: Person; readonly stranger: Person },
): Record<BrowserPerson, () => Promise<Browser>> {
  const of = ({ cookie }: Tab, secret?: Buffer): Browser => ({
    cookie,
    ...(secret === undefined ? {} : { code: () => totpCode(secret) }),
  });
  const join = createJoining(service);
  const member = async (account: Person, role: "owner" | "support") => {
    const who = await join(account, role);
    await signInTo(service, who); // a session elsewhere, for pages that end it
    return of(await signInTo(service, who));
  };
  const secret = fromBase32(OPERATOR_SECRET);
  const operator = async (role: "admin" | "finance") => {
    const who = await makeOperator(service, role);
    await signInOperator(service, who);
    return of(await signInOperator(service, who), secret);
  };
  return {
    anOwner: () => member(owner, "owner"),
    aSupporter: () => member(owner, "support"),
    anotherOwner: () => member(stranger, "owner"),
    async halfway() {
      const who = await join(stranger, "viewer");
      const app = await setUpApp(service, await signInTo(service, who));
      return of(await goHalfway(service, who), app.secret);
    },
    anAdmin: () => operator("admin"),
    aSecondAdmin: () => operator("admin"),
    anOperator: () => operator("finance"),
    async operatorHalfway() {
      const who = await makeOperator(service, "support");
      return of((await giveOperatorPassword(service, who)).tab, secret);
    },
    async operatorWithoutFactor() {
      const who = await makeOperator(service, "risk", { hasFactor: false });
      return of((await giveOperatorPassword(service, who)).tab);
    },
  };
}

/** So many of an account have a role, then the first leaves: owners are told of all there is. */
const COLLEAGUES_MAX = 4;

function createJoining(service: TestService) {
  const joined = new Map<string, string[]>();
  return async ({ accountNumber }: Person, role: Role) => {
    const who = await makeMember(service, accountNumber, role);
    const colleagues = joined.get(`${accountNumber} ${role}`) ?? [];
    joined.set(`${accountNumber} ${role}`, colleagues);
    colleagues.push(who.personId);
    const leaving = colleagues.length > COLLEAGUES_MAX ? colleagues.shift() : undefined;
    if (leaving !== undefined)
      await service.ctx.db.run(sql`
        delete from members where account_number = ${accountNumber} and person_id = ${leaving}`);
    return who;
  };
}

const TO_SIGN_IN = /^\/(?:operator\/)?sign-in(?:\?next=|$)/;
const TO_PROOF = /^\/(?:console|operator)\/prove\?/;

/** The page was not shown: somebody has to sign in first, or to prove who they are. */
export function leadsToSignIn(location: string): boolean {
  return TO_SIGN_IN.test(location) || TO_PROOF.test(location);
}

/** Where a session opens pages; that it opens no others says nothing about it. */
const OWN_PAGES: Readonly<Partial<Record<BrowserPerson, RegExp>>> = {
  halfway: /^\/sign-in\/code/,
  operatorHalfway: /^\/operator\/sign-in\/code/,
  operatorWithoutFactor: /^\/operator\/set-up/,
};

export function isOwnPage(who: BrowserPerson, path: string): boolean {
  return (OWN_PAGES[who] ?? SESSION_PAGES).test(path);
}

/** Whose forms have the token of a session. */
export const SESSION_PAGES = /^\/(?:console|operator)\b(?!\/sign-in|\/password\/)/;
