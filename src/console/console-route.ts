/**
 * How pages of the console are declared and guarded (Decision 0085): who may see the page, whether
 * a fresh proof comes first, then the page itself. The guard is the same for all:
 * nobody signed in goes to the sign-in and comes back; a page beyond the role is 404; a post that
 * did not come from our own page is 403; a proof older than five minutes is asked for.
 *
 * Routes are data, so that the access test tries each by every role.
 */

import type { Answer } from "../infra/http/answer.ts";
import {
  type AnswerDoc,
  type BeforeUpload,
  type Call,
  type CallHead,
  publicRoute,
  type Route,
  type UploadRules,
} from "../infra/http/route.ts";
import { NotFound } from "../kit/errors.ts";
import type { Shape, Values } from "../kit/fields/field.ts";
import type { Right } from "../kit/roles.ts";
import { FORM_PAGE_ANSWERS, inHtml } from "../parts/page-answers.ts";
import { redirect } from "./answers.ts";
import type { ConsoleContext } from "./context.ts";
import { consoleErrorPage, pageNotFound } from "./error-page.ts";
import { demandOwnPost, demandPageOf } from "./form-token.ts";
import { type OncePerForm, oncePerForm } from "./one-time-form.ts";
import { type PageAccess, type Visitor, visitorOf } from "./visitor.ts";

type Empty = Record<never, never>;

interface ConsoleRouteParts<Ctx, Q extends Shape, P extends Shape> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly right: Right;
  /** Other accounts have no such page. */
  readonly onlyBusiness?: true;
  /** A password or second factor within the last five minutes. */
  readonly needsProof?: true;
  /** As of any route: what it reads through `read`. */
  readonly readsFromStandby?: true;
  /** Asked for by the page itself, again and again: it keeps no session from ending. */
  readonly isIdle?: true;
  /** Beside those that every page has, or in their place. */
  readonly answers?: Readonly<Record<number, AnswerDoc>>;
  /** A file in the form; what is wrong with it is for the page to say. */
  readonly upload?: UploadRules;
  readonly params?: P;
  readonly query?: Q;
  run(ctx: Ctx, call: ConsoleCall<Values<Q>, Values<P>>, visitor: Visitor): Promise<Answer>;
}

/** Its `once` is bound to the hidden field of the page's form, not to a header. */
type ConsoleCall<Q, P> = Omit<Call<Empty, Q, P>, keyof OncePerForm> & OncePerForm;

/** With the types of its own fields forgotten. */
export interface ConsoleRoute<Ctx> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly right: Right;
  readonly needsProof: boolean;
  readonly route: Route<Ctx>;
}

const ANSWERS = {
  ...FORM_PAGE_ANSWERS,
  200: {
    ...FORM_PAGE_ANSWERS[200],
    alsoAs: "text/csv",
    headers: ["Content-Disposition"],
  },
  303: { ...FORM_PAGE_ANSWERS[303], headers: ["Location", "Set-Cookie", "Clear-Site-Data"] },
  400: {
    about: "The request cannot be read, or the form with what is wrong in it",
    alsoAs: "text/html",
  },
  401: inHtml("The sign-in, with what is wrong"),
  403: inHtml("It did not come from our page"),
  404: { about: "There is no such page, or not for this member", alsoAs: "text/html" },
  409: inHtml("The state forbids it"),
} as const;

/** What every page for browsers has, the guard aside. */
export const PAGE_ROUTE = {
  isHidden: true,
  answers: ANSWERS,
  errorPage: consoleErrorPage,
} as const;

export function consoleRoute<
  Ctx extends ConsoleContext,
  Q extends Shape = Empty,
  P extends Shape = Empty,
>(parts: ConsoleRouteParts<Ctx, Q, P>): ConsoleRoute<Ctx> {
  const { right, onlyBusiness: _, needsProof = false, isIdle, run, ...declared } = parts;
  /** Whom the page is for; else what they get. */
  const visit = async (ctx: Ctx, head: CallHead): Promise<Visitor | Answer> => {
    const visitor = await visitorOf(ctx, head, isIdle && { isIdle });
    if (visitor === undefined) return toSignIn(parts.method, head.url);
    const whyNot = whyNotSeen(visitor, parts);
    return whyNot === undefined ? visitor : pageNotFound(visitor, new NotFound(whyNot));
  };
  return {
    method: parts.method,
    path: parts.path,
    right,
    needsProof,
    route: publicRoute<Ctx, Empty, Q, P>({
      ...PAGE_ROUTE,
      ...declared,
      answers: { ...ANSWERS, ...parts.answers },
      ...(parts.upload && { beforeUpload: answerStrangers(visit) }),
      async run(ctx, received) {
        const call = parts.upload === undefined ? received : withUploadedTexts(received);
        const visitor = await visit(ctx, call);
        if ("status" in visitor) return visitor;
        return orNotFound(visitor, async () => {
          if (parts.method === "POST") {
            demandOwnPost(ctx.config, call, visitor.sessionId);
            // What is the person's own is the same whatever the session acts for.
            if (right !== "self") demandPageOf(visitor, call);
          }
          if (needsProof && !visitor.isProven) return toProof(parts.method, visitor, call);
          const { params, query } = call;
          const route = `${parts.method} ${parts.path}`;
          const once = oncePerForm(ctx, visitor, { route, params, query, texts: call.texts() });
          return run(ctx, { ...call, ...once }, visitor);
        });
      },
    }),
  };
}

function whyNotSeen(
  { role, account, mayDo }: Visitor,
  { right, onlyBusiness }: PageAccess,
): string | undefined {
  if (!mayDo(right)) return `${role} lacks ${right}`;
  if (onlyBusiness && account.accountType !== "BUSINESS") return "only for BUSINESS accounts";
  return undefined;
}

async function orNotFound(visitor: Visitor, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof NotFound) return pageNotFound(visitor, error);
    throw error;
  }
}

/** Before the body of an upload is read: the answer to whom the page is not for. */
export function answerStrangers<Ctx, V extends object>(
  visit: (ctx: Ctx, head: CallHead) => Promise<V | Answer>,
): BeforeUpload<Ctx> {
  return async (ctx, head) => {
    const visited = await visit(ctx, head);
    return "status" in visited ? visited : undefined;
  };
}

/** The texts of a form with a file are read with it. */
function withUploadedTexts<C extends Pick<Call<never, never, never>, "upload" | "texts">>(call: C) {
  return { ...call, texts: () => call.upload.fields };
}

/** After a post the person begins again at Home: what was typed cannot be kept over a sign-in. */
function toSignIn(method: "GET" | "POST", url: string): Answer {
  const { pathname, search } = new URL(url);
  return redirect(method === "GET" ? withNext("/sign-in", pathname + search) : "/sign-in");
}

function toProof(
  method: "GET" | "POST",
  { here }: Visitor,
  { header }: Pick<Call<Empty, never, never>, "header">,
): Answer {
  if (method === "GET") return redirect(withNext("/console/prove", here));
  const referer = header("referer") ?? "";
  const page = URL.canParse(referer) ? new URL(referer).pathname : "/console";
  return redirect(withNext("/console/prove", page));
}

export function withNext(to: string, next: string): string {
  return next === "/console" ? to : `${to}?next=${encodeURIComponent(next)}`;
}
