/**
 * The mail with a link to set a password says why it was made: nobody is told of what nobody did.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sendResetLink } from "../../src/modules/people/forgot-password.ts";
import { sendMails } from "../../testkit/mails.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
after(() => service.stop());

async function lastMailTo(email: string, wanted = "Set a new password"): Promise<string> {
  await sendMails(service.ctx);
  const mails: { to: string; subject: string; text: string }[] = (
    await service.request("/dev/mail.json")
  ).body;
  const mail = mails.find(({ to, subject }) => to === email && subject === wanted);
  return mail?.text ?? "";
}

test("asked for at /forgot", async () => {
  const { email } = await service.world.merchant();
  await sendResetLink(service.ctx, { email, address: "192.0.2.1" });
  assert.match(await lastMailTo(email), /Somebody, we hope you, asked for a link/);
});

test("made by an operator for an owner who asked for help", async () => {
  const { email, accountNumber } = await service.world.merchant();
  await operatorJson(service, ["reset-password", accountNumber, ...SIGNED]);
  const text = await lastMailTo(email);
  assert.match(text, /You asked us for help to sign in/);
  assert.match(text, /do not use the link, and tell us/);
  assert.doesNotMatch(text, /Somebody, we hope you/);
});

test("for a new operator, and for one who was helped", async () => {
  const email = "words@operator.example";
  const added = ["add-operator", email, "--name", "Words", "--role", "admin", ...SIGNED];
  await operatorJson(service, added);
  const first = await lastMailTo(email, "Set your password");
  assert.match(first, /You were added to the operators of this service/);
  assert.doesNotMatch(first, /new password|signs you out/);
  await service.clock.advance({ minutes: 1 });
  await operatorJson(service, ["change-operator", email, "--new-password", ...SIGNED]);
  assert.match(await lastMailTo(email), /Another operator made this link for you/);
});
