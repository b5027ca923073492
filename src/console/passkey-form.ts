/**
 * A form that the browser answers with a passkey (`web/console/passkey.js`). It is hidden until the
 * script shows it, so a browser without passkeys never offers one.
 */

import { attributes, type Html, type HtmlValue, html } from "../kit/html.ts";
import type { Session } from "../modules/people/console-session.ts";
import type { PeopleContext } from "../modules/people/context.ts";
import { authenticationOptions } from "../modules/people/passkeys.ts";
import { relyingPartyOf } from "../modules/people/relying-party.ts";
import type { SecondFactors } from "../modules/people/second-factors.ts";
import { button, postForm } from "../parts/form.ts";

export function passkeyForm(parts: {
  readonly ceremony: "create" | "get";
  /** For `navigator.credentials`. */
  readonly options: object;
  readonly action: string;
  readonly csrf: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields?: HtmlValue;
  readonly button: string;
  readonly isPrimary?: boolean;
}): Html {
  const { ceremony, options, hidden = {} } = parts;
  const form = postForm({
    ...parts,
    hidden: { ...hidden, response: "" },
    content: html`${parts.fields}
<p class="problem" role="alert" data-passkey-problem></p>
${button({ text: parts.button, kind: parts.isPrimary === true ? "primary" : "secondary" })}`,
  });
  const about = attributes({
    "data-passkey": ceremony,
    "data-options": JSON.stringify(options),
    hidden: true,
  });
  return html`<div${about}>${form}</div>`;
}

/** Undefined where the person has no passkey, or none can be used under this name. */
export async function passkeyOptionsFor(
  ctx: PeopleContext,
  session: Session,
  { factors, host }: { readonly factors: SecondFactors; readonly host: string | undefined },
): Promise<object | undefined> {
  const party = relyingPartyOf(ctx.config, host);
  if (party === undefined || factors.passkeys === 0) return undefined;
  return authenticationOptions(ctx, session, party);
}
