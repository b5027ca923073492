/**
 * The guarantee: in development no mail leaves the machine and /dev/mail shows what would have; in
 * production there is no such page, and without SMTP_URL no mail is queued (Decision 0086).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { readConfig } from "../../src/infra/config.ts";
import { sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import { pruneMails } from "../../src/modules/mail/prune-mails.ts";
import { canSendMail } from "../../src/modules/mail/queue-mail.ts";
import { runService } from "../../src/run-service.ts";
import { freshDatabase } from "../../testkit/database.ts";
import { PRODUCTION_SETTINGS, sendMails, startSmtpServer } from "../../testkit/mails.ts";
import { dumpTables } from "../../testkit/secrets-search.ts";
import { startService } from "../../testkit/service.ts";
import { LINK, mailOf, queue } from "./support.ts";

const smtp = await startSmtpServer();
const service = await startService({ settings: { SMTP_URL: smtp.url } });
const { ctx } = service;
after(async () => {
  await service.stop();
  await smtp.stop();
});

describe("the mailbox of the development stage", () => {
  test("has what was sent, newest first, and nothing leaves", async () => {
    await queue(service, { to: "first@example.com", subject: "One" });
    await sendMails(ctx);
    await queue(service, { to: "second@example.com", subject: "Two" });
    assert.equal((await service.request("/dev/mail.json")).body.length, 1, "not before its job");
    await sendMails(ctx);
    const { status, body } = await service.request("/dev/mail.json");
    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ to, subject }: Record<string, string>) => [to, subject]),
      [
        ["second@example.com", "Two"],
        ["first@example.com", "One"],
      ],
    );
    assert.deepEqual(Object.keys(body[0]), ["to", "subject", "text", "html", "at"]);
    assert(body[0].text.includes(LINK) && body[0].html.includes(LINK));
    assert.match(body[0].at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal(smtp.received.length, 0);
  });

  test("keeps its mails sealed", async () => {
    const lines = (await dumpTables(ctx.db)).join("\n");
    assert(!lines.includes(LINK) && !lines.includes(Buffer.from(LINK).toString("hex")));
  });

  test("shows a mail as a page; its HTML is a sandboxed document of its own", async () => {
    const reason = await queue(service, {
      subject: "<script>alert(1)</script>",
      content: { heading: "<b>Hi</b>", parts: [{ link: LINK, text: "Set a password" }] },
    });
    await sendMails(ctx);
    const path = `/dev/mail/${(await mailOf(service, reason))?.mail_id}`;
    const list = await service.request("/dev/mail");
    assert(list.text.includes(`<a href="${path}">&lt;script&gt;alert(1)&lt;/script&gt;</a>`));
    const page = await service.request(path);
    assert(page.text.includes(`<a href="${LINK}">${LINK}</a>`));
    assert.doesNotMatch(page.text, /<script|<b>/);
    const policy = page.headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; .*frame-ancestors 'none'; .*frame-src 'self'$/);
    assert.doesNotMatch(policy, /unsafe|\*/);
    const document = await service.request(`${path}/html`);
    const sandbox = document.headers.get("content-security-policy") ?? "";
    assert.match(sandbox, /default-src 'none'; .*frame-ancestors 'self'; sandbox allow-popups/);
    assert.doesNotMatch(sandbox, /allow-scripts|allow-same-origin/);
    assert.match(document.text, /<h1[^>]*>&lt;b&gt;Hi/);
  });

  test("answers 404 for a mail that it does not have", async () => {
    const waiting = await queue(service);
    const id = (await mailOf(service, waiting))?.mail_id;
    for (const one of ["nope", id, "00000000-0000-4000-8000-000000000000"])
      for (const end of ["", "/html"])
        assert.equal((await service.request(`/dev/mail/${one}${end}`)).status, 404);
    await sendMails(ctx);
  });

  test("has the last 200; older ones lose their content, and rows go after 30 days", async () => {
    await ctx.db.transaction((tx) =>
      tx.run(sql`
        insert into mails (mail_id, reason, recipient, state, next_try_at, ended_at,
          content_key_id, content_box)
        select gen_random_uuid(), 'copy ' || n, recipient, 'sent', null,
          app_now() - interval '1 day' - make_interval(secs => n), content_key_id, content_box
        from mails, generate_series(1, 205) as n
        where reason = (select reason from mails order by created_at limit 1)`),
    );
    const kept = () =>
      ctx.db.one<{ count: bigint }>(sql`
        select count(*) from mails where content_box is not null`);
    await pruneMails.run(ctx, {});
    assert.equal((await kept()).count, 200n);
    const newest = await ctx.db.one<{ all_there: boolean }>(sql`
      select bool_and(content_box is not null) as all_there from mails where reason !~ '^copy'`);
    assert.equal(newest.all_there, true);
    await service.clock.advance({ hours: 24 * 29 + 12 });
    await pruneMails.run(ctx, {});
    const { count } = await ctx.db.one<{ count: bigint }>(sql`
      select count(*) from mails where reason like 'copy %'`);
    assert.equal(count, 0n);
    assert.equal((await kept()).count, 4n, "younger ones stay");
  });
});

describe("production", () => {
  test("has no mailbox, and keeps no content that an earlier stage left", async () => {
    const live = await startService({
      settings: { ...PRODUCTION_SETTINGS, SMTP_URL: smtp.url },
    });
    const reason = await queue(live);
    const config = { ...live.ctx.config, mail: ctx.config.mail };
    await sendMails({ ...live.ctx, config, sendMessage: ctx.sendMessage });
    for (const path of ["/dev/mail", "/dev/mail.json", "/dev/mail/x", "/dev/mail/x/html"])
      assert.equal((await live.request(path)).status, 404);
    assert.equal((await mailOf(live, reason))?.has_content, true);
    await pruneMails.run(live.ctx, {});
    assert.equal((await mailOf(live, reason))?.has_content, false);
    await live.stop();
  });

  test("without SMTP_URL queues nothing, and says so", async () => {
    const mute = await startService({ settings: PRODUCTION_SETTINGS });
    assert.equal(canSendMail(mute.ctx.config), false);
    assert.equal(canSendMail(ctx.config), true);
    const reason = await queue(mute);
    assert.equal(await mailOf(mute, reason), undefined);
    assert.equal(await sendMails(mute.ctx), 0);
    await mute.stop();
  });

  for (const [settings, times] of [
    [{}, 1],
    [{ SMTP_URL: smtp.url }, 0],
  ] as const)
    test(`warns ${times} times at its start with ${JSON.stringify(Object.keys(settings))}`, async () => {
      const database = await freshDatabase();
      const lines: string[] = [];
      const own = { ROLE: "web", PORT: "0" };
      const running = await runService({
        config: readConfig({ ...PRODUCTION_SETTINGS, ...own, ...settings }),
        databaseUrl: database.url,
        log: createLog({ level: "info", write: (line) => void lines.push(line) }),
      });
      await running.stop();
      await database.drop();
      const warnings = lines.filter((line) => line.includes("SMTP_URL is not set"));
      assert.equal(warnings.length, times);
      for (const line of warnings) {
        assert.equal(JSON.parse(line).level, 40);
        assert.match(line, /password.*invited.*security notices.*statements/);
      }
    });
});
