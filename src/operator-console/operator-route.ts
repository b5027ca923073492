/**
 * How pages of `/operator` are declared and guarded (Decision 0118): nobody signed in goes to the
 * sign-in and comes back; a page beyond the role is 404; a post that did not come from our own page
 * is 403. Routes are data, so that the access test tries each by every role.
 */

import { redirect } from "../console/answers.ts";
import { answerStrangers, PAGE_ROUTE } from "../console/console-route.ts";
import type { Answer } from "../infra/http/answer.ts";
import {
  type AnswerDoc,
  type Call,
  type CallHead,
  publicRoute,
  type Route,
  type UploadRules,
} from "../infra/http/route.ts";
import { NotFound } from "../kit/errors.ts";
import type { Shape, Values } from "../kit/fields/field.ts";
import type { OperatorRight } from "../kit/operator-roles.ts";
import type { OperatorConsoleContext } from "./context.ts";
import { operatorErrorPage } from "./error-page.ts";
import { demandOperatorPost } from "./form-token.ts";
import { type OperatorVisitor, operatorOf } from "./visitor.ts";

type Empty = Record<never, never>;

interface OperatorRouteParts<Q extends Shape, P extends Shape> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly right: OperatorRight;
  /** A second factor within the last five minutes. */
  readonly needsProof?: true;
  readonly upload?: UploadRules;
  readonly params?: P;
  readonly query?: Q;
  /** Where one is not a page. */
  readonly answers?: Readonly<Record<number, AnswerDoc>>;
  run(
    ctx: OperatorConsoleContext,
    call: OperatorCall<Values<Q>, Values<P>>,
    visitor: OperatorVisitor,
  ): Promise<Answer>;
}

export type OperatorCall<Q = Empty, P = Empty> = Call<Empty, Q, P>;

/** With the types of its own fields forgotten. */
export interface OperatorRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly right: OperatorRight;
  readonly needsProof: boolean;
  readonly route: Route<OperatorConsoleContext>;
}

export const OPERATOR_PAGE = { ...PAGE_ROUTE, errorPage: operatorErrorPage } as const;

export function operatorRoute<Q extends Shape = Empty, P extends Shape = Empty>(
  parts: OperatorRouteParts<Q, P>,
): OperatorRoute {
  const { right, needsProof = false, run, ...declared } = parts;
  const { method, path } = parts;
  const visit = async (ctx: OperatorConsoleContext, head: CallHead) => {
    const visitor = await operatorOf(ctx, head);
    if (visitor === undefined) return toSignIn(method, head.url);
    if (!visitor.may(right)) throw new NotFound(`${visitor.role} lacks ${right}`);
    return visitor;
  };
  return {
    method,
    path,
    right,
    needsProof,
    route: publicRoute<OperatorConsoleContext, Empty, Q, P>({
      ...OPERATOR_PAGE,
      ...declared,
      answers: { ...OPERATOR_PAGE.answers, ...parts.answers },
      ...(parts.upload && { beforeUpload: answerStrangers(visit) }),
      async run(ctx, received) {
        const call =
          parts.upload === undefined
            ? received
            : { ...received, texts: () => received.upload.fields };
        const visitor = await visit(ctx, call);
        if ("status" in visitor) return visitor;
        if (method === "POST") demandOperatorPost(ctx.config, call, visitor.sessionId);
        if (needsProof && !visitor.isProven)
          return redirect(withNext("/operator/prove", method === "GET" ? visitor.here : ""));
        return run(ctx, call, visitor);
      },
    }),
  };
}

/** After a post the person begins again at the search: what was typed cannot be kept. */
function toSignIn(method: "GET" | "POST", url: string): Answer {
  const { pathname, search } = new URL(url);
  return redirect(withNext("/operator/sign-in", method === "GET" ? pathname + search : ""));
}

export function withNext(to: string, next: string): string {
  return next === "" || next === "/operator" ? to : `${to}?next=${encodeURIComponent(next)}`;
}

const OUR_PATH = /^\/operator(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/;

/** A page of this console to go on to: never another site's address. */
export function nextPage(next: string | undefined): string {
  return next !== undefined && OUR_PATH.test(next) ? next : "/operator";
}
