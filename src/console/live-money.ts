/**
 * In production an owner moves live money from the console only with a second factor (Decision
 * 0090). Pages that refund, withdraw or change bank details ask here first.
 */

import { fixedRefusal } from "../kit/errors.ts";
import { hasSecondFactor, secondFactorsOf } from "../modules/people/second-factors.ts";
import type { ConsoleContext } from "./context.ts";
import type { Visitor } from "./visitor.ts";

/** Shown as a page that leads to the person's profile. */
export class SecondFactorNeeded extends fixedRefusal("second_factor_needed") {}

export async function demandSecondFactorForLiveMoney(
  { config, db }: Pick<ConsoleContext, "config" | "db">,
  { role, environment, person }: Pick<Visitor, "role" | "environment" | "person">,
): Promise<void> {
  if (!config.ownersNeedSecondFactor || environment !== "live" || role !== "owner") return;
  if (!hasSecondFactor(await secondFactorsOf(db, person.personId))) throw new SecondFactorNeeded();
}
