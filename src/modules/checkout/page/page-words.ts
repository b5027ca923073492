/**
 * In which language a page of the checkout is written (Decision 0095). Only pages are translated:
 * what a merchant gets is English.
 */

import { checkoutWords } from "../../../words/checkout/checkout-words.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import { chooseLanguage } from "../../../words/choose-language.ts";
import type { SessionView } from "../session/session.ts";

/** Whose browser asks. */
export interface Reader {
  header(name: string): string | undefined;
}

/** Without a session: of a page that knows of no payment. */
export function wordsFor({ header }: Reader, session?: SessionView): Texts {
  const language = chooseLanguage({
    requested: session?.language,
    acceptLanguage: header("accept-language"),
    business: session?.merchant.language,
  });
  return checkoutWords(language, session?.purpose);
}
