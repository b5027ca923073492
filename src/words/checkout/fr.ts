/**
 * The French words of the payment page, with "vous". Spaces are French: one that does not break
 * before a colon and inside « », a narrow one before a question mark.
 */

import { NETWORK_NAMES } from "../../kit/card-network.ts";
import { cardForm } from "../card-form/fr.ts";
import { plural } from "../locale.ts";
import { reasonBy } from "./decline-reason.ts";
import type { Texts } from "./en.ts";

const language = "fr";

export const french: Texts = {
  language,
  title: (merchant) => `Payer ${merchant}`,
  titleWithProblem: (title) => `À vérifier\u00a0: ${title}`,
  main: "Paiement",
  fields: cardForm,
  optional: "facultatif",
  chooseCountry: "Choisissez un pays",
  chooseState: "Choisissez",
  showStates: "Afficher les États et provinces",

  summary: {
    heading: "Votre commande",
    payTo: "Paiement à",
    order: "Commande",
    items: (count) => (count <= 1 ? `${count} article` : `${count} articles`),
    price: "Prix",
    fee: "Frais de traitement",
    total: "Total",
    secret: "",
    feePaidByCustomer: (fee) =>
      `Dont ${fee} de frais de traitement, identiques pour toutes les cartes.`,
    feeShared: (fee) =>
      `Dont ${fee}, votre moitié des frais de traitement. Le commerçant paie l’autre moitié.`,
    feeNone: "Aucuns frais pour vous. Le commerçant les prend en charge.",
  },

  details: {},

  sandbox: {
    badge: "Test",
    note: "Paiement de test. Aucun débit.",
    cards: "Cartes de test",
    approved: "Acceptée",
    declined: "Refusée",
    asked: "3-D Secure",
  },

  card: {
    heading: "Payer par carte",
    detected: { visa: "C’est une carte Visa.", mastercard: "C’est une carte Mastercard." },
    networks: NETWORK_NAMES,
    endingIn: (network, lastFour) => `${network} se terminant par ${lastFour}`,
    billing: "Adresse de facturation",
    contact: "Coordonnées de facturation",
    billingHelp: "L’adresse de vos relevés de carte. Votre banque la vérifie.",
    saved: "Votre carte enregistrée",
    expires: (expiry) => `Expire fin ${expiry}`,
    pay: (amount) => `Payer ${amount}`,
    safe: "Le commerçant ne voit jamais les données de votre carte.",
    giveUp: (merchant) => `Retourner chez ${merchant} sans payer`,
  },

  time: {
    /** The script writes a colon behind it. */
    label: "Temps restant\u00a0",
    left: (words) => `Il vous reste ${words} pour payer.`,
    warnings: {
      60: "Il vous reste 1 minute pour payer. Ensuite, vous devrez recommencer.",
      20: "Il vous reste 20 secondes pour payer.",
    },
    over: "Le temps est écoulé. Un instant, s’il vous plaît.",
    minutes: (count) =>
      plural(language, count, { one: `${count} minute`, other: `${count} minutes` }),
    seconds: (count) =>
      plural(language, count, { one: `${count} seconde`, other: `${count} secondes` }),
  },

  problems: {
    heading: (count) =>
      plural(language, count, {
        one: `Veuillez vérifier ${count} champ`,
        other: `Veuillez vérifier ${count} champs`,
      }),
    again:
      "Pour votre sécurité, nous ne conservons pas les données de votre carte. Veuillez les " +
      "saisir à nouveau.",
  },

  declined: {
    heading: "Votre carte a été refusée",
    text: (card, message) => `${card}\u00a0: ${message}`,
    noMoney: "Aucun montant n’a été débité. Vérifiez vos données ou essayez une autre carte.",
    noMoneyTryAgain: "Aucun montant n’a été débité. Veuillez réessayer dans un instant.",
    triesLeft: (count) =>
      plural(language, count, {
        one: `Il vous reste ${count} essai.`,
        other: `Il vous reste ${count} essais.`,
      }),
    reason: reasonBy({
      declined: "La banque de la carte a refusé le paiement.",
      noFunds: "La provision de la carte est insuffisante.",
      limit: "Le plafond de la carte est atteint.",
      expired: "La carte a expiré.",
      securityCode: "Le cryptogramme visuel de la carte est incorrect.",
      notValid: "Le numéro de la carte n’est pas valide.",
      notUsable: "Cette carte ne peut pas servir à ce paiement. Veuillez en utiliser une autre.",
      notConfirmed: "La banque de la carte n’a pas confirmé le paiement.",
      unreachable: "La banque de la carte est injoignable.",
      wentBack: "Vous avez quitté la page sans payer.",
      soldOut: "Épuisé. Rien n’a été débité.",
      closed: "Ce lien de paiement est fermé. Rien n’a été débité.",
    }),
  },

  notTaken: {
    now: {
      heading: "Nous n’avons pas pu débiter votre carte",
      text: () => "Le paiement par carte est momentanément indisponible. Rien n’a été débité.",
      again: "Veuillez réessayer dans un instant.",
    },
    settings: {
      heading: "Ce commerçant ne peut pas accepter de cartes pour le moment",
      text: () =>
        "Le paiement n’a pas pu commencer. Votre carte n’est pas en cause et rien n’a été débité.",
      again: "Réessayez plus tard ou demandez au commerçant un autre moyen de paiement.",
    },
  },

  limited: {
    heading: "Trop de tentatives",
    text: "Veuillez patienter avant de réessayer. Aucun montant n’a été débité.",
  },

  challenge: {
    heading: "Confirmez auprès de votre banque",
    text: "Suivez les étapes de votre banque ci-dessous. Le paiement se poursuivra tout seul.",
    checking: {
      heading: "Vérification par votre banque",
      text:
        "Votre banque vérifie votre carte. Si elle vous demande de confirmer, suivez ses étapes " +
        "ci-dessous. Le paiement se poursuivra tout seul.",
    },
    frame: "Page de votre banque",
    full: "Ouvrir la page de votre banque",
    fullText: "Votre banque vous demande de confirmer sur sa propre page, puis vous ramène ici.",
    fallback: "Rien ne s’affiche\u202f? Ouvrez ici la page de votre banque.",
    answered: "Merci",
    answeredText: "Un instant, nous finalisons votre paiement.",
    next: "Continuer",
    scripts: {
      heading: "Cette étape nécessite JavaScript",
      text:
        "Sans lui, la page de votre banque ne peut pas s’afficher. Votre carte n’a pas été " +
        "débitée.",
      onPage: "Activez JavaScript et rechargez cette page, ou revenez en arrière sans payer.",
      reload: "Recharger cette page",
      back: "Retour à la page de paiement",
    },
  },

  working: {
    heading: "Un instant, s’il vous plaît",
    text: "Nous interrogeons votre banque. Cela prend quelques secondes.",
    stay: "Ne fermez pas cette page et ne payez pas à nouveau. Vous ne payez qu’une fois.",
    long: "Cela prend plus de temps que d’habitude. Vous n’avez rien à faire.",
    veryLong:
      "Votre banque n’a toujours pas répondu. Nous continuons à l’interroger et le résultat " +
      "s’affichera ici.",
    unreachable: "Aucune connexion pour le moment. Dès son retour, le résultat s’affichera ici.",
    look: "Vérifier à nouveau",
  },

  sending: {
    slow: "Votre connexion est lente. L’envoi de vos données est en cours.",
    again: "Réessayer",
    kept: "Tout ce que vous avez saisi est encore là.",
    offline: {
      heading: "Vous êtes hors connexion",
      text: "Rien n’a été envoyé ni débité. Vérifiez votre connexion, puis réessayez.",
    },
    lost: {
      heading: "La connexion a été interrompue",
      text:
        "Nous ne savons pas encore si vos données nous sont parvenues. Réessayez\u00a0: votre " +
        "carte ne sera pas débitée deux fois.",
    },
    trouble: {
      heading: "Veuillez réessayer dans un instant",
      text:
        "Un problème est survenu de notre côté. Réessayez\u00a0: votre carte ne sera pas " +
        "débitée deux fois.",
    },
  },

  ended: {
    paid: {
      heading: "Paiement effectué",
      text: (amount, merchant) => `Vous avez payé ${amount} à ${merchant}.`,
    },
    notPaid: {
      heading: "Paiement non effectué",
      text: "Aucun montant n’a été débité. Vous pouvez commander à nouveau.",
    },
    notKnown: {
      heading: "En attente de votre banque",
      text:
        "Votre banque n’a pas confirmé si le paiement a abouti. Ne payez pas à nouveau. Si votre " +
        "carte a été débitée, le montant vous sera remboursé.",
    },
    expired: {
      heading: "Le temps est écoulé",
      text: "Aucun montant n’a été débité. Vous pouvez commander à nouveau.",
    },
    replaced: {
      heading: "Ce paiement a été remplacé",
      text:
        "Il existe un paiement plus récent pour cette commande, vous ne pouvez donc plus payer " +
        "ici. Aucun montant n’a été débité sur cette page. Consultez votre commande chez le " +
        "commerçant.",
    },
    toNewer: "Aller à la nouvelle page de paiement",
    newerHelp: "Votre commande a peut-être changé. Vérifiez le total avant de payer.",
    message: "Motif",
    card: "Carte",
    reference: "Référence",
    referenceHelp: "Indiquez cette référence si vous contactez le commerçant.",
    returnUrl: (merchant) => `Continuer vers ${merchant}`,
    forward: (merchant) => `Vous retournez chez ${merchant}.`,
    stuck: (merchant) =>
      `Si ${merchant} ne s’ouvre pas, ne vous inquiétez pas\u00a0: le résultat est enregistré.`,
  },

  notFound: {
    heading: "Page de paiement introuvable",
    text: "Retournez chez le commerçant et recommencez. Rien n’a été débité sur cette page.",
  },
  notStarted: {
    heading: "Ce paiement n’a pas pu commencer",
    text: (said) =>
      `Rien n’a été débité. Retournez chez le commerçant. Détail technique\u00a0: ${said}`,
  },
  gone: {
    heading: "Ce paiement est terminé",
    text: "Veuillez contacter le commerçant pour connaître le résultat.",
  },
  refused: {
    heading: "Veuillez revenir à la page de paiement",
    text: "Aucun montant n’a été débité. Ouvrez la page de paiement et réessayez.",
    again: "Ouvrir la page de paiement",
  },
  trouble: {
    heading: "Veuillez réessayer dans un instant",
    text:
      "Un problème est survenu de notre côté. Vérifiez à nouveau l’état de votre paiement. Votre " +
      "carte ne sera pas débitée deux fois.",
    again: "Vérifier à nouveau",
  },
  footer: "Paiement sécurisé par Windward",
};
