/** The languages of customers' pages, each as its own speakers call it. */

import { LANGUAGES, type Language } from "../kit/vocabulary.ts";

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  es: "Español",
  fr: "Français",
  nl: "Nederlands",
};

export const LANGUAGE_CHOICES = LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] }));
