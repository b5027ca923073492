/** The Spanish words of the card form: of the Caribbean and Latin America, with "usted". */

import type { CardFormWords } from "./en.ts";

export const cardForm: CardFormWords = {
  number: {
    label: "Número de tarjeta",
    help: "El número largo que aparece en su tarjeta",
    missing: "Escriba el número de su tarjeta.",
    wrong: "Revise el número de su tarjeta. Debe tener de 13 a 19 dígitos.",
    notTaken: "Aquí no se acepta esta tarjeta. Use una Visa o una Mastercard.",
    amex: "Aquí no se aceptan tarjetas American Express. Use una Visa o una Mastercard.",
    notDigits: "Escriba el número de su tarjeta solo con dígitos.",
    notValid: "Revise el número de su tarjeta. No es válido.",
    testCard: "Esta es una tarjeta de prueba. Use su propia tarjeta.",
    otherNetwork: ({ given, wanted }) =>
      `Esta tarjeta es ${given}. Para este pedido, use una ${wanted}.`,
  },
  expiry: {
    label: "Fecha de vencimiento",
    help: "p. ej., 09/29",
    missing: "Escriba la fecha de vencimiento.",
    wrong: "Escriba la fecha de vencimiento como aparece en la tarjeta, p. ej., 09/29.",
    over: "Esta tarjeta está vencida. Use otra tarjeta.",
    tooFar: "Revise el año. Es demasiado lejano.",
  },
  cvv: {
    label: "Código de seguridad",
    help: "3 dígitos al dorso",
    missing: "Escriba el código de seguridad.",
    wrong: "El código de seguridad tiene 3 dígitos. Está al dorso de la tarjeta.",
  },
  holder: {
    label: "Nombre en la tarjeta",
    missing: "Escriba el nombre que aparece en su tarjeta.",
  },
  email: {
    label: "Correo electrónico",
    help: "Para su recibo y para que el comercio pueda escribirle",
    missing: "Escriba su correo electrónico.",
    wrong: "Revise su correo electrónico, p. ej., nombre@example.com.",
    sellers: "Este es el correo del comercio. Escriba el suyo.",
  },
  country: {
    label: "País de facturación",
    missing: "Elija su país de facturación.",
    wrong: "Elija un país de la lista.",
  },
  addr1: { label: "Dirección", missing: "Escriba su dirección de facturación." },
  addr2: { label: "Apartamento, edificio o sector", missing: "" },
  city: { label: "Ciudad o pueblo", missing: "Escriba su ciudad o pueblo." },
  state: {
    label: "Estado, provincia o parroquia",
    missing: "Elija su estado, provincia o parroquia.",
    wrong: "Elija un estado, una provincia o una parroquia de la lista.",
  },
  zipcode: {
    label: "Código postal",
    missing: "Escriba su código postal.",
    wrong: "Revise su código postal. Use hasta 10 letras y dígitos.",
  },
  dial: { label: "País del teléfono", missing: "Elija el código de país de su teléfono." },
  phone: {
    label: "Teléfono",
    missing: "Escriba su número de teléfono.",
    wrong: "Este número de teléfono no es válido para ese país.",
  },
  line: {
    tooLong: (charactersMax) => `Use ${charactersMax} caracteres como máximo.`,
    signs: "Use solo letras y signos comunes.",
    cardNumber: "No escriba aquí un número de tarjeta.",
  },
};
