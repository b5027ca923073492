/** The Dutch words of a payment link's pages. */

import type { LinkWords } from "./en.ts";

export const dutch: LinkWords = {
  title: (shop) => `Betalen aan ${shop}`,
  payTo: "Betalen aan",
  sandbox: "Test",
  sandboxNote: "Testbetaling. U betaalt niets.",
  order: "Waarvoor u betaalt",
  items: (count) => (count === 1 ? "1 artikel" : `${count} artikelen`),
  price: "Prijs",
  amount: (currency) => `Bedrag in ${currency}`,
  bounds: (least, most) => `Van ${least} tot ${most}.`,
  fee: {
    customer_pay: "De transactiekosten komen er op de volgende pagina bij, voordat u betaalt.",
    split: "De helft van de transactiekosten komt er op de volgende pagina bij, voordat u betaalt.",
    merchant_absorb: "Geen kosten voor u. De verkoper betaalt ze.",
  },
  go: "Verder naar betalen",
  next: "Op de volgende pagina vult u uw kaartgegevens in. Er wordt nog niets afgeschreven.",
  problems: {
    heading: "Controleer wat u hebt ingevuld.",
    amount: "Vul een bedrag in, bijvoorbeeld 25,00.",
    reference: "Vul dit veld in.",
    referenceLong: (max) => `Gebruik hoogstens ${max} tekens.`,
    cardNumber: "Dit lijkt op een kaartnummer. Vul dat hier niet in.",
  },
  closed: {
    off: {
      heading: "Deze link is gesloten",
      text: (shop) => `${shop} heeft deze link gesloten. Er is niets afgeschreven.`,
    },
    expired: {
      heading: "Deze link is verlopen",
      text: (shop) => `Vraag ${shop} om een nieuwe. Er is niets afgeschreven.`,
    },
    full: {
      heading: "Uitverkocht",
      text: (shop) =>
        `Sorry, er is niets meer over. Vraag ${shop} of er meer komt. Er is niets afgeschreven.`,
    },
    paid: {
      heading: "Al betaald",
      text: (shop) =>
        "Deze link is voor één betaling, die al is gedaan of nu wordt gedaan. Was u dat niet, " +
        `vraag het dan aan ${shop}. Er is nu niets afgeschreven.`,
    },
    unavailable: {
      heading: "Deze link kan nu niet worden betaald",
      text: (shop) =>
        `${shop} kan op dit moment geen betalingen ontvangen. Er is niets afgeschreven.`,
    },
  },
  contact: (shop) => `Zo bereikt u ${shop}`,
  email: "E-mail",
  phone: "Telefoon",
  website: "Website",
  done: {
    paid: "Bedankt, het is betaald.",
    paidText: (total, shop) => `${shop} heeft uw betaling van ${total} ontvangen.`,
    payAgain: "Nog eens betalen",
    notPaid: "Er is niet betaald",
    notPaidText: "Er is niets afgeschreven.",
    notKnown: "Wij weten nog niet of er is betaald",
    notKnownText:
      "Uw bank heeft de betaling niet bevestigd. Is er wel afgeschreven, dan krijgt u het bedrag " +
      "terug.",
    tryAgain: "Opnieuw proberen",
    reference: "Referentie",
  },
  missing: {
    heading: "Hier is niets",
    text: "Controleer het adres of vraag het aan de verkoper die het u gaf.",
  },
  trouble: {
    heading: "Er is iets misgegaan",
    text: "Laad deze pagina over een ogenblik opnieuw.",
    again: "Terug naar de link",
  },
  footer: "Veilig betalen met Windward",
};
