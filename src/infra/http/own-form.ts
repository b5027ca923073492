/**
 * Whether a post came from a form of our own pages. Three things must agree: the token that only
 * such a page has, the Origin, and the browser's own word of where the request began.
 *
 * The token is worked out from what the form is bound to, so nothing is kept for it.
 */

import {
  derivedKey,
  type Keyring,
  keyedDigest,
  type SecretKey,
  sameBytes,
} from "../../kit/secrets.ts";

export interface OwnForm {
  /** Which pages: the token of one kind is none of another. */
  readonly pages: "checkout" | "console" | "operator console" | "payment link";
  readonly boundTo: string;
}

export interface FormPost {
  readonly formToken: string;
  /** Under which the pages are known. */
  readonly publicUrl: string;
  header(name: string): string | undefined;
}

export function formTokenOf(peppers: Keyring, form: OwnForm): string {
  return digestOf(peppers.current, form).toString("base64url");
}

export function isOwnPost(peppers: Keyring, form: OwnForm, post: FormPost): boolean {
  return isSameOrigin(post) && isFormToken(peppers, form, post.formToken);
}

export function isFormToken(peppers: Keyring, form: OwnForm, given: string): boolean {
  const bytes = Buffer.from(given, "base64url");
  return peppers.all.some((pepper) => sameBytes(digestOf(pepper, form), bytes));
}

function digestOf(pepper: SecretKey, { pages, boundTo }: OwnForm): Buffer {
  return keyedDigest(derivedKey(pepper, `${pages} form`), boundTo);
}

/** Also under another name that is served here: the guard has checked the Host header. */
function isSameOrigin({ publicUrl, header }: FormPost): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  const origin = header("origin") ?? "";
  if (!URL.canParse(origin)) return false;
  const given = new URL(origin);
  const own = new URL(publicUrl);
  const host = header("host") ?? "";
  if (given.protocol !== own.protocol) return false;
  return given.host === own.host || (host !== "" && given.host === host);
}
