/** The French words of the page where a card is saved, or a saved one is charged. */

import type { Texts } from "../checkout/en.ts";
import { french } from "../checkout/fr.ts";

/** By codes that mean something of their own where a card is saved. */
const SAVING_REASONS: ReadonlyMap<string, string> = new Map([
  ["15", "La vérification de cette carte a échoué trop souvent. Réessayez demain."],
  ["93", "Il n’est pas possible d’enregistrer des cartes pour le moment."],
  ["17", "Vous avez quitté la page sans enregistrer la carte."],
]);

export const savingACard: Texts = {
  ...french,
  title: (merchant) => `Enregistrer votre carte chez ${merchant}`,
  main: "Enregistrer une carte",
  summary: {
    ...french.summary,
    heading: "Votre carte",
    payTo: "Enregistrer la carte chez",
    total: "Vérification de la carte",
    secret: "0,50–0,99\u00a0USD",
    feeNone:
      "Pour vérifier que la carte est bien la vôtre, nous débitons un petit montant compris " +
      "entre 0,50 et 0,99\u00a0USD. Il figure sur votre relevé et vous est remboursé.",
  },
  card: {
    ...french.card,
    heading: "Enregistrer votre carte",
    pay: () => "Enregistrer la carte",
    safe: "Le commerçant ne voit jamais le numéro de votre carte. Vous approuvez chaque paiement.",
    giveUp: (merchant) => `Retourner chez ${merchant} sans enregistrer`,
  },
  time: {
    ...french.time,
    left: (words) => `Il vous reste ${words} pour enregistrer votre carte.`,
    warnings: {
      60: "Il vous reste 1 minute. Ensuite, vous devrez recommencer.",
      20: "Il vous reste 20 secondes.",
    },
  },
  declined: {
    ...french.declined,
    reason: (code, said) => SAVING_REASONS.get(code) ?? french.declined.reason(code, said),
  },
  challenge: {
    ...french.challenge,
    text:
      "Suivez les étapes de votre banque ci-dessous. L’enregistrement se poursuit ensuite tout " +
      "seul.",
    checking: {
      ...french.challenge.checking,
      text:
        "Votre banque vérifie votre carte. Si elle vous demande de confirmer, suivez ses étapes " +
        "ci-dessous. L’enregistrement se poursuit ensuite tout seul.",
    },
    answeredText: "Un instant, nous enregistrons votre carte.",
    scripts: {
      ...french.challenge.scripts,
      onPage: "Activez JavaScript et rechargez cette page, ou revenez en arrière sans enregistrer.",
      back: "Retour à votre carte",
    },
  },
  working: {
    ...french.working,
    stay: "Ne fermez pas cette page et ne recommencez pas. La carte n’est enregistrée qu’une fois.",
  },
  ended: {
    ...french.ended,
    paid: {
      heading: "Carte enregistrée",
      text: (_amount, merchant) =>
        `Votre carte est enregistrée chez ${merchant}. ${merchant} peut vous demander le petit ` +
        "montant qui figure sur votre relevé. Il vous est remboursé.",
    },
    notPaid: {
      heading: "Carte non enregistrée",
      text: "Aucun montant n’a été débité. Vous pouvez recommencer.",
    },
    notKnown: {
      heading: "En attente de votre banque",
      text:
        "Votre banque n’a pas confirmé la carte. La carte n’est pas enregistrée. Si un petit " +
        "montant a été débité, il vous sera remboursé.",
    },
    expired: {
      heading: "Le temps est écoulé",
      text:
        "La carte n’est pas enregistrée et aucun montant n’a été débité. Vous pouvez " +
        "recommencer.",
    },
  },
  gone: {
    heading: "Cette page a expiré",
    text: "Veuillez contacter le commerçant pour savoir si votre carte a été enregistrée.",
  },
};

export const chargingACard: Texts = {
  ...french,
  card: { ...french.card, heading: "Payer avec votre carte enregistrée" },
  problems: {
    ...french.problems,
    again:
      "Pour votre sécurité, nous ne conservons pas le cryptogramme visuel. Veuillez le saisir à " +
      "nouveau.",
  },
  declined: {
    ...french.declined,
    noMoney:
      "Aucun montant n’a été débité. Vérifiez le cryptogramme visuel et réessayez, ou contactez " +
      "le commerçant.",
    /** It was deleted, or does not open any more. */
    reason: (code, said) =>
      code === "14" || code === "93"
        ? "La carte enregistrée ne peut plus être utilisée."
        : french.declined.reason(code, said),
  },
};
