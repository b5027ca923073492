/** The form that asks an operator for a second factor, at the sign-in and as a fresh proof. */

import { codeField } from "../../console/code-field.ts";
import { passkeyForm } from "../../console/passkey-form.ts";
import { html } from "../../kit/html.ts";
import type { PeopleContext } from "../../modules/people/context.ts";
import { authenticationOptions } from "../../modules/people/passkeys.ts";
import { relyingPartyOf } from "../../modules/people/relying-party.ts";
import { type SecondFactors, secondFactorsOf } from "../../modules/people/second-factors.ts";
import type { FactorProof } from "../../modules/people/verify-second-factor.ts";
import { button, postForm } from "../../parts/form.ts";
import type { OperatorVisitor } from "../visitor.ts";

export interface CodeFormView {
  readonly csrf: string;
  readonly next: string;
  readonly action: string;
  readonly button: string;
  readonly factors: SecondFactors;
  readonly passkeyOptions: object | undefined;
  readonly problem?: string | undefined;
}

export async function codeFormView(
  ctx: PeopleContext,
  session: Pick<OperatorVisitor, "sessionId" | "person">,
  host: string | undefined,
): Promise<Pick<CodeFormView, "factors" | "passkeyOptions">> {
  const factors = await secondFactorsOf(ctx.db, session.person.personId);
  const party = relyingPartyOf(ctx.config, host);
  const passkeyOptions =
    party === undefined || factors.passkeys === 0
      ? undefined
      : await authenticationOptions(ctx, session, party);
  return { factors, passkeyOptions };
}

export function codeForm(view: CodeFormView) {
  const { csrf, next, action, factors, passkeyOptions, problem } = view;
  const code =
    factors.totp &&
    postForm({
      action,
      csrf,
      hidden: { next },
      content: html`${codeField({
        required: true,
        autofocus: problem === undefined,
        error: problem,
      })}
${button({ text: view.button, kind: "primary" })}`,
    });
  const passkey =
    passkeyOptions !== undefined &&
    passkeyForm({
      ceremony: "get",
      options: passkeyOptions,
      action,
      csrf,
      hidden: { next },
      button: "Use a passkey",
      isPrimary: !factors.totp,
    });
  const isStuck = code === false && passkey === false;
  return html`${code}${passkey}${isStuck && html`<p>Your passkey belongs to another address.</p>`}`;
}

/** The passkey's answer where there is one, else the code. */
export function shownFactor(
  ctx: PeopleContext,
  sent: Readonly<Record<string, string>>,
  host: string | undefined,
): FactorProof {
  const party = relyingPartyOf(ctx.config, host);
  if (sent.response === undefined || party === undefined)
    return { kind: "code", code: sent.code ?? "" };
  return { kind: "passkey", response: sent.response, party };
}
