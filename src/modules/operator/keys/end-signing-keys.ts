/** Ends retired signing keys at once, for one that leaked. */

import { endRetiredKeys } from "../../auth/signing-keys.ts";
import { defineAction } from "../command.ts";

export const endSigningKeys = defineAction({
  name: "end-signing-keys",
  right: { terminalOnly: "It ends secrets of the service, with the settings at hand." },
  about: "refuse at once every token that a retired signing key signed",
  more:
    "For a key that leaked: rotate-signing-keys comes first, twice if both keys did. Everybody " +
    "whose token one of them signed is refused on every process from now on, and refreshes or " +
    "signs in again.",
  fields: {},
  example: { given: "", shows: "Retired signing keys ended: 1.", entry: 12 },
  run: (_ctx, _input, act) =>
    act(async (tx) => {
      const kids = await endRetiredKeys(tx);
      return {
        entry: { action: "signing_keys_ended", detail: { kids } },
        data: { kids },
        text: `Retired signing keys ended: ${kids.length}.`,
      };
    }),
});
