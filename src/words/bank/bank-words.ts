/** What the sandbox's bank says in each language (Decision 0095). */

import type { Language } from "../../kit/vocabulary.ts";
import type { InLanguages } from "../locale.ts";
import { type BankWords, english } from "./en.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import { dutch } from "./nl.ts";

const BANK_WORDS: InLanguages<BankWords> = { en: english, es: spanish, fr: french, nl: dutch };

export function bankWords(language: Language): BankWords {
  return BANK_WORDS[language];
}
