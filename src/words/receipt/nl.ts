/** What a receipt says, in Dutch, with "u". */

import type { ReceiptWords } from "./en.ts";

export const dutch: ReceiptWords = {
  title: (business) => `Betaalbewijs van ${business}`,
  testMark: "Test",
  test: "Dit is een testbetaling. Er is niets afgeschreven.",
  paid: (amount, business) => `U hebt ${amount} betaald aan ${business}.`,
  description: "Omschrijving",
  line: (quantity, name, each) => `${quantity} × ${name} (${each} per stuk)`,
  price: "Prijs",
  fee: "Transactiekosten",
  total: "Totaal betaald",
  card: "Kaart",
  endingIn: (network, lastFour) => `${network} eindigend op ${lastFour}`,
  date: "Datum",
  order: "Bestelling",
  reference: "Referentie",
  keep: "Om dit bewijs te bewaren, drukt u het af of slaat u het op als pdf.",
  contact: (business) => `Vragen over deze betaling? Neem contact op met ${business}:`,
  email: "E-mail",
  phone: "Telefoon",
  website: "Website",
  see: "Betaalbewijs bekijken of afdrukken",
  refund: {
    title: (business) => `Terugbetaling van ${business}`,
    told: (amount, business) => `${business} heeft ${amount} teruggestort op uw kaart.`,
    patience: "Het kan enkele dagen duren voordat uw bank dit toont.",
    amount: "Terugbetaald bedrag",
    date: "Terugbetaald op",
    payment: "Bedrag van de betaling",
    paidAt: "Betaald op",
    heading: "Terugbetalingen",
    on: (date) => `Terugbetaald op ${date}`,
    left: "Totaal na terugbetaling",
  },
  notFound: {
    heading: "Dit betaalbewijs bestaat niet",
    text:
      "Controleer of u het hele adres hebt gekopieerd, of vraag de verkoper het betaalbewijs " +
      "opnieuw te sturen.",
  },
  trouble: {
    heading: "Het betaalbewijs kan nu niet worden getoond",
    text: "Probeer het over een ogenblik opnieuw.",
  },
};
