/** What somebody may approve: that others asked for, and their role may do (Decision 0119). */

import type { OperatorRight } from "../../../kit/operator-roles.ts";
import type { Command } from "../command.ts";

export interface ApprovableBy {
  /** Absent at a terminal, which asks for no approval. */
  readonly personId?: string;
  readonly commands: readonly string[];
}

export function approvableCommands(
  commands: readonly Command[],
  may: (right: OperatorRight) => boolean,
): readonly string[] {
  return commands.flatMap((command) => {
    const { kind, right, name } = command;
    if (kind !== "action" || command.moves === undefined) return [];
    return typeof right === "string" && may(right) ? [name] : [];
  });
}
