/** The Spanish words of the sandbox's bank. */

import { moneyIn } from "../locale.ts";
import type { BankWords } from "./en.ts";

export const spanish: BankWords = {
  language: "es",
  amount: "Monto",
  money: (amount) => moneyIn("es", amount),
  secret: "Vea su estado de cuenta",
  card: "Tarjeta",
  endingIn: (network, lastFour) => `${network} terminada en ${lastFour}`,
  leading: { title: "A su banco", next: "Continuar a su banco" },
  question: {
    heading: "Confirme su pago",
    confirm: "Confirmar el pago",
    decline: "Rechazar el pago",
    note: "Este es un banco simulado. No se cobra nada; usted elige la respuesta.",
  },
  silent: {
    heading: "Esperando la respuesta de su banco",
    text:
      "Este banco simulado nunca responde. Use esta tarjeta para probar cómo termina un pago sin " +
      "respuesta.",
  },
  answered: {
    heading: "Su banco respondió",
    passed: "Usted confirmó el pago.",
    refused: "Usted rechazó el pago.",
    finish: "Vuelva a la página de pago para terminar.",
    back: "Volver a la página de pago",
  },
  nothing: {
    heading: "No hay nada que confirmar",
    text: "No se encontró ningún pago en esta dirección.",
  },
};
