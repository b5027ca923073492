/** The French words of the card form's fields, with "vous" and French spaces before signs. */

import type { CardFormWords } from "./en.ts";

export const cardForm: CardFormWords = {
  number: {
    label: "Numéro de carte",
    help: "Le long numéro inscrit sur votre carte",
    missing: "Saisissez votre numéro de carte.",
    wrong: "Vérifiez votre numéro de carte. Il doit comporter de 13 à 19 chiffres.",
    notTaken: "Cette carte n’est pas acceptée ici. Utilisez une carte Visa ou Mastercard.",
    amex:
      "Les cartes American Express ne sont pas acceptées ici. Utilisez une carte Visa ou " +
      "Mastercard.",
    notDigits: "Saisissez votre numéro de carte avec des chiffres uniquement.",
    notValid: "Vérifiez votre numéro de carte. Il n’est pas valide.",
    testCard: "Il s’agit d’une carte de test. Veuillez utiliser votre propre carte.",
    otherNetwork: ({ given, wanted }) =>
      `Il s’agit d’une carte ${given}. Pour cette commande, utilisez une carte ${wanted}.`,
  },
  expiry: {
    label: "Date d’expiration",
    help: "p. ex. 09/29",
    missing: "Saisissez la date d’expiration.",
    wrong: "Saisissez la date d’expiration telle qu’elle figure sur la carte, p. ex. 09/29.",
    over: "Cette carte a expiré. Veuillez en utiliser une autre.",
    tooFar: "Vérifiez l’année. Elle est trop éloignée.",
  },
  cvv: {
    label: "Cryptogramme visuel",
    help: "3 chiffres au dos",
    missing: "Saisissez le cryptogramme visuel.",
    wrong: "Le cryptogramme visuel comporte 3 chiffres. Il figure au dos de la carte.",
  },
  holder: {
    label: "Nom sur la carte",
    missing: "Saisissez le nom qui figure sur votre carte.",
  },
  email: {
    label: "Adresse e-mail",
    help: "Pour votre reçu et pour que le commerçant puisse vous joindre",
    missing: "Saisissez votre adresse e-mail.",
    wrong: "Vérifiez votre adresse e-mail, p. ex. nom@example.com.",
    sellers: "Il s’agit de l’adresse du commerçant. Veuillez saisir la vôtre.",
  },
  country: {
    label: "Pays de facturation",
    missing: "Choisissez votre pays de facturation.",
    wrong: "Choisissez un pays dans la liste.",
  },
  addr1: { label: "Adresse", missing: "Saisissez votre adresse de facturation." },
  addr2: { label: "Appartement, bâtiment ou quartier", missing: "" },
  city: { label: "Ville ou commune", missing: "Saisissez votre ville ou commune." },
  state: {
    label: "État, province ou paroisse",
    missing: "Choisissez votre État, province ou paroisse.",
    wrong: "Choisissez un État, une province ou une paroisse dans la liste.",
  },
  zipcode: {
    label: "Code postal",
    missing: "Saisissez votre code postal.",
    wrong: "Vérifiez votre code postal. Utilisez au plus 10 lettres et chiffres.",
  },
  dial: { label: "Indicatif du pays", missing: "Choisissez l’indicatif de votre téléphone." },
  phone: {
    label: "Téléphone",
    missing: "Saisissez votre numéro de téléphone.",
    wrong: "Ce numéro de téléphone n’est pas valide pour ce pays.",
  },
  line: {
    tooLong: (charactersMax) => `Utilisez au plus ${charactersMax} caractères.`,
    signs: "Utilisez uniquement des lettres et des signes courants.",
    cardNumber: "N’indiquez pas de numéro de carte ici.",
  },
};
