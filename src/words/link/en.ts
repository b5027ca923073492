/**
 * The English words of a payment link's pages. `LinkWords` makes the compiler report what another
 * language lacks.
 */

export const english = {
  title: (shop: string) => `Pay ${shop}`,
  payTo: "Pay to",
  sandbox: "Sandbox",
  sandboxNote: "Test payment. No money is taken.",
  order: "What you pay for",
  items: (count: number) => (count === 1 ? "1 item" : `${count} items`),
  price: "Price",
  amount: (currency: string) => `Amount in ${currency}`,
  bounds: (least: string, most: string) => `From ${least} to ${most}.`,
  fee: {
    customer_pay: "The card processing fee is added on the next page, before you pay.",
    split: "Half of the card processing fee is added on the next page, before you pay.",
    merchant_absorb: "No fee for you. The seller pays it.",
  },
  go: "Continue to payment",
  next: "You enter your card on the next page. Nothing is charged yet.",
  problems: {
    heading: "Please check what you typed.",
    amount: "Enter an amount, such as 25.00.",
    reference: "Please fill this in.",
    referenceLong: (max: number) => `Use at most ${max} characters.`,
    cardNumber: "This looks like a card number. Please do not type one here.",
  },
  closed: {
    off: {
      heading: "This link is closed",
      text: (shop: string) => `${shop} has closed it. Nothing was charged.`,
    },
    expired: {
      heading: "This link has expired",
      text: (shop: string) => `Please ask ${shop} for a new one. Nothing was charged.`,
    },
    full: {
      heading: "Sold out",
      text: (shop: string) =>
        `Sorry, there is none left. ${shop} can tell you whether there will be more. ` +
        "Nothing was charged.",
    },
    /** Of a link for one payment. */
    paid: {
      heading: "Already paid",
      text: (shop: string) =>
        "This link is for one payment, which has been made or is being made. If that was not " +
        `you, please ask ${shop}. Nothing was charged just now.`,
    },
    unavailable: {
      heading: "This link cannot be paid now",
      text: (shop: string) => `${shop} cannot take payments at the moment. Nothing was charged.`,
    },
  },
  contact: (shop: string) => `How to reach ${shop}`,
  email: "E-mail",
  phone: "Phone",
  website: "Website",
  done: {
    paid: "Thank you. Your payment is complete.",
    paidText: (total: string, shop: string) => `${shop} has your payment of ${total}.`,
    payAgain: "Pay again",
    notPaid: "The payment was not made",
    notPaidText: "Nothing was charged.",
    notKnown: "We do not know yet whether it was paid",
    notKnownText:
      "Your bank has not confirmed the payment. If you were charged, the money will be returned " +
      "to you.",
    tryAgain: "Try again",
    reference: "Reference",
  },
  missing: {
    heading: "There is nothing here",
    text: "Check the address, or ask the seller who gave it to you.",
  },
  trouble: {
    heading: "Something went wrong",
    text: "Please load this page again in a moment.",
    again: "Back to the link",
  },
  footer: "Secure payment by Windward",
};

export type LinkWords = typeof english;
