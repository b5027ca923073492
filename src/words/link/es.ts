/** The Spanish words of a payment link's pages. */

import type { LinkWords } from "./en.ts";

export const spanish: LinkWords = {
  title: (shop) => `Pagar a ${shop}`,
  payTo: "Pagar a",
  sandbox: "Pruebas",
  sandboxNote: "Pago de prueba. No se cobra nada.",
  order: "Lo que va a pagar",
  items: (count) => (count === 1 ? "1 artículo" : `${count} artículos`),
  price: "Precio",
  amount: (currency) => `Importe en ${currency}`,
  bounds: (least, most) => `De ${least} a ${most}.`,
  fee: {
    customer_pay:
      "La comisión por pagar con tarjeta se suma en la página siguiente, antes de pagar.",
    split:
      "La mitad de la comisión por pagar con tarjeta se suma en la página siguiente, antes de " +
      "pagar.",
    merchant_absorb: "Sin comisión para usted: la paga el vendedor.",
  },
  go: "Continuar al pago",
  next: "En la página siguiente escribirá los datos de su tarjeta. Todavía no se cobra nada.",
  problems: {
    heading: "Revise lo que escribió.",
    amount: "Escriba un importe, por ejemplo 25.00.",
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
    paid: "Gracias. El pago está hecho.",
    paidText: (total, shop) => `${shop} recibió su pago de ${total}.`,
    details: "Ver su pago",
    payAgain: "Pagar otra vez",
    notPaid: "No se pagó",
    notPaidText: "No se cobró nada.",
    notKnown: "Todavía no sabemos si se pagó",
    notKnownText: "Su banco no ha respondido. No vuelva a pagar hasta saberlo.",
    tryAgain: "Intentar de nuevo",
    reference: "Referencia",
  },
  missing: {
    heading: "Aquí no hay nada",
    text: "Revise la dirección o pregunte a la tienda que se la dio.",
  },
  trouble: {
    heading: "No funcionó",
    text: "No se cobró nada. Intente de nuevo en un momento.",
    again: "Volver al enlace",
  },
  footer: "Pago seguro con Windward",
};
