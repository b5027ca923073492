/** What a receipt says, in Spanish. */

import type { ReceiptWords } from "./en.ts";

export const spanish: ReceiptWords = {
  title: (business) => `Recibo de ${business}`,
  testMark: "Prueba",
  test: "Este es un pago de prueba. No se ha cobrado ningún importe.",
  paid: (amount, business) => `Has pagado ${amount} a ${business}.`,
  description: "Concepto",
  line: (quantity, name, each) => `${quantity} × ${name} (${each} cada uno)`,
  price: "Precio",
  fee: "Comisión de procesamiento",
  total: "Total pagado",
  card: "Tarjeta",
  endingIn: (network, lastFour) => `${network} terminada en ${lastFour}`,
  date: "Fecha",
  order: "Pedido",
  reference: "Referencia",
  contact: (business) => `¿Tienes preguntas sobre este pago? Contacta con ${business}:`,
  email: "Correo electrónico",
  phone: "Teléfono",
  website: "Sitio web",
  see: "Ver o imprimir este recibo",
  refund: {
    title: (business) => `Reembolso de ${business}`,
    told: (amount, business) => `${business} ha reembolsado ${amount} a tu tarjeta.`,
    patience: "Tu banco puede tardar unos días en mostrarlo.",
    amount: "Importe reembolsado",
    date: "Fecha del reembolso",
    payment: "Importe del pago",
    paidAt: "Fecha del pago",
    heading: "Reembolsos",
    on: (date) => `Reembolsado el ${date}`,
    left: "Pagado tras los reembolsos",
  },
  notFound: {
    heading: "Este recibo no existe",
    text:
      "Comprueba que has copiado la dirección completa o pide al vendedor que te envíe el recibo " +
      "de nuevo.",
  },
};
