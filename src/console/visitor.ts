/**
 * Who looks at a page of the console, and the caller that use cases see in them: the member's
 * account with the scopes of its role, so that a page can do what its person may and no more.
 */

import type { Config } from "../infra/config.ts";
import type { Caller } from "../infra/http/caller.ts";
import type { CallHead } from "../infra/http/route.ts";
import { mayDo, type Right, scopesOfRole } from "../kit/roles.ts";
import { SCOPES } from "../kit/scopes.ts";
import type { Environment } from "../kit/vocabulary.ts";
import { mayHold } from "../modules/auth/allowed-scopes.ts";
import { timeZoneOf } from "../modules/business/time-zone.ts";
import { feedPositions } from "../modules/events/feed-positions.ts";
import { readSession, type Session } from "../modules/people/console-session.ts";
import { membershipsOf } from "../modules/people/member.ts";
import type { ConsoleContext } from "./context.ts";
import { readSessionCookie } from "./cookies.ts";
import { visitorFormToken } from "./form-token.ts";

export interface Visitor extends Session {
  readonly caller: Caller;
  readonly environment: Environment;
  /** All that the person acts for, this one included. */
  readonly accounts: readonly { readonly accountNumber: string; readonly name: string }[];
  readonly timeZone: string;
  /** How live works on this service: in development nothing of it need be real. */
  readonly live: {
    readonly isSimulated: boolean;
    readonly paidBy: Config["withdrawals"]["livePaidBy"];
  };
  /** How far the account's events had come before the page was read. */
  readonly feedPosition: bigint;
  /** For every form of the page. */
  readonly formToken: string;
  /** Path and query of the page, for the way back. */
  readonly here: string;
  mayDo(right: Right): boolean;
}

/** What the script sends with a page that it fetches because something changed (`script.js`). */
const REFRESH_HEADER = "x-windward-refresh";

/** Undefined when nobody is signed in. `isIdle`: it is the page that asks, not its person. */
export async function visitorOf(
  ctx: ConsoleContext,
  asked: CallHead,
  { isIdle = asked.header(REFRESH_HEADER) !== undefined }: { readonly isIdle?: boolean } = {},
): Promise<Visitor | undefined> {
  const token = readSessionCookie(ctx.config, asked.header);
  const session = token === undefined ? undefined : await readSession(ctx.db, token, { isIdle });
  if (session === undefined) return undefined;
  const { role, account, environment, sessionId, person } = session;
  const allowed = SCOPES.filter((scope) => mayHold(account, scope));
  const { pathname, search } = new URL(asked.url);
  const { accountNumber } = account;
  const [memberships, [feedPosition = 0n], timeZone] = await Promise.all([
    membershipsOf(ctx.db, person.personId),
    feedPositions(ctx.db, [{ accountNumber, environment }]),
    timeZoneOf(ctx.db, account),
  ]);
  return {
    ...session,
    accounts: memberships.map((each) => ({
      accountNumber: each.account_number,
      name: each.account_name,
    })),
    feedPosition,
    timeZone,
    live: {
      isSimulated: ctx.config.liveGateway === "simulator",
      paidBy: ctx.config.withdrawals.livePaidBy,
    },
    formToken: visitorFormToken(ctx.config, session),
    here: pathname + search,
    mayDo: (right) => mayDo(role, right),
    caller: {
      accountNumber: account.accountNumber,
      accountType: account.accountType,
      countryCode: account.countryCode,
      isMainMerchant: account.isMainMerchant,
      scopes: new Set(scopesOfRole(role, environment, allowed)),
      credential: {
        kind: "session",
        sessionId,
        personId: person.personId,
        address: asked.address,
        browser: browserName(asked.header("user-agent")),
        expiresAt: session.expiresAt,
      },
    },
  };
}

/** Who has a page. */
export interface PageAccess {
  readonly right: Right;
  /** Other accounts have no such page. */
  readonly onlyBusiness?: true;
}

export function maySee({ mayDo: may, account }: Visitor, access: PageAccess): boolean {
  return may(access.right) && (!access.onlyBusiness || account.accountType === "BUSINESS");
}

/** Whose records a page shows: the account's, in the environment of the session. */
export function ownerOf({ account, environment }: Visitor) {
  return { accountNumber: account.accountNumber, environment };
}

const BROWSER_LENGTH_MAX = 200;

/** As the browser says it, which is for people to recognise and proves nothing. */
export function browserName(userAgent = ""): string {
  const printable = userAgent.replace(/[^\x20-\x7e]/g, "").slice(0, BROWSER_LENGTH_MAX);
  return printable === "" ? "unknown" : printable;
}
