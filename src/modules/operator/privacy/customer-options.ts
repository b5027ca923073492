/** How a command names a customer (Decision 0122). */

import type { Values } from "../../../kit/fields/field.ts";
import { email } from "../../../kit/fields/text.ts";
import type { Customer } from "../../privacy/customer.ts";
import { accountOption, environmentOption, option } from "../fields.ts";

export const customerOptions = {
  email: option(email(), "email", "The customer's, as it stands in the payments."),
  account: accountOption,
  environment: environmentOption,
};

export function customerOf({
  email: address,
  account: accountNumber,
  environment,
}: Values<typeof customerOptions>): Customer {
  return { email: address, accountNumber, environment };
}
