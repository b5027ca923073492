/** What a receipt says, in Spanish: of the Caribbean and Latin America, with "usted". */

import type { ReceiptWords } from "./en.ts";

export const spanish: ReceiptWords = {
  title: (business) => `Recibo de ${business}`,
  testMark: "Prueba",
  test: "Este es un pago de prueba. No se movió dinero real.",
  paid: (amount, business) => `Usted pagó ${amount} a ${business}.`,
  description: "Concepto",
  line: (quantity, name, each) => `${quantity} × ${name} (${each} c/u)`,
  price: "Precio",
  fee: "Cargo por procesamiento",
  total: "Total pagado",
  card: "Tarjeta",
  endingIn: (network, lastFour) => `${network} terminada en ${lastFour}`,
  date: "Fecha",
  order: "Pedido",
  reference: "Referencia",
  keep: "Para conservar este recibo, imprímalo o guárdelo como PDF.",
  contact: (business) => `¿Preguntas sobre este pago? Comuníquese con ${business}:`,
  email: "Correo electrónico",
  phone: "Teléfono",
  website: "Sitio web",
  see: "Ver o imprimir este recibo",
  refund: {
    title: (business) => `Reembolso de ${business}`,
    told: (amount, business) => `${business} reembolsó ${amount} a su tarjeta.`,
    patience: "Su banco puede tardar unos días en reflejarlo.",
    amount: "Monto reembolsado",
    date: "Fecha del reembolso",
    payment: "Monto del pago",
    paidAt: "Fecha del pago",
    heading: "Reembolsos",
    on: (date) => `Reembolsado el ${date}`,
    left: "Total después de reembolsos",
  },
  notFound: {
    heading: "Este recibo no existe",
    text:
      "Verifique que copió la dirección completa o pida al comercio que le envíe el recibo " +
      "de nuevo.",
  },
  trouble: {
    heading: "No se puede mostrar el recibo en este momento",
    text: "Inténtelo de nuevo en unos instantes.",
  },
};
