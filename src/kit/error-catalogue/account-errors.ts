/** Errors about accounts (bank details, password, picture) and webhook endpoints. */

import { entries } from "./entry.ts";

const CONFLICT = { status: 409 } as const;

export const ACCOUNT_ERRORS = entries(CONFLICT, {
  email_taken: {
    title: "E-mail already in use",
    statement: "Another account has this e-mail address.",
    hint: "Choose another e-mail address for this account.",
    example: "The email has already been taken.",
    field: "email",
  },
  account_frozen: {
    title: "Account frozen",
    statement: "The account is frozen, so nothing of it can be changed.",
    hint: "Ask the service's operator to unfreeze the account.",
    example: "The account is frozen and cannot be changed.",
  },
  own_account_stays: {
    status: 403,
    title: "Own account",
    statement: "A main merchant tried to delete the account that it signed in with.",
    hint: "Delete other accounts only; the operator closes that of a main merchant.",
    example: "A main merchant cannot delete its own account.",
  },
  own_email_stays: {
    status: 403,
    title: "Your own e-mail",
    statement:
      "An API key, or a token without svc-user-update, tried to change the e-mail that its own " +
      "account signs in with.",
    hint: "Use a token with svc-user-update, or leave the e-mail as it is.",
    example: "To change the email of your own account, use a token with the scope svc-user-update.",
  },
  owners_email_stays: {
    title: "E-mail of an owner",
    statement:
      "A main merchant tried to change the e-mail of an account whose first password no longer " +
      "stands, or whose owner acts for another account as well.",
    hint: "Leave the e-mail as it is; names and phone can be changed.",
    example: "The email is the owner's own by now and cannot be changed.",
    field: "email",
  },
  account_must_stay_open: {
    title: "Account cannot be closed yet",
    statement: "Money, a payment or a withdrawal of the account is not settled.",
    hint: "Withdraw the balance and wait until payments and withdrawals have ended.",
    example: "The account has a balance.",
  },
  old_password_incorrect: {
    status: 400,
    title: "Old password incorrect",
    statement: "The old password is not the account's password.",
    hint: "Send the password that the account has now as old_password.",
    example: "The old password is incorrect.",
    field: "old_password",
  },
  no_bank_exists: {
    status: 400,
    title: "No bank details",
    statement: "The account has no bank details of this type.",
    hint: "Add them first with POST /user/banks/{type}.",
    example: "No local bank account exists.",
  },
  bank_exists: {
    title: "Bank details exist",
    statement: "The account already has bank details of this type.",
    hint: "Change them with PATCH /user/banks/{type}, or delete them first.",
    example: "A local bank account already exists.",
  },
  no_picture: {
    status: 400,
    title: "No picture",
    statement: "The account has no profile picture.",
    hint: "Upload one first with POST /user/picture.",
    example: "No profile picture exists.",
  },
  no_logo: {
    status: 400,
    title: "No logo",
    statement: "The business has no logo.",
    hint: "Upload one first with POST /user/logo.",
    example: "No logo exists.",
  },
  picture_exists: {
    title: "Picture exists",
    statement: "The account already has a profile picture.",
    hint: "Replace it with PATCH /user/picture, or delete it first.",
    example: "A profile picture already exists.",
  },
  reset_link_invalid: {
    status: 404,
    title: "Reset link not valid",
    statement: "The password reset link is unknown, used, replaced by a newer one or expired.",
    hint: "Ask for a new link: members at /forgot, operators from another operator.",
    example: "This link is no longer valid.",
    origin: "page",
  },
  reset_form_refused: {
    status: 422,
    title: "New password not accepted",
    statement: "The new password breaks a rule, or the two passwords are not the same.",
    hint: "Read beside the field what is wrong, and submit the form again.",
    example: "The passwords do not match.",
    origin: "page",
  },
});

export const WEBHOOK_ERRORS = entries(CONFLICT, {
  too_many_endpoints: {
    title: "Too many webhook endpoints",
    statement: "The account has as many webhook endpoints as an account may have.",
    hint: "Delete an endpoint that is not used any more, or change one of them.",
    example: "An account can have at most 10 webhook endpoints. Delete one first.",
  },
  address_taken: {
    title: "Endpoint exists",
    statement: "The account already has a webhook endpoint with this url.",
    hint: "Change the existing endpoint; GET /webhooks lists it.",
    example: "A webhook endpoint with this url already exists.",
    field: "url",
  },
  endpoint_disabled: {
    title: "Endpoint disabled",
    statement: "Nothing is sent to a webhook endpoint that is disabled.",
    hint: "Enable it first: PATCH /webhooks/{id} with status enabled.",
    example: "The webhook endpoint is disabled. Enable it first.",
  },
  endpoint_being_disabled: {
    title: "Endpoint still being disabled",
    statement: "Deliveries to the endpoint are still being stopped.",
    hint: "Send the same request again.",
    example: "The webhook endpoint is still being disabled. Try again in a moment.",
  },
});
