/** The Dutch words of the card form's fields, as in Suriname and the Netherlands, with "u". */

import type { CardFormWords } from "./en.ts";

export const cardForm: CardFormWords = {
  number: {
    label: "Kaartnummer",
    help: "Het lange nummer op uw kaart",
    missing: "Vul uw kaartnummer in.",
    wrong: "Controleer uw kaartnummer. Het moet 13 tot 19 cijfers hebben.",
    notTaken: "Deze kaart wordt hier niet geaccepteerd. Gebruik een Visa of Mastercard.",
    amex: "American Express wordt hier niet geaccepteerd. Gebruik een Visa of Mastercard.",
    notDigits: "Gebruik alleen cijfers voor uw kaartnummer.",
    notValid: "Controleer uw kaartnummer. Het is niet geldig.",
    testCard: "Dit is een testkaart. Gebruik uw eigen kaart.",
    otherNetwork: ({ given, wanted }) =>
      `Dit is een ${given}. Gebruik voor deze bestelling een ${wanted}.`,
  },
  expiry: {
    label: "Vervaldatum",
    help: "bijv. 09/29",
    missing: "Vul de vervaldatum in.",
    wrong: "Vul de vervaldatum in zoals die op de kaart staat, bijv. 09/29.",
    over: "Deze kaart is verlopen. Gebruik een andere kaart.",
    tooFar: "Controleer het jaar. Het ligt te ver in de toekomst.",
  },
  cvv: {
    label: "Beveiligingscode",
    help: "3 cijfers op de achterkant",
    missing: "Vul de beveiligingscode in.",
    wrong: "De beveiligingscode heeft 3 cijfers en staat op de achterkant van de kaart.",
  },
  holder: {
    label: "Naam op de kaart",
    missing: "Vul de naam in die op uw kaart staat.",
  },
  email: {
    label: "E-mailadres",
    help: "Voor uw betaalbewijs en voor vragen van de verkoper",
    missing: "Vul uw e-mailadres in.",
    wrong: "Controleer uw e-mailadres, bijv. naam@example.com.",
    sellers: "Dit is het e-mailadres van de verkoper. Vul uw eigen adres in.",
  },
  country: {
    label: "Land van het factuuradres",
    missing: "Kies het land van uw factuuradres.",
    wrong: "Kies een land uit de lijst.",
  },
  addr1: { label: "Adres", missing: "Vul uw factuuradres in." },
  addr2: { label: "Appartement, gebouw of wijk", missing: "" },
  city: { label: "Plaats", missing: "Vul uw plaats in." },
  state: {
    label: "Staat, provincie of district",
    missing: "Kies uw staat, provincie of district.",
    wrong: "Kies een staat, provincie of district uit de lijst.",
  },
  zipcode: {
    label: "Postcode",
    missing: "Vul uw postcode in.",
    wrong: "Controleer uw postcode. Gebruik hoogstens 10 letters en cijfers.",
  },
  dial: { label: "Landnummer", missing: "Kies het landnummer van uw telefoon." },
  phone: {
    label: "Telefoonnummer",
    missing: "Vul uw telefoonnummer in.",
    wrong: "Dit telefoonnummer is niet geldig voor dat land.",
  },
  line: {
    tooLong: (charactersMax) => `Gebruik hoogstens ${charactersMax} tekens.`,
    signs: "Gebruik alleen letters en gewone tekens.",
    cardNumber: "Vul hier geen kaartnummer in.",
  },
};
