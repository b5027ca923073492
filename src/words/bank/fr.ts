/** The French words of the sandbox's bank. */

import { moneyIn } from "../locale.ts";
import type { BankWords } from "./en.ts";

export const french: BankWords = {
  language: "fr",
  amount: "Montant",
  money: (amount) => moneyIn("fr", amount),
  secret: "Voir votre relevé",
  card: "Carte",
  endingIn: (network, lastFour) => `${network} se terminant par ${lastFour}`,
  leading: { title: "Vers votre banque", next: "Continuer vers votre banque" },
  question: {
    heading: "Confirmez votre paiement",
    confirm: "Confirmer le paiement",
    decline: "Refuser le paiement",
    note: "Cette banque est simulée. Rien n’est débité\u202f; vous choisissez la réponse.",
  },
  silent: {
    heading: "En attente de votre banque",
    text:
      "Cette banque simulée ne répond jamais. Utilisez cette carte pour voir comment un paiement " +
      "se termine sans réponse.",
  },
  answered: {
    heading: "Votre banque a répondu",
    passed: "Vous avez confirmé le paiement.",
    refused: "Vous avez refusé le paiement.",
    finish: "Revenez à la page de paiement pour terminer.",
    back: "Retour à la page de paiement",
  },
  nothing: {
    heading: "Rien à confirmer ici",
    text: "Aucun paiement n’a été trouvé à cette adresse.",
  },
};
