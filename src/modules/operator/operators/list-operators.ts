/** Lists the people of the operator (Decision 0118). */

import { listOperators as list } from "../../people/operators/operator.ts";
import { defineRead } from "../command.ts";
import { reportBlocks, tableBlock } from "../render.ts";

export const listOperators = defineRead({
  name: "list-operators",
  right: "manage",
  about: "list who may sign in at /operator, with their roles",
  fields: {},
  example: {
    given: "",
    shows: `Operators
  e-mail              name    role   factor  since                 removed
  anika@example.com   Anika   admin  no      2026-11-15 06:32:03Z  -`,
  },
  async run({ db }) {
    const rows = await list(db);
    const operators = rows.map(({ person_id: _, ...row }) => row);
    const block = tableBlock("Operators", operators, {
      "e-mail": "email",
      name: "name",
      role: "role",
      factor: "has_factor",
      since: "created_at",
      removed: "removed_at",
    });
    return reportBlocks({ operators }, [block]);
  },
});
