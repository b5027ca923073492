/** Who looks at a page of `/operator`, and what their role has. */

import { readOperatorCookie } from "../console/cookies.ts";
import { browserName } from "../console/visitor.ts";
import type { CallHead } from "../infra/http/route.ts";
import { type OperatorRight, operatorMay } from "../kit/operator-roles.ts";
import { type ApprovableBy, approvableCommands } from "../modules/operator/approvals/approvable.ts";
import type { ActingOperator } from "../modules/operator/approvals/run-for-operator.ts";
import { COMMANDS } from "../modules/operator/commands.ts";
import { countWaiting } from "../modules/operator/waiting/count-waiting.ts";
import {
  type OperatorSession,
  readOperatorSession,
} from "../modules/people/operators/operator-session.ts";
import type { OperatorSelf } from "../modules/people/self.ts";
import { saidBy } from "./actions/form-key.ts";
import type { OperatorConsoleContext } from "./context.ts";
import { operatorFormToken } from "./form-token.ts";

/** In the words of its use cases also somebody who changes something of their own. */
export interface OperatorVisitor extends OperatorSession {
  readonly from: OperatorSelf["from"];
  /** For every form of the page. */
  readonly formToken: string;
  /** Path and query of the page, for the way back. */
  readonly here: string;
  may(right: OperatorRight): boolean;
  /** How much waits for them, by the name of its section. */
  readonly waits: Readonly<Record<string, number>>;
  /** What the form said that led here. */
  readonly said?: string | undefined;
}

/** Undefined when nobody is signed in. */
export async function operatorOf(
  ctx: OperatorConsoleContext,
  asked: CallHead,
): Promise<OperatorVisitor | undefined> {
  const token = readOperatorCookie(ctx.config, asked.header);
  const session = token && (await readOperatorSession(ctx.db, token));
  if (!session) return undefined;
  const form = new URL(asked.url).searchParams.get("said") ?? "";
  const visitor = visitorFrom(ctx, session, asked);
  return {
    ...visitor,
    waits: await waitsFor(ctx, visitor),
    said: await saidBy(ctx.db, session, form),
  };
}

export function approvableBy({
  person,
  may,
}: Pick<OperatorVisitor, "person" | "may">): ApprovableBy {
  return { personId: person.personId, commands: approvableCommands(COMMANDS, may) };
}

async function waitsFor({ db }: OperatorConsoleContext, visitor: OperatorVisitor) {
  const { approvals, withdrawals, disputes } = await countWaiting(db, approvableBy(visitor));
  return { Approvals: approvals, Withdrawals: withdrawals, Disputes: disputes };
}

/** For the commands that they run. */
export function actingOf({ sessionId, person, from }: OperatorVisitor): ActingOperator {
  return { sessionId, personId: person.personId, email: person.email, from: { ...from } };
}

export function visitorFrom(
  { config }: OperatorConsoleContext,
  session: OperatorSession,
  { address, header, url }: CallHead,
): OperatorVisitor {
  const { pathname, search } = new URL(url);
  return {
    ...session,
    from: { address, browser: browserName(header("user-agent")) },
    formToken: operatorFormToken(config, session.sessionId),
    here: pathname + search,
    waits: {},
    may: (right) => operatorMay(session.role, right),
  };
}
