/** The languages of customers' pages, in the one of the console. */

import { LANGUAGES, type Language } from "../kit/vocabulary.ts";

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  es: "Spanish",
  fr: "French",
  nl: "Dutch",
};

export const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] }));
