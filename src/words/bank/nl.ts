/** The Dutch words of the sandbox's bank. */

import { moneyIn } from "../locale.ts";
import type { BankWords } from "./en.ts";

export const dutch: BankWords = {
  language: "nl",
  amount: "Bedrag",
  money: (amount) => moneyIn("nl", amount),
  secret: "Zie uw afschrift",
  card: "Kaart",
  endingIn: (network, lastFour) => `${network} eindigend op ${lastFour}`,
  leading: { title: "Naar uw bank", next: "Doorgaan naar uw bank" },
  question: {
    heading: "Bevestig uw betaling",
    confirm: "Betaling bevestigen",
    decline: "Betaling weigeren",
    note: "Dit is een gesimuleerde bank. Er wordt niets afgeschreven; u kiest het antwoord.",
  },
  silent: {
    heading: "Wachten op antwoord van uw bank",
    text:
      "Deze gesimuleerde bank antwoordt nooit. Gebruik deze kaart om te testen hoe een betaling " +
      "zonder antwoord eindigt.",
  },
  answered: {
    heading: "Uw bank heeft geantwoord",
    passed: "U hebt de betaling bevestigd.",
    refused: "U hebt de betaling geweigerd.",
    finish: "Ga terug naar de betaalpagina om af te ronden.",
    back: "Terug naar de betaalpagina",
  },
  nothing: {
    heading: "Hier valt niets te bevestigen",
    text: "Op dit adres is geen betaling gevonden.",
  },
};
