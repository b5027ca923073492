/**
 * The guarantee: a mail arrives exactly when the change that wants it was committed, once for its
 * reason, as text and as HTML; and what it says does not stay in the database (Decision 0086).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { queueMail, queueMails } from "../../src/modules/mail/queue-mail.ts";
import { createMailLoop } from "../../src/modules/mail/send-mail.ts";
import { PRODUCTION_SETTINGS, sendMails, startSmtpServer } from "../../testkit/mails.ts";
import { dumpTables } from "../../testkit/secrets-search.ts";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { LINK, mailOf, queue, resetMail, stateOf } from "./support.ts";

const smtp = await startSmtpServer();
const service = await startService({
  settings: { ...PRODUCTION_SETTINGS, SMTP_URL: smtp.url },
});
const { ctx } = service;
after(async () => {
  await service.stop();
  await smtp.stop();
});

test("a mail has its text, its HTML and the headers of an honest sender", async () => {
  const before = smtp.received.length;
  const reason = await queue(service);
  assert.equal(await sendMails(ctx), 1);
  const [mail, ...others] = smtp.received.slice(before);
  assert(mail !== undefined && others.length === 0);
  assert.equal(mail.subject, "Set a new password");
  const from = "no-reply@pay.example.com";
  assert.deepEqual(mail.envelope, { from, to: ["owner@example.com"] });
  assert.equal(mail.from?.address, from);
  assert.equal(mail.from?.name, "Windward");
  assert.deepEqual(
    mail.to?.map(({ address }) => address),
    ["owner@example.com"],
  );
  assert.equal(mail.messageId, `<${(await mailOf(service, reason))?.mail_id}@pay.example.com>`);
  assert(Math.abs(Date.parse(mail.date ?? "") - Date.now()) < 60_000);
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  assert.match(header("content-type") ?? "", /^multipart\/alternative/);
  assert.equal(header("auto-submitted"), "auto-generated");
  assert.equal(
    mail.text?.replaceAll("\r", "").trim(),
    "Set a new password\n\nSomebody asked for a new password for your account. Grüße!\n\n" +
      `Set a new password:\n${LINK}\n\nAccount: 1234567890\nAddress: 203.0.113.7`,
  );
  assert.match(mail.html ?? "", /<html lang="en">/);
  assert.match(mail.html ?? "", /account\. Grüße!</);
  assert(mail.html?.includes(`<a href="${LINK}"`));
});

test("a worker sends it without being told", async () => {
  const loop = createMailLoop(ctx);
  loop.start();
  const reason = await queue(service);
  await until(async () => (await stateOf(service, reason)) === "sent", "the mail is sent");
  await loop.stop();
});

test("of a transaction that rolls back there is no mail", async () => {
  const mail = resetMail();
  await assert.rejects(
    ctx.db.transaction(async (tx) => {
      await queueMail(ctx.config, tx, mail);
      throw new Error("changed my mind");
    }),
    /changed my mind/,
  );
  assert.equal(await mailOf(service, mail.reason), undefined);
});

test("a reason has one mail, also when two transactions want it at once", async () => {
  const before = smtp.received.length;
  const mail = resetMail();
  const want = (subject: string) =>
    ctx.db.transaction((tx) => queueMail(ctx.config, tx, { ...mail, subject }));
  await want("The first");
  await Promise.all([want("The second"), want("The third")]);
  await sendMails(ctx);
  await want("The fourth");
  await sendMails(ctx);
  assert.deepEqual(
    smtp.received.slice(before).map(({ subject }) => subject),
    ["The first"],
  );
});

test("the same words to several people: one mail each, and none to who had it before", async () => {
  const before = smtp.received.length;
  const { reason, to: _, ...words } = resetMail();
  const recipients = ["ann", "ben", "cyd"].map((name) => ({
    reason: `${reason} ${name}`,
    to: `${name}@example.com`,
  }));
  for (const told of [recipients.slice(0, 1), [], recipients])
    await ctx.db.transaction((tx) => queueMails(ctx.config, tx, { ...words, recipients: told }));
  await sendMails(ctx);
  assert.deepEqual(
    smtp.received
      .slice(before)
      .map(({ envelope, text }) => `${envelope.to}: ${text?.includes(LINK)}`)
      .toSorted(),
    recipients.map(({ to }) => `${to}: true`),
  );
});

test("two processes that send one mail at once send it once", async () => {
  const before = smtp.received.length;
  await queue(service);
  await Promise.all([sendMails(ctx), sendMails(ctx), sendMails(ctx)]);
  assert.equal(smtp.received.length, before + 1);
});

test("one that another process is claiming is passed by, not waited for", async () => {
  const before = smtp.received.length;
  const reason = await queue(service);
  await ctx.db.transaction(async (tx) => {
    await tx.run(sql`select from mails where reason = ${reason} for update`);
    assert.equal(await sendMails(ctx), 0);
  });
  assert.equal(await sendMails(ctx), 1);
  assert.equal(smtp.received.length, before + 1);
});

test("what it says is sealed while it waits, gone once it is sent, and never logged", async () => {
  const secrets = [LINK, LINK.slice(-20), "Grüße", "Set a new password"];
  const expectNone = async (when: string) => {
    const lines = [...(await dumpTables(ctx.db)), ...service.logged].join("\n");
    // Bytes are shown in hex.
    for (const secret of secrets)
      for (const form of [secret, Buffer.from(secret).toString("hex")])
        assert(!lines.includes(form), `${secret} ${when}`);
  };
  const reason = await queue(service);
  assert.equal((await mailOf(service, reason))?.has_content, true);
  await expectNone("while it waits");
  await sendMails(ctx);
  assert.equal((await mailOf(service, reason))?.has_content, false);
  await expectNone("once it is sent");
});

test("a box moved to another address does not open", async () => {
  const before = smtp.received.length;
  const reason = await queue(service);
  await ctx.db.run(sql`
    update mails set recipient = 'thief@example.com' where reason = ${reason}`);
  await sendMails(ctx);
  assert.equal(smtp.received.length, before);
  assert.equal(await stateOf(service, reason), "waiting");
  await ctx.db.run(sql`update mails set recipient = 'owner@example.com', next_try_at = app_now()
    where reason = ${reason}`);
  await sendMails(ctx);
  assert.equal(smtp.received.length, before + 1);
});

test("the settings' credentials sign in, and are in no log line", async () => {
  const strict = await startSmtpServer({ demandsSignIn: true });
  const SMTP_URL = strict.url.replace("//", "//wind%40ward:s%2Fecret-4711@");
  const signing = await startService({
    settings: { ...PRODUCTION_SETTINGS, SMTP_URL, MAIL_FROM: "Sea Mail <post@sea.example.com>" },
  });
  await queue(signing);
  await sendMails(signing.ctx);
  assert.deepEqual(strict.signedIn, ["wind@ward s/ecret-4711"]);
  assert.equal(strict.received[0]?.from?.name, "Sea Mail");
  assert.equal(strict.received[0]?.envelope.from, "post@sea.example.com");
  await strict.stop();
  await queue(signing);
  await sendMails(signing.ctx);
  assert(signing.logged.some((line) => line.includes("a mail could not be sent yet")));
  assert(!signing.logged.join("\n").includes("ecret-4711"));
  await signing.stop();
});
