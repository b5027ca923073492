/**
 * What a receipt says, in French, with "vous". Spaces are French: one that does not break stands
 * before a colon and a question mark.
 */

import type { ReceiptWords } from "./en.ts";

export const french: ReceiptWords = {
  title: (business) => `Reçu de ${business}`,
  testMark: "Test",
  test: "Ceci est un paiement de test. Aucune somme n’a été débitée.",
  paid: (amount, business) => `Vous avez payé ${amount} à ${business}.`,
  description: "Objet",
  line: (quantity, name, each) => `${quantity} × ${name} (${each} l’unité)`,
  price: "Prix",
  fee: "Frais de traitement",
  total: "Total payé",
  card: "Carte",
  endingIn: (network, lastFour) => `${network} se terminant par ${lastFour}`,
  date: "Date",
  order: "Commande",
  reference: "Référence",
  keep: "Pour conserver ce reçu, imprimez-le ou enregistrez-le en PDF.",
  contact: (business) => `Une question sur ce paiement\u202f? Contactez ${business}\u00a0:`,
  email: "E-mail",
  phone: "Téléphone",
  website: "Site web",
  see: "Voir ou imprimer ce reçu",
  refund: {
    title: (business) => `Remboursement de ${business}`,
    told: (amount, business) => `${business} a remboursé ${amount} sur votre carte.`,
    patience: "Votre banque peut mettre quelques jours à l’afficher.",
    amount: "Montant remboursé",
    date: "Remboursé le",
    payment: "Montant du paiement",
    paidAt: "Payé le",
    heading: "Remboursements",
    on: (date) => `Remboursé le ${date}`,
    left: "Total après remboursement",
  },
  notFound: {
    heading: "Ce reçu n’existe pas",
    text:
      "Vérifiez que l’adresse a été copiée en entier, ou demandez au commerçant de vous " +
      "renvoyer le reçu.",
  },
  trouble: {
    heading: "Le reçu ne peut pas s’afficher pour le moment",
    text: "Veuillez réessayer dans un instant.",
  },
};
