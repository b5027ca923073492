/**
 * The guarantee: a mail that could not be sent is tried again on a schedule and then given up, an
 * address that the server refuses is marked until a mail gets through, and a crash at the worst
 * moment repeats a mail under the same Message-ID (Decision 0086).
 */

import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import { register } from "prom-client";
import { sql } from "../../src/infra/db/query.ts";
import { isBouncing } from "../../src/modules/mail/bounces.ts";
import { createMailLoop } from "../../src/modules/mail/send-mail.ts";
import { PRODUCTION_SETTINGS, sendMails, startSmtpServer } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { mailOf, queue, stateOf } from "./support.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR];

const smtp = await startSmtpServer();
const service = await startService({
  settings: { ...PRODUCTION_SETTINGS, SMTP_URL: smtp.url },
});
const { ctx } = service;
afterEach(() => {
  smtp.refuse("RCPT", undefined);
  smtp.refuse("DATA", undefined);
});
after(async () => {
  await service.stop();
  await smtp.stop();
});

const lineWith = (text: string) => service.logged.filter((line) => line.includes(text)).at(-1);

async function counted(outcome: string): Promise<number> {
  const { values } = (await register.getSingleMetric("windward_mails_total")?.get()) ?? {
    values: [],
  };
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}

describe("a server that does not take a mail", () => {
  test("is tried again on schedule, eight times in all, then the mail is given up", async () => {
    smtp.refuse("DATA", { code: 451, text: "4.3.2 Not now, owner@example.com" });
    const before = await counted("given up");
    const reason = await queue(service);
    for (const seconds of WAITS) {
      assert.equal(await sendMails(ctx), 1);
      const waiting = await mailOf(service, reason);
      assert.equal(waiting?.state, "waiting");
      assert(Math.abs((waiting?.seconds ?? 0) - seconds) < 30, `${waiting?.seconds} ${seconds}`);
      await service.clock.advance({ seconds: seconds - 31 });
      assert.equal(await sendMails(ctx), 0, "not before its time");
      await service.clock.advance({ seconds: 31 });
    }
    assert.equal(await sendMails(ctx), 1);
    const ended = await mailOf(service, reason);
    assert.deepEqual([ended?.state, ended?.attempt_count], ["given_up", 8]);
    assert.equal(ended?.has_content, false);
    assert.equal(await counted("given up"), before + 1);
    const line = JSON.parse(lineWith("was given up") ?? "{}");
    assert.equal(line.level, 50);
    assert.deepEqual([line.why.status, line.why.detail], [451, "4.3.2"]);
    assert(!service.logged.join("\n").includes("owner@example.com"), "no address is logged");
    assert.equal(await isBouncing(ctx.db, "owner@example.com"), false);
  });

  test("and is down gets the mail once it is up", async () => {
    const down = await startSmtpServer();
    const port = Number(new URL(down.url).port);
    await down.stop();
    const waiting = await startService({
      settings: { ...PRODUCTION_SETTINGS, SMTP_URL: down.url },
    });
    const reason = await queue(waiting);
    await sendMails(waiting.ctx);
    assert.equal(await stateOf(waiting, reason), "waiting");
    const up = await startSmtpServer({ port });
    await waiting.clock.advance({ minutes: 1 });
    await sendMails(waiting.ctx);
    assert.equal(await stateOf(waiting, reason), "sent");
    assert.equal(up.received.length, 1);
    await waiting.stop();
    await up.stop();
  });
});

