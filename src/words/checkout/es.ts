/** The Spanish words of the payment page: of the Caribbean and Latin America, with "usted". */

import { NETWORK_NAMES } from "../../kit/card-network.ts";
import { cardForm } from "../card-form/es.ts";
import { plural } from "../locale.ts";
import { reasonBy } from "./decline-reason.ts";
import type { Texts } from "./en.ts";

const language = "es";

export const spanish: Texts = {
  language,
  title: (merchant) => `Pagar a ${merchant}`,
  titleWithProblem: (title) => `Revise los datos: ${title}`,
  main: "Pago",
  fields: cardForm,
  optional: "opcional",
  chooseCountry: "Elija un país",
  chooseState: "Elija una opción",
  showStates: "Mostrar estados y provincias",

  summary: {
    heading: "Su pedido",
    payTo: "Pagar a",
    order: "Pedido",
    items: (count) => (count === 1 ? "1 artículo" : `${count} artículos`),
    price: "Precio",
    fee: "Cargo por procesamiento",
    total: "Total",
    secret: "",
    feePaidByCustomer: (fee) =>
      `Incluye ${fee} de cargo por procesamiento. Es igual para todas las tarjetas.`,
    feeShared: (fee) =>
      `Incluye ${fee}, su mitad del cargo por procesamiento. El comercio paga la otra mitad.`,
    feeNone: "Sin cargos para usted. Los paga el comercio.",
  },

  details: {},

  sandbox: {
    badge: "Pruebas",
    note: "Pago de prueba, sin cobro.",
    cards: "Tarjetas de prueba",
    approved: "Aprobada",
    declined: "Rechazada",
    asked: "3-D Secure",
  },

  card: {
    heading: "Pagar con tarjeta",
    detected: { visa: "Es una tarjeta Visa.", mastercard: "Es una tarjeta Mastercard." },
    networks: NETWORK_NAMES,
    endingIn: (network, lastFour) => `${network} terminada en ${lastFour}`,
    billing: "Dirección de facturación",
    contact: "Datos de facturación",
    billingHelp: "La dirección de su estado de cuenta. Su banco la verifica.",
    saved: "Su tarjeta guardada",
    expires: (expiry) => `Vence ${expiry}`,
    pay: (amount) => `Pagar ${amount}`,
    safe: "El comercio nunca ve los datos de su tarjeta.",
    giveUp: (merchant) => `Volver a ${merchant} sin pagar`,
  },

  time: {
    label: "Tiempo para pagar",
    left: (words) => `Tiene ${words} para pagar.`,
    warnings: {
      60: "Queda 1 minuto para pagar. Después tendrá que empezar de nuevo.",
      20: "Quedan 20 segundos para pagar.",
    },
    over: "Se acabó el tiempo. Un momento, por favor.",
    minutes: (count) =>
      plural(language, count, { one: `${count} minuto`, other: `${count} minutos` }),
    seconds: (count) =>
      plural(language, count, { one: `${count} segundo`, other: `${count} segundos` }),
  },

  problems: {
    heading: (count) =>
      plural(language, count, { one: `Revise ${count} dato`, other: `Revise ${count} datos` }),
    again: "Por su seguridad no guardamos los datos de su tarjeta. Escríbalos de nuevo.",
  },

  declined: {
    heading: "Su tarjeta fue rechazada",
    text: (card, message) => `${card}: ${message}`,
    noMoney: "No se hizo ningún cobro. Revise los datos o use otra tarjeta.",
    noMoneyTryAgain: "No se hizo ningún cobro. Inténtelo de nuevo en unos instantes.",
    triesLeft: (count) =>
      plural(language, count, {
        one: `Le queda ${count} intento.`,
        other: `Le quedan ${count} intentos.`,
      }),
    reason: reasonBy({
      declined: "El banco de la tarjeta no aprobó el pago.",
      noFunds: "La tarjeta no tiene fondos suficientes.",
      limit: "Se alcanzó el límite de la tarjeta.",
      expired: "La tarjeta está vencida.",
      securityCode: "El código de seguridad de la tarjeta no es correcto.",
      notValid: "El número de la tarjeta no es válido.",
      notUsable: "Esta tarjeta no se puede usar para este pago. Use otra tarjeta.",
      notConfirmed: "El banco de la tarjeta no confirmó el pago.",
      unreachable: "El banco de la tarjeta no responde.",
      wentBack: "Usted volvió al comercio sin pagar.",
      soldOut: "Agotado. No se cobró nada.",
      closed: "Este enlace de pago está cerrado. No se cobró nada.",
    }),
  },

  notTaken: {
    now: {
      heading: "No pudimos hacer el cobro a su tarjeta",
      text: () => "En este momento no se pueden hacer cobros. No se le cobró nada.",
      again: "Inténtelo de nuevo en unos instantes.",
    },
    settings: {
      heading: "Este comercio no puede aceptar tarjetas por ahora",
      text: () => "No se pudo iniciar el pago. No es por su tarjeta, y no se le cobró nada.",
      again: "Inténtelo más tarde o pregunte al comercio de qué otra forma puede pagar.",
    },
  },

  limited: {
    heading: "Demasiados intentos",
    text: "Espere un rato antes de intentarlo de nuevo. No se hizo ningún cobro.",
  },

  challenge: {
    heading: "Confirme con su banco",
    text: "Siga los pasos de su banco a continuación. Luego su pago continúa automáticamente.",
    checking: {
      heading: "Verificando con su banco",
      text:
        "Su banco está verificando su tarjeta. Si le pide confirmar, siga sus pasos a " +
        "continuación. Luego su pago continúa automáticamente.",
    },
    frame: "Página de su banco",
    full: "Abrir la página de su banco",
    fullText: "Su banco le pide confirmar en su propia página. Después volverá aquí.",
    fallback: "¿No ve nada arriba? Abra aquí la página de su banco.",
    answered: "Gracias",
    answeredText: "Un momento, estamos terminando su pago.",
    next: "Continuar",
    scripts: {
      heading: "Este paso requiere JavaScript",
      text: "Sin él no se puede mostrar la página de su banco. No se hizo ningún cobro.",
      onPage: "Active JavaScript y vuelva a cargar esta página, o regrese sin pagar.",
      reload: "Volver a cargar esta página",
      back: "Volver a la página de pago",
    },
  },

  working: {
    heading: "Un momento, por favor",
    text: "Estamos consultando a su banco. Tardará unos segundos.",
    stay: "No cierre esta página ni pague otra vez. Solo se le cobrará una vez.",
    long: "Está tardando más de lo normal. No tiene que hacer nada.",
    veryLong:
      "Su banco aún no responde. Seguimos preguntándole y el resultado aparecerá en esta página.",
    unreachable: "No hay conexión en este momento. Cuando vuelva, verá aquí el resultado.",
    look: "Consultar de nuevo",
  },

  sending: {
    slow: "Su conexión es lenta. Seguimos enviando sus datos.",
    again: "Intentar de nuevo",
    kept: "Todo lo que escribió sigue aquí.",
    offline: {
      heading: "No tiene conexión",
      text: "No se envió nada y no se hizo ningún cobro. Revise su conexión e inténtelo de nuevo.",
    },
    lost: {
      heading: "Se perdió la conexión",
      text:
        "Todavía no sabemos si recibimos sus datos. Inténtelo de nuevo: no se le cobrará dos " +
        "veces.",
    },
    trouble: {
      heading: "Inténtelo de nuevo en unos instantes",
      text: "Hubo un problema de nuestra parte. Inténtelo de nuevo: no se le cobrará dos veces.",
    },
  },

  ended: {
    paid: {
      heading: "Pago realizado",
      text: (amount, merchant) => `Usted pagó ${amount} a ${merchant}.`,
    },
    notPaid: {
      heading: "Pago no realizado",
      text: "No se hizo ningún cobro. Puede hacer su pedido de nuevo.",
    },
    notKnown: {
      heading: "Esperando la respuesta de su banco",
      text:
        "Su banco no ha confirmado si el pago se realizó. No pague otra vez. Si se le cobró, se " +
        "le devolverá el dinero.",
    },
    expired: {
      heading: "Se acabó el tiempo",
      text: "No se hizo ningún cobro. Puede hacer su pedido de nuevo.",
    },
    replaced: {
      heading: "Este pago fue reemplazado",
      text:
        "Hay un pago más reciente para este pedido, así que ya no puede pagar aquí. En esta " +
        "página no se hizo ningún cobro. Consulte su pedido en el comercio.",
    },
    toNewer: "Ir a la nueva página de pago",
    newerHelp: "Es posible que su pedido haya cambiado. Revise el total antes de pagar.",
    message: "Motivo",
    card: "Tarjeta",
    reference: "Referencia",
    referenceHelp: "Mencione esta referencia si se comunica con el comercio.",
    returnUrl: (merchant) => `Continuar a ${merchant}`,
    forward: (merchant) => `Ahora volverá a ${merchant}.`,
    stuck: (merchant) =>
      `Si ${merchant} no se abre, no se preocupe: el resultado quedó registrado.`,
  },

  notFound: {
    heading: "No se encontró la página de pago",
    text: "Regrese al comercio y empiece de nuevo. En esta página no se hizo ningún cobro.",
  },
  notStarted: {
    heading: "No se pudo iniciar este pago",
    text: (said) => `No se hizo ningún cobro. Regrese al comercio. Detalle técnico: ${said}`,
  },
  gone: {
    heading: "Este pago ya terminó",
    text: "Comuníquese con el comercio para conocer el resultado.",
  },
  refused: {
    heading: "Regrese a la página de pago",
    text: "No se hizo ningún cobro. Abra la página de pago e inténtelo allí de nuevo.",
    again: "Abrir la página de pago",
  },
  trouble: {
    heading: "Inténtelo de nuevo en unos instantes",
    text:
      "Hubo un problema de nuestra parte. Consulte de nuevo para ver el estado de su pago. No se " +
      "le cobrará dos veces.",
    again: "Consultar de nuevo",
  },
  footer: "Pago seguro con Windward",
};
