/**
 * In which language a customer reads a page, and the headers that say so (Decision 0095): the one
 * that the payment request names, else the one that the browser likes best among ours (RFC 9110
 * §12.5.4), else that of the business, else English.
 */

import { LANGUAGES, type Language } from "../kit/vocabulary.ts";

/** Browsers name a handful. */
const RANGES_MAX = 20;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

export interface LanguageSources {
  /** The payment request's or the link's. */
  readonly requested?: Language | undefined;
  readonly acceptLanguage?: string | undefined;
  readonly business?: Language | undefined;
}

export function chooseLanguage(sources: LanguageSources): Language {
  const { requested, acceptLanguage, business } = sources;
  return requested ?? browserLanguage(acceptLanguage) ?? business ?? "en";
}

/** Of a page that is the browser's choice, at least where nobody else made one. */
export function languageHeaders(words: { readonly language: Language }): Record<string, string> {
  return { "content-language": words.language, vary: "accept-language" };
}

/** What an unknown caller calls a language, where it is one of ours. */
export function languageNamed(name: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}

/** `es-DO` is es. Of two that are liked alike the first is meant; `*` names none. */
function browserLanguage(accept = ""): Language | undefined {
  const liked = accept
    .split(",", RANGES_MAX)
    .map(readRange)
    .filter(({ language, weight }) => language !== undefined && weight > 0);
  return liked.toSorted((one, other) => other.weight - one.weight)[0]?.language;
}

function readRange(range: string) {
  const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return {
    language: languageNamed(tag.split("-")[0]),
    weight: weight === undefined ? 1 : Number(WEIGHT.exec(weight)?.[1] ?? 0),
  };
}
