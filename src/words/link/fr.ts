/** The French words of a payment link's pages. */

import type { LinkWords } from "./en.ts";

export const french: LinkWords = {
  title: (shop) => `Payer ${shop}`,
  payTo: "Paiement à",
  sandbox: "Test",
  sandboxNote: "Paiement de test. Aucun débit.",
  order: "Votre achat",
  items: (count) => (count <= 1 ? `${count} article` : `${count} articles`),
  price: "Prix",
  amount: (currency) => `Montant en ${currency}`,
  bounds: (least, most) => `De ${least} à ${most}.`,
  fee: {
    customer_pay:
      "Les frais de traitement sont ajoutés à la page suivante, avant que vous ne payiez.",
    split:
      "La moitié des frais de traitement est ajoutée à la page suivante, avant que vous ne " +
      "payiez.",
    merchant_absorb: "Aucuns frais pour vous. Le commerçant les prend en charge.",
  },
  go: "Continuer vers le paiement",
  next: "Vous saisirez les données de votre carte à la page suivante. Rien n’est encore débité.",
  problems: {
    heading: "Vérifiez votre saisie.",
    amount: "Saisissez un montant, par exemple 25,00.",
    reference: "Veuillez remplir ce champ.",
    referenceLong: (max) => `${max} caractères au maximum.`,
    cardNumber: "Cela ressemble à un numéro de carte. N’en saisissez pas ici.",
  },
  closed: {
    off: {
      heading: "Ce lien est fermé",
      text: (shop) => `${shop} l’a fermé. Rien n’a été débité.`,
    },
    expired: {
      heading: "Ce lien a expiré",
      text: (shop) => `Demandez-en un nouveau à ${shop}. Rien n’a été débité.`,
    },
    full: {
      heading: "Épuisé",
      text: (shop) =>
        `Désolé, il ne reste plus rien. Demandez à ${shop} s’il y en aura d’autres. ` +
        "Rien n’a été débité.",
    },
    paid: {
      heading: "Déjà payé",
      text: (shop) =>
        "Ce lien est prévu pour un seul paiement, déjà fait ou en cours. Si ce n’était pas " +
        `vous, adressez-vous à ${shop}. Rien n’a été débité cette fois.`,
    },
    unavailable: {
      heading: "Ce lien ne peut pas être payé pour le moment",
      text: (shop) =>
        `${shop} ne peut pas recevoir de paiements actuellement. Rien n’a été débité.`,
    },
  },
  contact: (shop) => `Contacter ${shop}`,
  email: "E-mail",
  phone: "Téléphone",
  website: "Site web",
  done: {
    paid: "Merci, c’est payé.",
    paidText: (total, shop) => `${shop} a bien reçu votre paiement de ${total}.`,
    payAgain: "Payer à nouveau",
    notPaid: "Le paiement n’a pas abouti",
    notPaidText: "Rien n’a été débité.",
    notKnown: "Nous ne savons pas encore si le paiement a abouti",
    notKnownText:
      "Votre banque n’a pas confirmé le paiement. Si votre carte a été débitée, le montant vous " +
      "sera remboursé.",
    tryAgain: "Réessayer",
    reference: "Référence",
  },
  missing: {
    heading: "Il n’y a rien ici",
    text: "Vérifiez l’adresse ou demandez-la au vendeur qui vous l’a donnée.",
  },
  trouble: {
    heading: "Une erreur s’est produite",
    text: "Veuillez recharger cette page dans un instant.",
    again: "Revenir au lien",
  },
  footer: "Paiement sécurisé par Windward",
};
