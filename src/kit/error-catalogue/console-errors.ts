/** Errors that only pages of the console show, so no route of the reference lists them. */

import { entries } from "./entry.ts";

const PAGE = { status: 409, origin: "page" } as const;

export const CONSOLE_ERRORS = entries(PAGE, {
  console_form_not_ours: {
    status: 403,
    title: "Form not sent by the console",
    statement: "The form was not sent by a page of the console that this browser showed.",
    hint: "Open the page again and use the form there.",
    example: "The form is too old or did not come from this site.",
  },
  invitation_invalid: {
    status: 404,
    title: "Invitation not valid",
    statement: "The link of the invitation is unknown, used, withdrawn or too old.",
    hint: "Ask whoever invited you for a new invitation.",
    example: "This invitation is no longer valid.",
  },
  already_a_member: {
    title: "Already a member",
    statement: "A person with this e-mail address acts for the account already.",
    hint: "Change that member's role instead.",
    example: "This person is already a member.",
    field: "email",
  },
  refund_beyond_role: {
    status: 403,
    title: "More than the role may refund",
    statement: "A member tried to refund more of one payment than their limit.",
    hint: "Ask an owner to make the refund or to raise the limit.",
    example: "Your role refunds at most TTD 50.00 of one payment.",
    field: "amount",
  },
  holder_stays_owner: {
    title: "The holder stays an owner",
    statement: "Somebody tried to remove or demote the holder of the account.",
    hint: "Choose another member: the account's holder is always an owner.",
    example: "The account's holder stays an owner.",
  },
});
