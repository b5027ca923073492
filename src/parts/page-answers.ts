/** What every page may answer, for the routes that declare it; the rest is theirs. */

import type { AnswerDoc } from "../infra/http/route.ts";

export const inHtml = (about: string) => ({ about, contentType: "text/html" }) as const;

type Answers = Readonly<Record<number, AnswerDoc>>;

/** Of a route whose mistakes are pages, too. */
export const TROUBLE_ANSWERS = {
  // As JSON, too, for a path that cannot be read or is too long to be any of ours.
  400: { about: "The request cannot be read", alsoAs: "text/html" },
  429: inHtml("Too often"),
  500: inHtml("We are wrong"),
  503: inHtml("Not now"),
} as const satisfies Answers;

/** Of a page with a form. */
export const FORM_PAGE_ANSWERS = {
  ...TROUBLE_ANSWERS,
  200: inHtml("The page"),
  303: { ...inHtml("It goes on elsewhere"), headers: ["Location"] },
  413: inHtml("Too large"),
  415: inHtml("Neither a form nor JSON"),
  422: inHtml("The form, with what is wrong in it"),
} as const satisfies Answers;
