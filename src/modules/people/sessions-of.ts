/** In which table a person's sessions are: those of the operator have one of their own. */

import { type Sql, sql } from "../../infra/db/query.ts";
import type { Person } from "./person.ts";

export function sessionsOf({ isOperator }: Pick<Person, "isOperator">): Sql {
  return isOperator ? sql`operator_sessions` : sql`console_sessions`;
}

/** Under which guesses are counted: nobody locks an operator out at the merchants' sign-in. */
export function guessedName({ isOperator, email }: Pick<Person, "isOperator" | "email">): string {
  return isOperator ? `operator ${email}` : email;
}
