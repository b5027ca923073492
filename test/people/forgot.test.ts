/**
 * A forgotten password is set anew by a link that only the person's mailbox gets; nobody learns from
 * it who is here (Decision 0085).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sendResetLink } from "../../src/modules/people/forgot-password.ts";
import { makeMember, openTab, signInTo } from "../../testkit/console.ts";
import { sendMails } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

const NEW = "another password";

async function mailsTo(email: string): Promise<{ subject: string; text: string }[]> {
  await sendMails(service.ctx);
  const { body } = await service.request("/dev/mail.json");
  return body.filter((mail: { to: string; subject: string }) => mail.to === email);
}

/** As the job does, which no test service runs by itself. */
const send = (email: string) => sendResetLink(service.ctx, { email, address: "192.0.2.1" });

test("the answer is the same for everybody", async () => {
  const shop = await service.world.merchant();
  const ask = (email: string) => openTab(service).post("/forgot", { email }, { from: "/forgot" });
  const [known, unknown] = [await ask(shop.email), await ask("nobody@example.com")];
  assert.equal(known.status, 200);
  assert.equal(known.text, unknown.text);
  await send("nobody@example.com");
  assert.deepEqual(await mailsTo("nobody@example.com"), []);
});

test("a member without an account sets a password, and every session ends", async () => {
  const shop = await service.world.merchant();
  const { email } = await makeMember(service, shop.accountNumber, "viewer");
  const before = await signInTo(service, { email });
  await send(email);
  const [mail] = await mailsTo(email);
  const path = new URL(/https?:\S+\/reset\/\S+/.exec(mail?.text ?? "")?.[0] ?? "").pathname;
  const answer = await service.request(path, {
    method: "POST",
    form: { new_password: NEW, confirm_password: NEW },
  });
  assert.equal(answer.status, 200);
  assert.equal((await before.get("/console")).status, 303);
  await signInTo(service, { email, password: NEW });
  assert.equal((await service.request(path)).status, 404);
});

test("three links an hour, and the newest is the one that works", async () => {
  const shop = await service.world.merchant();
  for (let i = 0; i < 5; i++) {
    await send(shop.email);
    await service.clock.advance({ seconds: 1 });
  }
  const links = (await mailsTo(shop.email)).filter(({ subject }) => /new password/.test(subject));
  assert.equal(links.length, 3);
  const paths = links.map(({ text }) => new URL(/https?:\S+\/reset\/\S+/.exec(text)?.[0] ?? ""));
  const statuses = await Promise.all(
    paths.map(async ({ pathname }) => (await service.request(pathname)).status),
  );
  assert.deepEqual(statuses.toSorted(), [200, 404, 404]);
});
