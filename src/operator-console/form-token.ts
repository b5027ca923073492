/** Posts of `/operator` come from its own pages, as those of the merchants' console do. */

import { NotFromOurPage } from "../console/form-token.ts";
import type { Config } from "../infra/config.ts";
import { formTokenOf, isOwnPost } from "../infra/http/own-form.ts";
import type { Call } from "../infra/http/route.ts";
import { CSRF_FIELD } from "../parts/form.ts";

const PAGES = "operator console";

/** `boundTo`: the session's id, or the page's name where nobody has signed in yet. */
export function operatorFormToken({ tokenPeppers }: Config, boundTo: string): string {
  return formTokenOf(tokenPeppers, { pages: PAGES, boundTo });
}

export function demandOperatorPost(
  config: Config,
  { header, texts }: Pick<Call<never, never, never>, "header" | "texts">,
  boundTo: string,
): void {
  const formToken = texts()[CSRF_FIELD] ?? "";
  const post = { formToken, publicUrl: config.http.publicUrl, header };
  if (!isOwnPost(config.tokenPeppers, { pages: PAGES, boundTo }, post)) throw new NotFromOurPage();
}
