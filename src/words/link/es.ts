/** The Spanish words of a payment link's pages. */

import type { LinkWords } from "./en.ts";

export const spanish: LinkWords = {
  title: (shop) => `Pagar a ${shop}`,
  payTo: "Pagar a",
  sandbox: "Pruebas",
  sandboxNote: "Pago de prueba, sin cobro.",
  order: "Lo que va a pagar",
  items: (count) => (count === 1 ? "1 artículo" : `${count} artículos`),
  price: "Precio",
  amount: (currency) => `Monto en ${currency}`,
  bounds: (least, most) => `De ${least} a ${most}.`,
  fee: {
    customer_pay: "El cargo por procesamiento se suma en la página siguiente, antes de pagar.",
    split: "La mitad del cargo por procesamiento se suma en la página siguiente, antes de pagar.",
    merchant_absorb: "Sin cargos para usted. Los paga el comercio.",
  },
  go: "Continuar al pago",
  next: "En la página siguiente escribirá los datos de su tarjeta. Todavía no se cobra nada.",
  problems: {
    heading: "Revise lo que escribió.",
    amount: "Escriba un monto, por ejemplo 25.00.",
    reference: "Complete este campo.",
    referenceLong: (max) => `Use como máximo ${max} caracteres.`,
    cardNumber: "Esto parece un número de tarjeta. No lo escriba aquí.",
  },
  closed: {
    off: {
      heading: "Este enlace está cerrado",
      text: (shop) => `${shop} lo cerró. No se cobró nada.`,
    },
    expired: {
      heading: "Este enlace venció",
      text: (shop) => `Pida uno nuevo a ${shop}. No se cobró nada.`,
    },
    full: {
      heading: "Agotado",
      text: (shop) =>
        `Lo sentimos, ya no queda nada. Pregunte a ${shop} si habrá más. No se cobró nada.`,
    },
    paid: {
      heading: "Ya está pagado",
      text: (shop) =>
        "Este enlace es para un solo pago, que ya se hizo o se está haciendo. Si no fue usted, " +
        `pregunte a ${shop}. Ahora no se cobró nada.`,
    },
    unavailable: {
      heading: "Este enlace no se puede pagar ahora",
      text: (shop) => `${shop} no puede recibir pagos en este momento. No se cobró nada.`,
    },
  },
  contact: (shop) => `Cómo comunicarse con ${shop}`,
  email: "Correo electrónico",
  phone: "Teléfono",
  website: "Sitio web",
  done: {
    paid: "Gracias. Pago realizado.",
    paidText: (total, shop) => `${shop} recibió su pago de ${total}.`,
    payAgain: "Pagar otra vez",
    notPaid: "Pago no realizado",
    notPaidText: "No se cobró nada.",
    notKnown: "Todavía no sabemos si el pago se realizó",
    notKnownText: "Su banco no ha confirmado el pago. Si se le cobró, se le devolverá el dinero.",
    tryAgain: "Intentar de nuevo",
    reference: "Referencia",
  },
  missing: {
    heading: "Aquí no hay nada",
    text: "Revise la dirección o pregunte al vendedor que se la dio.",
  },
  trouble: {
    heading: "Algo salió mal",
    text: "Vuelva a cargar esta página en unos instantes.",
    again: "Volver al enlace",
  },
  footer: "Pago seguro con Windward",
};
