/** Errors about trusted cards. */

import type { ErrorEntry } from "./entry.ts";

export const CARD_ERRORS = {
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
    status: 409,
    title: "Card not verified",
    statement: "The card has not been verified, so it cannot be charged.",
    hint: "Verify it first with POST /trusted-cards/{uuid}/verify.",
    example: "The card is not verified.",
  },
  card_expired: {
    status: 409,
    title: "Card expired",
    statement: "The month in which the card expires is over.",
    hint: "Ask the customer to save a new card.",
    example: "The card has expired.",
  },
  card_already_verified: {
    status: 409,
    title: "Card already verified",
    statement: "The card was verified before.",
    hint: "Nothing is left to do: the card can be charged.",
    example: "The card is already verified.",
  },
  card_is_being_charged: {
    status: 409,
    title: "Card being charged",
    statement: "A charge of the card is undecided, so it cannot be deleted now.",
    hint: "Delete the card when the charge has ended.",
    example: "The card is being charged. Try again when that is decided.",
  },
} as const satisfies Record<string, ErrorEntry>;
