/** Signs new tokens with the next key (Decisions 0008, 0031). */

import { sqlOf } from "../../../infra/db/query.ts";
import { pick } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { OperatorError } from "../../../kit/errors.ts";
import { rotateSigningKeys as rotate } from "../../auth/signing-keys.ts";
import { defineAction } from "../command.ts";

const SAID = "New tokens are signed with the next key. The old one is published for 12 hours more.";

export const rotateSigningKeys = defineAction({
  name: "rotate-signing-keys",
  right: { terminalOnly: "It replaces secrets of the service, with the settings at hand." },
  about: "sign new tokens with the next key; tokens already out stay good",
  fields: {},
  example: { given: "", shows: SAID, entry: 11 },
  run: (ctx, _input, act) =>
    act(async (tx) => {
      const current = await tx.maybeOne(sqlOf({})`
        select from signing_keys where state = 'current'`);
      if (current === undefined)
        throw new OperatorError(
          "There are no signing keys yet: the first start of the service makes them.",
        );
      await rotate(tx, ctx.config.wrappingKeys);
      const { kid } = await tx.one(sqlOf(pick(tables.signing_keys, "kid"))`
        select kid from signing_keys where state = 'current'`);
      return {
        entry: { action: "signing_keys_rotated", detail: { kid } },
        data: { kid },
        text: SAID,
      };
    }),
});
