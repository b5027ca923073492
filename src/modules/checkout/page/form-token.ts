/**
 * Whether a post came from the page's own form (Decision 0041). The form is bound to the address of
 * the page, so no cookie is needed: the page also works in a frame on the merchant's site, where
 * browsers refuse cookies.
 */

import type { Config } from "../../../infra/config.ts";
import { type FormPost, formTokenOf, isOwnPost } from "../../../infra/http/own-form.ts";

export function formToken({ tokenPeppers }: Pick<Config, "tokenPeppers">, token: string): string {
  return formTokenOf(tokenPeppers, { pages: "checkout", boundTo: token });
}

interface Posted extends Pick<FormPost, "header"> {
  readonly token: string;
  readonly formToken: string | undefined;
}

export function cameFromPage(
  { tokenPeppers, http }: Pick<Config, "tokenPeppers" | "http">,
  { token, formToken: given = "", header }: Posted,
): boolean {
  const post = { formToken: given, publicUrl: http.paymentsPublicUrl, header };
  return isOwnPost(tokenPeppers, { pages: "checkout", boundTo: token }, post);
}
