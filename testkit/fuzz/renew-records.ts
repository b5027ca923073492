/**
 * Some more of each record for random requests, whatever these have done meanwhile: they end
 * credentials, remove bank details, and take all the room that an account has.
 */

import { SCOPES } from "../../src/kit/scopes.ts";
import type { Environment } from "../../src/kit/vocabulary.ts";
import { GOOD } from "../banks.ts";
import { mintKey, mintToken } from "../credentials.ts";
import { type Holder, RECORD_MAKERS, type Records } from "../records.ts";
import type { TestService } from "../service.ts";

/** Of endpoints and of keys; the others are removed. */
const KEPT = 6;

/** Those that could be made: a limit may be in the way of the others. */
export async function renewRecords(
  service: TestService,
  owner: Holder,
  environment: Environment,
): Promise<Records> {
  const holder = await signedInAgain(service, owner);
  await prepare(service, holder);
  let records: Records = {};
  for (const make of RECORD_MAKERS)
    await make(service, holder, environment).then(
      (made) => {
        records = { ...records, ...made };
      },
      () => {},
    );
  return records;
}

async function signedInAgain({ ctx }: TestService, owner: Holder): Promise<Holder> {
  const { token } = await mintToken(ctx, owner, SCOPES);
  const { key: live } = await mintKey(ctx, owner, SCOPES, { prefix: "live" });
  const { key: sandbox } = await mintKey(ctx, owner, SCOPES, { prefix: "test" });
  return { ...owner, token, keys: { live, sandbox } };
}

async function prepare(service: TestService, { token }: Holder): Promise<void> {
  // Refused where they are still there.
  await service.request("/user/banks/local", { method: "POST", token, json: GOOD.local });
  for (const [path, id] of [
    ["/webhooks", "id"],
    ["/auth/keys", "kid"],
  ] as const) {
    const { body } = await service.request(path, { token });
    for (const one of (body.data ?? []).slice(KEPT))
      await service.request(`${path}/${one[id]}`, { method: "DELETE", token });
  }
}
