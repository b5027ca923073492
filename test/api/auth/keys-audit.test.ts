/** What is done to an API key is in the audit trail, once, with its kid and without its secret. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

test("making, changing, rotating and revoking a key are written down", async () => {
  const shop = await service.world.merchant();
  const token = (await shop.signIn()).access_token;
  const { kid, key } = await shop.makeKey();
  const ask = (method: string, path = "", json?: unknown) =>
    service.request(`/auth/keys/${kid}${path}`, { method, token, ...(json ? { json } : {}) });
  await ask("PATCH", "", { name: "till" });
  const rotated = await ask("POST", "/rotate", { overlap_seconds: 60 });
  for (let times = 0; times < 2; times++) assert.equal((await ask("DELETE")).status, 200);
  const entries = await service.ctx.db.rows<{ action: string; detail: Record<string, unknown> }>(
    sql`select action, detail - 'grant_id' as detail from audit_entries
      where account_number = ${shop.accountNumber} and action like 'key%' order by entry_id`,
  );
  assert.deepEqual(entries, [
    { action: "key_created", detail: { key: kid } },
    { action: "key_changed", detail: { key: kid, fields: ["name"] } },
    { action: "key_rotated", detail: { key: kid, to: rotated.body.data.kid } },
    { action: "key_revoked", detail: { key: kid } },
  ]);
  assert(!JSON.stringify(entries).includes(key));
});
