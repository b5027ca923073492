/**
 * The English words of the card form's fields: what they are called, and what is said where one is
 * missing or malformed, by the script of the page and by the service alike (Decision 0095).
 *
 * `help` stands under a field; `missing` and `wrong` are also shown by the script.
 */

export const cardForm = {
  number: {
    label: "Card number",
    help: "The long number on your card",
    missing: "Enter your card number.",
    wrong: "Check your card number. It should have 13 to 19 digits.",
    notTaken: "This card is not taken here. Use a Visa or a Mastercard.",
    amex: "American Express cards are not taken here. Use a Visa or a Mastercard.",
    notDigits: "Enter your card number using digits only.",
    notValid: "Check your card number. It is not valid.",
    testCard: "This is a test card. Please use your own card.",
    /** Where the merchant takes one network only for this order. */
    otherNetwork: ({ given, wanted }: { given: string; wanted: string }) =>
      `This is a ${given}. For this order, use a ${wanted}.`,
  },
  expiry: {
    label: "Expiry date",
    help: "e.g. 09/29",
    missing: "Enter the expiry date.",
    wrong: "Enter the expiry date as shown on the card, e.g. 09/29.",
    over: "This card has expired. Please use another card.",
    tooFar: "Check the year. It is too far in the future.",
  },
  cvv: {
    label: "Security code",
    help: "3 digits on the back",
    missing: "Enter the security code.",
    wrong: "The security code has 3 digits. It is on the back of the card.",
  },
  holder: {
    label: "Name on card",
    missing: "Enter the name on your card.",
  },
  email: {
    label: "E-mail",
    help: "For your receipt, and so the seller can contact you",
    missing: "Enter your e-mail address.",
    wrong: "Check your e-mail address, e.g. name@example.com.",
    sellers: "This is the seller's e-mail address. Please enter yours.",
  },
  country: {
    label: "Billing country",
    missing: "Choose your billing country.",
    wrong: "Choose a country from the list.",
  },
  addr1: { label: "Address", missing: "Enter your billing address." },
  addr2: { label: "Apartment, suite or district", missing: "" },
  city: { label: "City or town", missing: "Enter your city or town." },
  state: {
    label: "State, province or parish",
    missing: "Choose your state, province or parish.",
    wrong: "Choose a state, province or parish from the list.",
  },
  zipcode: {
    label: "Postal code",
    missing: "Enter your postal code.",
    wrong: "Check your postal code. Use up to 10 letters and digits.",
  },
  dial: { label: "Phone country", missing: "Choose your phone's country code." },
  phone: {
    label: "Phone",
    missing: "Enter your phone number.",
    wrong: "This is not a valid phone number for that country.",
  },

  /** Of any field that holds words. */
  line: {
    tooLong: (charactersMax: number) => `Use at most ${charactersMax} characters.`,
    signs: "Use letters and ordinary signs only.",
    cardNumber: "Do not write a card number here.",
  },
};

export type CardFormWords = typeof cardForm;
