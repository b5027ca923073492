/**
 * The statement of a month is mailed once, on the first of the next in the account's time zone, to
 * the members who asked for it (Decision 0088).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { now } from "../../src/infra/db/clock.ts";
import { SECOND_MS } from "../../src/kit/clock.ts";
import { addDays, dayAt, startOfDay } from "../../src/kit/local-day.ts";
import { mailStatements } from "../../src/modules/statements/mail-statements.ts";
import { signInTo } from "../../testkit/console.ts";
import { sendMails } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const ZONE = "America/Port_of_Spain";
const PAGE = "/console/settings/notifications";

async function statementsTo(email: string): Promise<{ subject: string; text: string }[]> {
  await mailStatements(service.ctx);
  await sendMails(service.ctx);
  const { body } = await service.request("/dev/mail.json");
  return body.filter(
    (mail: { to: string; subject: string }) =>
      mail.to === email && mail.subject.startsWith("Your statement"),
  );
}

test("on the first of the month, once, and to those who asked", async () => {
  const [asked, other] = [await service.world.merchant(), await service.world.merchant()];
  const tab = await signInTo(service, asked);
  const saved = await tab.post(PAGE, { statements: "yes" }, { from: PAGE });
  assert.equal(saved.status, 303);
  const today = dayAt(await now(service.ctx.db), ZONE);
  const first = `${addDays(`${today.slice(0, 7)}-01`, 32).slice(0, 7)}-01`;
  const goTo = async (moment: Date) => {
    const at = await now(service.ctx.db);
    await service.clock.advance({ seconds: (moment.getTime() - at.getTime()) / SECOND_MS });
  };
  // The last minute of the month in Trinidad, which is four hours later than in London.
  await goTo(new Date(startOfDay(first, ZONE).getTime() - 60 * SECOND_MS));
  assert.deepEqual(await statementsTo(asked.email), []);
  await goTo(new Date(startOfDay(first, ZONE).getTime() + 60 * SECOND_MS));
  for (let i = 0; i < 2; i++) {
    const [mail, ...more] = await statementsTo(asked.email);
    assert.equal(more.length, 0);
    assert.equal(mail?.subject, `Your statement of ${addDays(first, -1).slice(0, 7)}`);
    assert.match(mail?.text ?? "", /See it day by day/);
  }
  assert.deepEqual(await statementsTo(other.email), []);
});
