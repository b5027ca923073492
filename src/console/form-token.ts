/**
 * Posts of the console come from its own pages (`own-form.ts`). Those of a visitor's pages also say
 * for which account and environment the page was made: a form in an old tab does nothing once the
 * session acts for another (Decision 0085).
 */

import type { Config } from "../infra/config.ts";
import { formTokenOf, isOwnPost } from "../infra/http/own-form.ts";
import type { Call } from "../infra/http/route.ts";
import { fixedRefusal } from "../kit/errors.ts";
import type { Session } from "../modules/people/console-session.ts";
import { CSRF_FIELD } from "../parts/form.ts";

/** Somebody else's page, an old tab, or a form without its token. */
export class NotFromOurPage extends fixedRefusal("console_form_not_ours") {}

/** The page was made for another account or environment than the session's. */
class FormIsStale extends fixedRefusal("console_form_stale") {}

type Post = Pick<Call<never, never, never>, "header" | "texts">;

/** `boundTo`: the session's id, or the page's name where nobody has signed in yet. */
export function pageFormToken({ tokenPeppers }: Config, boundTo: string): string {
  return formTokenOf(tokenPeppers, { pages: "console", boundTo });
}

export function visitorFormToken(config: Config, session: Session): string {
  return `${pageFormToken(config, session.sessionId)}.${madeFor(session)}`;
}

function madeFor({ account, environment }: Session): string {
  return `${account.accountNumber}.${environment}`;
}

export function demandOwnPost(config: Config, { header, texts }: Post, boundTo: string): void {
  const [formToken = ""] = (texts()[CSRF_FIELD] ?? "").split(".", 1);
  const { publicUrl } = config.http;
  const post = { formToken, publicUrl, header };
  if (!isOwnPost(config.tokenPeppers, { pages: "console", boundTo }, post))
    throw new NotFromOurPage();
}

/** After `demandOwnPost`: what follows its token is what our page wrote. */
export function demandPageOf(session: Session, { texts }: Pick<Post, "texts">): void {
  const token = texts()[CSRF_FIELD] ?? "";
  if (token.slice(token.indexOf(".") + 1) !== madeFor(session)) throw new FormIsStale();
}
