/** What the parts of the adapter share. */

import type { Infra } from "../../../infra/context.ts";
import type { Client } from "./client.ts";
import type { GatewayProblem, ProblemReason } from "./problem.ts";
import type { PowertranzSettings } from "./settings.ts";

export interface PowertranzParts {
  readonly db: Infra["db"];
  readonly wrappingKeys: Infra["config"]["wrappingKeys"];
  readonly settings: PowertranzSettings;
  readonly client: Client;
  /** Counts a problem, and raises the alarm where only a person can mend it. */
  readonly report: (problem: GatewayProblem, reference: string) => void;
  /** An alarm: an error line and a count. */
  readonly raise: (reason: ProblemReason, facts: object, sentence: string) => void;
}
