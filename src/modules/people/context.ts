/**
 * People: who signs in to the console, for which accounts, and with which role (Decision 0084). An
 * account's holder is its first member; others are invited.
 */

import type { Infra } from "../../infra/context.ts";
import type { Passwords } from "../accounts/passwords.ts";

export interface PeopleContext extends Infra {
  readonly passwords: Passwords;
}
