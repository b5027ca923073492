/** The words of the payment page in each language, by what the page is for (Decision 0042). */

import type { Language } from "../../kit/vocabulary.ts";
import type { InLanguages } from "../locale.ts";
import * as savedCardEn from "../saved-card/en.ts";
import * as savedCardEs from "../saved-card/es.ts";
import * as savedCardFr from "../saved-card/fr.ts";
import * as savedCardNl from "../saved-card/nl.ts";
import { english, type Texts } from "./en.ts";
import { spanish } from "./es.ts";
import { french } from "./fr.ts";
import { dutch } from "./nl.ts";

type Purposes = Readonly<Record<"payment" | "link" | "card" | "charge", Texts>>;

const CHECKOUT_WORDS: InLanguages<Purposes> = {
  en: {
    payment: english,
    link: english,
    card: savedCardEn.savingACard,
    charge: savedCardEn.chargingACard,
  },
  es: {
    payment: spanish,
    link: spanish,
    card: savedCardEs.savingACard,
    charge: savedCardEs.chargingACard,
  },
  fr: {
    payment: french,
    link: french,
    card: savedCardFr.savingACard,
    charge: savedCardFr.chargingACard,
  },
  nl: {
    payment: dutch,
    link: dutch,
    card: savedCardNl.savingACard,
    charge: savedCardNl.chargingACard,
  },
};

export function checkoutWords(language: Language, purpose: keyof Purposes = "payment"): Texts {
  return CHECKOUT_WORDS[language][purpose];
}
