/** What receipts say in each language (Decision 0098). */

import type { Language } from "../../kit/vocabulary.ts";
import type { InLanguages } from "../locale.ts";
import { english, type ReceiptWords } from "./en.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import { dutch } from "./nl.ts";

const RECEIPT_WORDS: InLanguages<ReceiptWords> = {
  en: english,
  es: spanish,
  fr: french,
  nl: dutch,
};

export function receiptWords(language: Language): ReceiptWords {
  return RECEIPT_WORDS[language];
}
