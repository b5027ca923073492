/** The Spanish words of the page where a card is saved, or a saved one is charged. */

import type { Texts } from "../checkout/en.ts";
import { spanish } from "../checkout/es.ts";

/** By codes that mean something of their own where a card is saved. */
const SAVING_REASONS: ReadonlyMap<string, string> = new Map([
  ["15", "La verificación de esta tarjeta falló demasiadas veces. Inténtelo de nuevo mañana."],
  ["93", "En este momento no se pueden guardar tarjetas."],
  ["17", "Usted volvió al comercio sin guardar la tarjeta."],
]);

export const savingACard: Texts = {
  ...spanish,
  title: (merchant) => `Guardar su tarjeta en ${merchant}`,
  main: "Guardar una tarjeta",
  summary: {
    ...spanish.summary,
    heading: "Su tarjeta",
    payTo: "Guardar tarjeta en",
    total: "Verificación de la tarjeta",
    secret: "USD\u00a00.50–0.99",
    feeNone:
      "Para comprobar que la tarjeta es suya, cobramos un pequeño monto de entre " +
      "USD\u00a00.50 y USD\u00a00.99. Aparecerá en su estado de cuenta y se le devolverá.",
  },
  card: {
    ...spanish.card,
    heading: "Guardar su tarjeta",
    pay: () => "Guardar tarjeta",
    safe: "El comercio nunca ve el número de su tarjeta. Usted aprueba cada pago posterior.",
    giveUp: (merchant) => `Volver a ${merchant} sin guardar`,
  },
  time: {
    ...spanish.time,
    label: "Tiempo restante",
    left: (words) => `Tiene ${words} para guardar su tarjeta.`,
    warnings: {
      60: "Queda 1 minuto. Después tendrá que empezar de nuevo.",
      20: "Quedan 20 segundos.",
    },
  },
  declined: {
    ...spanish.declined,
    reason: (code, said) => SAVING_REASONS.get(code) ?? spanish.declined.reason(code, said),
  },
  challenge: {
    ...spanish.challenge,
    text: "Siga los pasos de su banco a continuación. Luego su tarjeta se guarda automáticamente.",
    checking: {
      ...spanish.challenge.checking,
      text:
        "Su banco está verificando su tarjeta. Si le pide confirmar, siga sus pasos a " +
        "continuación. Luego su tarjeta se guarda automáticamente.",
    },
    answeredText: "Un momento, estamos guardando su tarjeta.",
    scripts: {
      ...spanish.challenge.scripts,
      onPage: "Active JavaScript y vuelva a cargar esta página, o regrese sin guardar.",
      back: "Volver a su tarjeta",
    },
  },
  working: {
    ...spanish.working,
    stay: "No cierre esta página ni empiece de nuevo. Su tarjeta se guarda una sola vez.",
  },
  ended: {
    ...spanish.ended,
    paid: {
      heading: "Tarjeta guardada",
      text: (_amount, merchant) =>
        `Su tarjeta quedó guardada en ${merchant}. ${merchant} puede preguntarle el pequeño ` +
        "monto que aparece en su estado de cuenta. Se le devolverá.",
    },
    notPaid: {
      heading: "Tarjeta no guardada",
      text: "No se hizo ningún cobro. Puede empezar de nuevo.",
    },
    notKnown: {
      heading: "Esperando la respuesta de su banco",
      text:
        "Su banco no ha confirmado la tarjeta. La tarjeta no quedó guardada. Si se le cobró un " +
        "pequeño monto, se le devolverá.",
    },
    expired: {
      heading: "Se acabó el tiempo",
      text: "La tarjeta no quedó guardada y no se hizo ningún cobro. Puede empezar de nuevo.",
    },
  },
  gone: {
    heading: "Esta página ya no está disponible",
    text: "Comuníquese con el comercio para saber si su tarjeta quedó guardada.",
  },
};

export const chargingACard: Texts = {
  ...spanish,
  card: { ...spanish.card, heading: "Pagar con su tarjeta guardada" },
  problems: {
    ...spanish.problems,
    again: "Por su seguridad no guardamos el código de seguridad. Escríbalo de nuevo.",
  },
  declined: {
    ...spanish.declined,
    noMoney:
      "No se hizo ningún cobro. Revise el código de seguridad e inténtelo de nuevo, o " +
      "comuníquese con el comercio.",
    /** It was deleted, or does not open any more. */
    reason: (code, said) =>
      code === "14" || code === "93"
        ? "La tarjeta guardada ya no se puede usar."
        : spanish.declined.reason(code, said),
  },
};
