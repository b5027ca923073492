/** The words of a payment link's pages in each language. */

import type { Language } from "../../kit/vocabulary.ts";
import type { InLanguages } from "../locale.ts";
import { english, type LinkWords } from "./en.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import { dutch } from "./nl.ts";

const LINK_WORDS: InLanguages<LinkWords> = { en: english, es: spanish, fr: french, nl: dutch };

export function linkWords(language: Language): LinkWords {
  return LINK_WORDS[language];
}
