/**
 * Errors about payments, refunds and the payment page, trusted cards and withdrawals.
 *
 * Anyone may send payment requests, so their entries reveal nothing about accounts, cards or orders
 * beyond the message.
 */

import { entries } from "./entry.ts";

const INVALID = { status: 400 } as const;
const CONFLICT = { status: 409 } as const;
const UNPROCESSABLE = { status: 422 } as const;

export const PAYMENT_ERRORS = entries(INVALID, {
  account_takes_no_payments: {
    title: "Account cannot take this payment",
    statement: "No payment in this environment can be made to this account number.",
    hint:
      "Check account_number and environment. If both are right, the account's holder finds the " +
      "reason in the account.",
    example: "The account number cannot take this payment.",
    field: "account_number",
  },
  signature_required: {
    title: "Signature required",
    statement: "The account takes signed payment requests only, and this one has no signature.",
    hint: "Sign the request with the account's signing secret: /docs/verify says how.",
    example: "The signature field is required.",
    field: "signature",
  },
  signature_mismatch: {
    title: "Signature does not match",
    statement: "The signature does not belong to the fields that were sent.",
    hint:
      "Check first that secret and environment belong together: the sandbox and live each have " +
      "their own signing secret. Then check the request with the verifier at /verify#request, " +
      "which says what differs.",
    example: "The signature does not match the request.",
    field: "signature",
  },
  order_id_taken: {
    title: "Order already being paid",
    statement: "A payment with this order_id is under way or has succeeded.",
    hint: "Use a new order_id for a new order; each order is paid once.",
    example: "The order id is already being paid or has been paid.",
    field: "order_id",
  },
  email_is_the_merchants: {
    title: "Merchant's own e-mail",
    statement: "The e-mail of the customer is that of the merchant's account.",
    hint: "Send the customer's e-mail address.",
    example: "The email must not be the merchant's own.",
    field: "email",
  },
  payment_link_closed: {
    status: 410,
    title: "Payment link closed",
    statement: "The payment link is off, expired or full, or its account takes no payments.",
    hint: "Ask the business that gave out the link.",
    example: "Gone",
    origin: "page",
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
  no_receipt: {
    status: 409,
    title: "No receipt",
    statement: "Only a transaction that was paid has a receipt.",
    hint: "Send receipts of transactions with status success.",
    example: "The transaction has no receipt: its status is failed, not success.",
  },
  no_mail_sent: {
    status: 409,
    title: "No mail is sent",
    statement: "This service is not set up to send mail.",
    hint: "Ask the service's operator to set up mail.",
    example: "This service sends no mail.",
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
});

export const CARD_ERRORS = entries(CONFLICT, {
  amount_incorrect: {
    status: 400,
    title: "Wrong amount",
    statement: "The amount is not the one that was charged to prove the card; it was counted.",
    hint:
      "Ask the customer for the amount in US dollars on the card's statement. The third wrong " +
      "amount deletes the card.",
    example: "The amount is incorrect.",
    field: "amount",
  },
  card_not_verified: {
    title: "Card not verified",
    statement: "The card has not been verified, so it cannot be charged.",
    hint: "Verify it first with POST /trusted-cards/{uuid}/verify.",
    example: "The card is not verified.",
  },
  card_expired: {
    title: "Card expired",
    statement: "The month in which the card expires is over.",
    hint: "Ask the customer to save a new card.",
    example: "The card has expired.",
  },
  card_already_verified: {
    title: "Card already verified",
    statement: "The card was verified before.",
    hint: "Nothing is left to do: the card can be charged.",
    example: "The card is already verified.",
  },
  card_is_being_charged: {
    title: "Card being charged",
    statement: "A charge of the card is undecided, so it cannot be deleted now.",
    hint: "Delete the card when the charge has ended.",
    example: "The card is being charged. Try again when that is decided.",
  },
  customer_data_in_use: {
    origin: "page",
    title: "Customer's data in use",
    statement: "A payment, refund or chargeback of the customer is not finished.",
    hint: "Erase the customer's data when the payment it names is finished.",
    example:
      "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD is not finished: a refund is under way. Nothing was erased.",
  },
});

export const WITHDRAWAL_ERRORS = entries(UNPROCESSABLE, {
  insufficient_funds: {
    title: "Insufficient funds",
    statement: "The available balance is smaller than the amount and its fee.",
    hint: "Check the available balance of that currency and environment with GET /user/.",
    example: "Insufficient funds.",
  },
  no_bank_details: {
    title: "No bank details for this currency",
    statement: "The payee has no bank details to which this currency can be paid.",
    hint: "Add bank details with POST /user/banks/{type}, or withdraw another currency.",
    example: "There are no bank details for USD.",
  },
  withdrawal_cannot_move: {
    status: 409,
    title: "Status does not allow it",
    statement: "The status of the withdrawal does not allow this change.",
    hint: "Read the withdrawal; GET /withdrawals/meta lists which status can follow which.",
    example: "The withdrawal cannot be cancelled: its status is completed.",
  },
});
