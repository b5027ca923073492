/** Who looks at a page of `/operator`, and what their role has. */

import { readOperatorCookie } from "../console/cookies.ts";
import { browserName } from "../console/visitor.ts";
import type { Call } from "../infra/http/route.ts";
import { type OperatorRight, operatorMay } from "../kit/operator-roles.ts";
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
  /** What the form said that led here. */
  readonly said?: string | undefined;
}

export type VisitedPage = Pick<Call<never, never, never>, "address" | "header" | "url">;

/** Undefined when nobody is signed in. */
export async function operatorOf(
  ctx: OperatorConsoleContext,
  asked: VisitedPage,
): Promise<OperatorVisitor | undefined> {
  const token = readOperatorCookie(ctx.config, asked.header);
  const session = token && (await readOperatorSession(ctx.db, token));
  if (!session) return undefined;
  const form = new URL(asked.url).searchParams.get("said") ?? "";
  return { ...visitorFrom(ctx, session, asked), said: await saidBy(ctx.db, session, form) };
}

export function visitorFrom(
  { config }: OperatorConsoleContext,
  session: OperatorSession,
  { address, header, url }: VisitedPage,
): OperatorVisitor {
  const { pathname, search } = new URL(url);
  return {
    ...session,
    from: { address, browser: browserName(header("user-agent")) },
    formToken: operatorFormToken(config, session.sessionId),
    here: pathname + search,
    may: (right) => operatorMay(session.role, right),
  };
}
