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
  console_form_stale: {
    title: "Form of another account or environment",
    statement: "The page was made for another account or environment than the session's.",
    hint: "Open the page again and use the form there.",
    example: "This page was made for another account or environment. Nothing was changed.",
  },
  console_form_used: {
    title: "Form used before",
    statement: "The same form was sent before with other values, and did what those said.",
    hint: "Look at what it did, then open the page again.",
    example: "This form was sent before, with other values. Look at what it did, then try again.",
  },
  payee_list_invalid: {
    status: 422,
    title: "List of payees with problems",
    statement: "The file of payees cannot be read, or lines of it cannot be paid.",
    hint: "Fix every line that the page names, then upload the file again.",
    example: "The list cannot be paid as it is.",
  },
  console_session_over: {
    status: 401,
    title: "Session over",
    statement: "The session in the console ended while the request was under way.",
    hint: "Sign in again.",
    example: "You have been signed out. Nothing was changed.",
  },
  console_form_refused: {
    status: 422,
    title: "Form not accepted",
    statement: "A field of the form breaks a rule.",
    hint: "Read beside the field what is wrong, and send the form again.",
    example: "Please check 1 field.",
  },
  second_factor_refused: {
    status: 422,
    title: "Second factor not accepted",
    statement: "The password, the code or the passkey is not right, or was used before.",
    hint: "Wait for the app's next code, or choose another way.",
    example: "That code is not right, or it was used before.",
  },
  last_factor_stays: {
    title: "Last second factor",
    statement: "Somebody of the operator tried to remove their only second factor.",
    hint: "Add another one first.",
    example: "This is your only second factor. Add another one first.",
  },
  operator_refused: {
    title: "Action refused",
    statement: "The state of what the operator acts on does not allow the action.",
    hint: "Look at the record again, then decide.",
    example: "Account 1234567890 is frozen already.",
  },
  second_factor_needed: {
    status: 403,
    title: "Second factor needed",
    statement: "An owner without a second factor tried to move live money from a page.",
    hint: "Add a passkey or an authenticator app to your profile, then try again.",
    example: "Add a second factor to your profile before you move live money.",
  },
  authenticator_stays: {
    title: "Authenticator app still needed",
    statement: "Sign-ins to the API ask for codes of the authenticator app.",
    hint: "Choose another sign-in for the API on the page Security first.",
    example: "Sign-ins to the API need codes of this app. Change that under Security first.",
  },
  api_codes_need_authenticator: {
    title: "No authenticator app",
    statement: "The account's holder has no authenticator app whose codes the API could ask for.",
    hint: "The holder adds an authenticator app to their profile first.",
    example: "The account's holder must set up an authenticator app first.",
  },
  recovery_codes_need_a_factor: {
    title: "No second factor",
    statement: "Recovery codes stand in for a second factor, and the person has none.",
    hint: "Add a passkey or an authenticator app first.",
    example: "Add a passkey or an authenticator app first.",
  },
  passkey_not_added: {
    status: 422,
    title: "Passkey not added",
    statement: "The passkey's answer could not be verified, came too late or was used before.",
    hint: "Try again on the page that adds a passkey.",
    example: "The passkey could not be added. Please try again.",
  },
  invitation_invalid: {
    status: 404,
    title: "Invitation not valid",
    statement: "The link of the invitation is unknown, used, withdrawn or too old.",
    hint: "Ask the person who invited you for a new invitation.",
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
