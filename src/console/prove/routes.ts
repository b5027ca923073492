/** Fresh proof (Decisions 0085 and 0090): a password, a code or a passkey, then on. */

import type { Answer } from "../../infra/http/answer.ts";
import type { Call } from "../../infra/http/route.ts";
import { relyingPartyOf } from "../../modules/people/relying-party.ts";
import { secondFactorsOf } from "../../modules/people/second-factors.ts";
import { verifyPassword } from "../../modules/people/verify-password.ts";
import { verifySecondFactor } from "../../modules/people/verify-second-factor.ts";
import { nextField, redirect, safeNext } from "../answers.ts";
import { WRONG_CODE, WRONG_PASSKEY } from "../code-field.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { passkeyOptionsFor } from "../passkey-form.ts";
import { typedPassword } from "../password-fields.ts";
import { browserName, type Visitor } from "../visitor.ts";
import { type ProveView, provePage } from "./prove-page.ts";

type PageCall = Pick<Call<never, never, never>, "header" | "address">;
type Problem = NonNullable<ProveView["problem"]>;

const WRONG_PASSWORD: Problem = { field: "password", message: "That is not your password." };

async function page(
  ctx: ConsoleContext,
  { header }: PageCall,
  visitor: Visitor,
  { next, problem }: { readonly next: string; readonly problem?: Problem },
): Promise<Answer> {
  const factors = await secondFactorsOf(ctx.db, visitor.person.personId);
  const passkeyOptions = await passkeyOptionsFor(ctx, visitor, { factors, host: header("host") });
  const view = { csrf: visitor.formToken, next, hasApp: factors.totp, passkeyOptions };
  if (problem === undefined) return provePage(view);
  return { ...provePage({ ...view, problem }), error: "second_factor_refused" };
}

function fromOf({ header, address }: PageCall) {
  return { address, browser: browserName(header("user-agent")) };
}

export const proveRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  consoleRoute({
    method: "GET",
    path: "/console/prove",
    summary: "Show again that it is you",
    right: "self",
    query: { next: nextField },
    async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
      return page(ctx, call, visitor, { next: safeNext(call.query.next) });
    },
  }),
  consoleRoute({
    method: "POST",
    path: "/console/prove",
    summary: "Take a password or a code as a proof",
    right: "self",
    async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
      const { password, code = "", next: wanted } = call.texts();
      const next = safeNext(wanted);
      const isCode = code !== "";
      const isRight = isCode
        ? await verifySecondFactor(ctx, visitor, { kind: "code", code }, fromOf(call))
        : await verifyPassword(ctx, visitor, typedPassword(password), fromOf(call));
      if (isRight) return redirect(next);
      return page(ctx, call, visitor, {
        next,
        problem: isCode ? { field: "code", message: WRONG_CODE } : WRONG_PASSWORD,
      });
    },
  }),
  consoleRoute({
    method: "POST",
    path: "/console/prove/passkey",
    summary: "Take a passkey as a proof",
    right: "self",
    async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
      const { response = "", next: wanted } = call.texts();
      const next = safeNext(wanted);
      const party = relyingPartyOf(ctx.config, call.header("host"));
      const shown = party && ({ kind: "passkey", response, party } as const);
      const isRight = shown && (await verifySecondFactor(ctx, visitor, shown, fromOf(call)));
      if (isRight) return redirect(next);
      return page(ctx, call, visitor, { next, problem: { message: WRONG_PASSKEY } });
    },
  }),
];