describe("a refused address", () => {
  const bounce = { code: 550, text: "5.1.1 No such user here" };

  test("is marked at once and not tried again; the next mail that gets through clears it", async () => {
    const before = smtp.received.length;
    smtp.refuse("RCPT", bounce);
    const reason = await queue(service, { to: "Gone@Example.com" });
    await sendMails(ctx);
    const ended = await mailOf(service, reason);
    assert.deepEqual(
      [ended?.state, ended?.attempt_count, ended?.has_content],
      ["bounced", 1, false],
    );
    assert.equal(await isBouncing(ctx.db, "gone@EXAMPLE.com"), true);
    const marks = await ctx.db.rows(sql`select address, code from mail_bounces`);
    assert.deepEqual(marks, [{ address: "gone@example.com", code: 550 }]);
    await service.clock.advance({ hours: 48 });
    assert.equal(await sendMails(ctx), 0);

    await queue(service, { to: "gone@example.com" });
    await sendMails(ctx);
    assert.equal(await isBouncing(ctx.db, "gone@example.com"), true);
    smtp.refuse("RCPT", undefined);
    await queue(service, { to: "gone@example.com" });
    await sendMails(ctx);
    assert.equal(smtp.received.length, before + 1);
    assert.equal(await isBouncing(ctx.db, "gone@example.com"), false);
  });

  for (const answer of [
    { code: 450, text: "4.2.1 The mailbox is busy" },
    { code: 554, text: "5.7.1 Relay access denied" },
    { code: 530, text: "Authentication required" },
  ])
    test(`is not marked by ${answer.code} ${answer.text}, and the mail is tried again`, async () => {
      smtp.refuse("RCPT", answer);
      const reason = await queue(service, { to: "there@example.com" });
      await sendMails(ctx);
      assert.equal(await stateOf(service, reason), "waiting");
      assert.equal(await isBouncing(ctx.db, "there@example.com"), false);
      smtp.refuse("RCPT", undefined);
      await service.clock.advance({ minutes: 1 });
      await sendMails(ctx);
      assert.equal(await stateOf(service, reason), "sent");
    });

  test("is not marked by a 5xx about something else", async () => {
    smtp.refuse("DATA", { code: 554, text: "5.6.0 We do not like this message" });
    const reason = await queue(service);
    await sendMails(ctx);
    assert.equal(await stateOf(service, reason), "waiting");
    assert.equal(await isBouncing(ctx.db, "owner@example.com"), false);
    smtp.refuse("DATA", undefined);
    await service.clock.advance({ minutes: 1 });
    await sendMails(ctx);
  });
});

describe("a process that dies", () => {
  test("between the server's 250 and our own record repeats the mail with one Message-ID", async () => {
    const before = smtp.received.length;
    const reason = await queue(service);
    const mailId = (await mailOf(service, reason))?.mail_id ?? "";
    let hasSent = false;
    // A process that is gone never comes back from its call.
    const dying = {
      ...ctx,
      sendMessage: async (message: Parameters<typeof ctx.sendMessage>[0]) => {
        await ctx.sendMessage(message);
        hasSent = true;
        return new Promise<never>(() => {});
      },
    };
    void sendMails(dying);
    await until(() => hasSent, "the server has the mail");
    assert.equal(await sendMails(ctx), 0, "its lease still holds");
    assert.equal(await stateOf(service, reason), "waiting");
    await service.clock.advance({ minutes: 3 });
    const loop = createMailLoop(ctx);
    loop.start();
    await until(async () => (await stateOf(service, reason)) === "sent", "it is sent again");
    await loop.stop();
    const ids = smtp.received.slice(before).map(({ messageId }) => messageId);
    assert.deepEqual(ids, Array(2).fill(`<${mailId}@pay.example.com>`));
  });

  test("in every attempt ends the mail after the eighth", async () => {
    const before = smtp.received.length;
    const reason = await queue(service);
    await ctx.db.run(sql`update mails set attempt_count = 8 where reason = ${reason}`);
    await sendMails(ctx);
    assert.equal(await stateOf(service, reason), "given_up");
    assert.equal(smtp.received.length, before);
  });

  test("and comes back while another sends the mail leaves it to that one", async () => {
    const reason = await queue(service);
    const ends: { reject(why: Error): void; resolve(outcome: { kind: "sent" }): void }[] = [];
    const slow = {
      ...ctx,
      sendMessage: () =>
        new Promise<{ kind: "sent" }>((resolve, reject) => ends.push({ resolve, reject })),
    };
    const sendings: Promise<unknown>[] = [];
    for (const count of [1, 2]) {
      await service.clock.advance({ minutes: 3 });
      sendings.push(sendMails(slow));
      await until(() => ends.length === count, "it is being sent");
    }
    ends[0]?.reject(new Error("the connection was lost"));
    await sendings[0];
    const { seconds, attempt_count } = (await mailOf(service, reason)) ?? {};
    assert.equal(attempt_count, 2);
    assert((seconds ?? 0) > MINUTE, `a third attempt would begin in ${seconds} s`);
    ends[1]?.resolve({ kind: "sent" });
    await sendings[1];
    assert.equal(await stateOf(service, reason), "sent");
  });

  test("and comes back late changes nothing: a late failure is not the end", async () => {
    const reason = await queue(service);
    let fail = () => {};
    const slow = {
      ...ctx,
      sendMessage: () =>
        new Promise<never>((_resolve, reject) => {
          fail = () => reject(new Error("the connection was lost"));
        }),
    };
    const late = sendMails(slow);
    await until(async () => (await mailOf(service, reason))?.attempt_count === 1, "it is claimed");
    await service.clock.advance({ minutes: 3 });
    await sendMails(ctx);
    assert.equal(await stateOf(service, reason), "sent");
    fail();
    await late;
    assert.equal(await stateOf(service, reason), "sent");
  });
});
