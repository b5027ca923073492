/** What a receipt says, in English. The other languages have the same shape. */

export interface ReceiptWords {
  readonly title: (business: string) => string;
  /** In front of the subject of a test. */
  readonly testMark: string;
  readonly test: string;
  readonly paid: (amount: string, business: string) => string;
  readonly description: string;
  /** Of a line with more than one piece. */
  readonly line: (quantity: string, name: string, each: string) => string;
  readonly price: string;
  readonly fee: string;
  readonly total: string;
  readonly card: string;
  readonly endingIn: (network: string, lastFour: string) => string;
  readonly date: string;
  readonly order: string;
  readonly reference: string;
  readonly contact: (business: string) => string;
  /** Below it, on a screen only. */
  readonly keep: string;
  readonly email: string;
  readonly phone: string;
  readonly website: string;
  /** The link in a mail to the page. */
  readonly see: string;
  readonly refund: {
    readonly title: (business: string) => string;
    readonly told: (amount: string, business: string) => string;
    readonly patience: string;
    readonly amount: string;
    readonly date: string;
    readonly payment: string;
    readonly paidAt: string;
    /** On the page of the payment, the rows of its refunds and what is left. */
    readonly heading: string;
    readonly on: (date: string) => string;
    readonly left: string;
  };
  readonly notFound: { readonly heading: string; readonly text: string };
  readonly trouble: { readonly heading: string; readonly text: string };
}

export const english: ReceiptWords = {
  title: (business) => `Receipt from ${business}`,
  testMark: "Test",
  test: "This is a test payment. No money was moved.",
  paid: (amount, business) => `You paid ${amount} to ${business}.`,
  description: "For",
  line: (quantity, name, each) => `${quantity} × ${name} (${each} each)`,
  price: "Price",
  fee: "Processing fee",
  total: "Total paid",
  card: "Card",
  endingIn: (network, lastFour) => `${network} ending in ${lastFour}`,
  date: "Date",
  order: "Order",
  reference: "Reference",
  keep: "To keep this receipt, print it or save it as a PDF.",
  contact: (business) => `Questions about this payment? Contact ${business}:`,
  email: "E-mail",
  phone: "Phone",
  website: "Website",
  see: "View or print this receipt",
  refund: {
    title: (business) => `Refund from ${business}`,
    told: (amount, business) => `${business} has refunded ${amount} to your card.`,
    patience: "Your bank may need a few days to show it.",
    amount: "Refunded",
    date: "Refunded on",
    payment: "Amount of the payment",
    paidAt: "Paid on",
    heading: "Refunds",
    on: (date) => `Refunded on ${date}`,
    left: "Paid after refunds",
  },
  notFound: {
    heading: "There is no such receipt",
    text: "Check that the whole address was copied, or ask the seller to send the receipt again.",
  },
  trouble: {
    heading: "The receipt cannot be shown now",
    text: "Please try again in a moment.",
  },
};
