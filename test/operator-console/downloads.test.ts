/**
 * The guarantee: a bank file that is downloaded is what the command writes, and its entry in the
 * trail is the command's, with the person and the reason.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { operatorEntries } from "../../testkit/operator.ts";
import { makeOperator, signInOperator } from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { liveOwner, makeFile, waitingOnes } from "../api/withdrawals/bank-files-support.ts";

const service = await startService();
after(() => service.stop());
const owner = await liveOwner(service, { live: "20000.00 TTD" });
await waitingOnes(service, owner, [{ amount: "40.00" }]);
const { batch, file } = await makeFile(service);
const who = await makeOperator(service, "finance");
const tab = await signInOperator(service, who);

const path = `/operator/bank-files/${batch.message_id}`;
const download = (why: string, from = path) => tab.post(from, { why }, { from: path });
const madeAgain = async () =>
  (await operatorEntries(service)).filter(({ action }) => action === "bank_file_made_again");

test("is the same bytes, each time with an entry of its own", async () => {
  for (let times = 1; times <= 2; times++) {
    const answer = await download("ticket 4711");
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.text, file.toString());
    const entries = await madeAgain();
    assert.equal(entries.length, times);
    const { actor, detail } = entries[0] ?? assert.fail();
    const { why, person_id, sha256 } = detail;
    assert.deepEqual(
      [actor, why, person_id, sha256, detail.batch],
      [
        `operator ${who.email}`,
        "ticket 4711",
        who.personId,
        batch.file_sha256.toString("hex"),
        batch.message_id,
      ],
    );
  }
});

for (const [name, why] of [
  ["no reason", " "],
  ["a reason that is too long", "x".repeat(256)],
] as const)
  test(`with ${name} it is refused at the field, and nothing is written down`, async () => {
    const before = (await madeAgain()).length;
    const answer = await download(why);
    assert.equal(answer.status, 400);
    assert.match(answer.text, /<textarea[^>]*name="why"[^>]*maxlength="255"[^>]*aria-invalid/);
    assert.equal((await madeAgain()).length, before);
  });

test("one that was never made is no page", async () => {
  assert.equal((await download("x", `${path.slice(0, -8)}00000000`)).status, 404);
});
