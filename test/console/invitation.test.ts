/** The page of an invitation: what is filled in wrongly is said, and the form stays usable. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openTab, signInTo } from "../../testkit/console.ts";
import { linkMailedTo } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";

const MEMBERS = "/console/settings/members";
const PASSWORD = "Another-Good-Pass-71!";
const GOOD = { name: "Nia", new_password: PASSWORD, confirm_password: PASSWORD };

const service = await startService();
after(() => service.stop());

test("a refused form says which error it is, and joins nobody until it is right", async () => {
  const owner = await signInTo(service, await service.world.merchant());
  const invited = { email: "nia@example.com", role: "viewer" };
  await owner.post(MEMBERS, invited, { from: MEMBERS });
  const path = (await linkMailedTo(service, invited.email, "invite")) ?? "";
  const tab = openTab(service);
  for (const wrong of [{ name: "" }, { new_password: "short" }, { confirm_password: "other" }]) {
    const answer = await tab.post(path, { ...GOOD, ...wrong }, { from: path });
    assert.equal(answer.status, 422, JSON.stringify(wrong));
    assert.equal(answer.headers.get("x-svc-error"), "console_form_refused");
  }
  const joined = await tab.post(path, GOOD, { from: path });
  assert.equal(joined.headers.get("location"), "/sign-in?done=joined");
});
