/** The Dutch words of the page where a card is saved, or a saved one is charged. */

import type { Texts } from "../checkout/en.ts";
import { dutch } from "../checkout/nl.ts";

/** By codes that mean something of their own where a card is saved. */
const SAVING_REASONS: ReadonlyMap<string, string> = new Map([
  ["15", "De controle van deze kaart is te vaak mislukt. Probeer het morgen opnieuw."],
  ["93", "Op dit moment kunnen geen kaarten worden bewaard."],
  ["17", "U bent teruggegaan zonder de kaart te bewaren."],
]);

export const savingACard: Texts = {
  ...dutch,
  title: (merchant) => `Uw kaart bewaren bij ${merchant}`,
  main: "Een kaart bewaren",
  summary: {
    ...dutch.summary,
    heading: "Uw kaart",
    payTo: "Kaart bewaren bij",
    total: "Kaartcontrole",
    secret: "USD\u00a00,50–0,99",
    feeNone:
      "Om te controleren of de kaart van u is, schrijven wij een klein bedrag af tussen " +
      "USD\u00a00,50 en USD\u00a00,99. Het staat op uw afschrift en u krijgt het terug.",
  },
  card: {
    ...dutch.card,
    heading: "Uw kaart bewaren",
    pay: () => "Kaart bewaren",
    safe: "De verkoper ziet uw kaartnummer nooit. U keurt elke volgende betaling zelf goed.",
    giveUp: (merchant) => `Terug naar ${merchant} zonder te bewaren`,
  },
  time: {
    ...dutch.time,
    label: "Resterende tijd",
    left: (words) => `U hebt nog ${words} om uw kaart te bewaren.`,
    warnings: {
      60: "Nog 1 minuut. Daarna moet u opnieuw beginnen.",
      20: "Nog 20 seconden.",
    },
  },
  declined: {
    ...dutch.declined,
    reason: (code, said) => SAVING_REASONS.get(code) ?? dutch.declined.reason(code, said),
  },
  challenge: {
    ...dutch.challenge,
    text: "Volg hieronder de stappen van uw bank. Daarna wordt uw kaart vanzelf bewaard.",
    checking: {
      ...dutch.challenge.checking,
      text:
        "Uw bank controleert uw kaart. Vraagt uw bank om een bevestiging, volg dan hieronder de " +
        "stappen. Daarna wordt uw kaart vanzelf bewaard.",
    },
    answeredText: "Een ogenblik, wij bewaren uw kaart.",
    scripts: {
      ...dutch.challenge.scripts,
      onPage: "Zet JavaScript aan en laad deze pagina opnieuw, of ga terug zonder te bewaren.",
      back: "Terug naar uw kaart",
    },
  },
  working: {
    ...dutch.working,
    stay: "Sluit deze pagina niet en begin niet opnieuw. Uw kaart wordt maar één keer bewaard.",
  },
  ended: {
    ...dutch.ended,
    paid: {
      heading: "Kaart bewaard",
      text: (_amount, merchant) =>
        `Uw kaart is bewaard bij ${merchant}. ${merchant} kan u vragen naar het kleine bedrag op ` +
        "uw afschrift. U krijgt het terug.",
    },
    notPaid: {
      heading: "Kaart niet bewaard",
      text: "Er is niets afgeschreven. U kunt opnieuw beginnen.",
    },
    notKnown: {
      heading: "Wachten op antwoord van uw bank",
      text:
        "Uw bank heeft de kaart niet bevestigd. De kaart is niet bewaard. Is er een klein bedrag " +
        "afgeschreven, dan krijgt u het terug.",
    },
    expired: {
      heading: "De tijd is om",
      text: "De kaart is niet bewaard en er is niets afgeschreven. U kunt opnieuw beginnen.",
    },
  },
  gone: {
    heading: "Deze pagina is verlopen",
    text: "Vraag de verkoper of uw kaart is bewaard.",
  },
};

export const chargingACard: Texts = {
  ...dutch,
  card: { ...dutch.card, heading: "Met uw bewaarde kaart betalen" },
  problems: {
    ...dutch.problems,
    again: "Voor uw veiligheid bewaren wij uw beveiligingscode niet. Vul die opnieuw in.",
  },
  declined: {
    ...dutch.declined,
    noMoney:
      "Er is niets afgeschreven. Controleer de beveiligingscode en probeer het opnieuw, of neem " +
      "contact op met de verkoper.",
    /** It was deleted, or does not open any more. */
    reason: (code, said) =>
      code === "14" || code === "93"
        ? "De bewaarde kaart kan niet meer worden gebruikt."
        : dutch.declined.reason(code, said),
  },
};
