/**
 * Errors about payments, refunds and the payment page.
 *
 * Strangers may send payment requests, so these tell nothing about accounts, cards or orders that
 * the message does not tell.
 */

import type { ErrorEntry } from "./entry.ts";

export const PAYMENT_ERRORS = {
  account_takes_no_payments: {
    status: 400,
    title: "Account cannot take this payment",
    statement: "No payment in this environment can be made to this account number.",
    hint:
      "Check account_number and environment. If both are right, the account's holder finds the " +
      "reason in the account.",
    example: "The account number cannot take this payment.",
    field: "account_number",
  },
  signature_required: {
    status: 400,
    title: "Signature required",
    statement: "The account takes signed payment requests only, and this one has no signature.",
    hint: "Sign the request with the account's signing secret: /docs/verify says how.",
    example: "The signature field is required.",
    field: "signature",
  },
  signature_mismatch: {
    status: 400,
    title: "Signature does not match",
    statement: "The signature is not that of the fields which were sent.",
    hint: "Check the request with the verifier at /verify, which says what differs.",
    example: "The signature does not match the request.",
    field: "signature",
  },
  order_id_taken: {
    status: 400,
    title: "Order already being paid",
    statement: "A payment with this order_id is under way or has succeeded.",
    hint: "Use a new order_id for a new order; each order is paid once.",
    example: "The order id is already being paid or has been paid.",
    field: "order_id",
  },
  email_is_the_merchants: {
    status: 400,
    title: "Merchant's own e-mail",
    statement: "The e-mail of the customer is that of the merchant's account.",
    hint: "Send the customer's e-mail address.",
    example: "The email must not be the merchant's own.",
    field: "email",
  },
  not_refundable: {
    status: 409,
    title: "Not refundable",
    statement: "The status or the condition of the transaction allows no refund.",
    hint: "Refund transactions with status success that are not disputed.",
    example: "The transaction cannot be refunded: its status is failed.",
  },
  no_live_gateway: {
    status: 409,
    title: "No live gateway",
    statement: "The service has no connection to a live card gateway.",
    hint: "Use the sandbox, or ask the service's operator to configure a live gateway.",
    example: "Live transactions cannot be refunded: no live gateway is configured.",
  },
  more_than_is_left: {
    status: 422,
    title: "More than is left to refund",
    statement: "The amount is larger than what has not been refunded or disputed yet.",
    hint: "Refund at most what is left, or leave amount out to refund all of that.",
    example: "The amount is more than is left to refund: 25.00 USD.",
    field: "amount",
  },
  form_not_from_page: {
    status: 403,
    title: "Form not sent by the page",
    statement: "The form was not sent by the payment page that was shown in this browser.",
    hint: "Open the payment page again and use the form there.",
    example: "Forbidden",
    origin: "page",
  },
  checkout_over: {
    status: 410,
    title: "Checkout over",
    statement: "The checkout at this address has ended.",
    hint: "Go back to the shop, and start again there if the order is not paid.",
    example: "Gone",
    origin: "page",
  },
  payment_form_refused: {
    status: 422,
    title: "Form shown again",
    statement: "A field of the payment form is invalid or the card was declined.",
    hint: "Read on the page what is wrong, and submit the form again.",
    example: "Unprocessable Content",
    origin: "page",
  },
  too_many_cards_tried: {
    status: 429,
    title: "Too many cards tried",
    statement: "Too many cards were tried in a short time.",
    hint: "Submit the form again after the time that the page names.",
    example: "Too Many Requests",
    origin: "page",
  },
} as const satisfies Record<string, ErrorEntry>;
