/**
 * The guarantee: somebody's own words in a mail stay words: they add no header, no recipient, no
 * markup and no paragraph; and a mail server gets neither plain text where TLS is demanded nor more
 * time than the limit.
 */

import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { after, describe, mock, test } from "node:test";
import type { SmtpServer } from "../../src/infra/mail-settings.ts";
import {
  createMailSender,
  type Message,
  type Outcome,
} from "../../src/modules/mail/send-over-smtp.ts";
import { PRODUCTION_SETTINGS, sendMails, startSmtpServer } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";
import { dripping, until } from "../../testkit/until.ts";
import { queue } from "./support.ts";

const smtp = await startSmtpServer();
const service = await startService({
  settings: { ...PRODUCTION_SETTINGS, SMTP_URL: smtp.url },
});
const { ctx } = service;
after(async () => {
  await service.stop();
  await smtp.stop();
});

describe("a hostile text", () => {
  test("in the subject adds no header and no body", async () => {
    const before = smtp.received.length;
    await queue(service, {
      subject: "Hi\r\nBcc: thief@example.com\r\n\r\nPay here\u2028\u0000now",
    });
    await sendMails(ctx);
    const mail = smtp.received[before];
    assert.equal(mail?.subject, "Hi Bcc: thief@example.com Pay here now");
    assert.equal(mail?.bcc, undefined);
    assert.deepEqual(mail?.envelope.to, ["owner@example.com"]);
  });

  test("in names and values is no markup, no link and no paragraph of its own", async () => {
    const before = smtp.received.length;
    const name = `<img src=x onerror=alert(1)>"'\r\n\r\nClick https://evil.example.com\u202e`;
    await queue(service, {
      content: { heading: name, parts: [name, { rows: [[name, name]] }] },
    });
    await sendMails(ctx);
    const mail = smtp.received[before];
    assert.doesNotMatch(mail?.html ?? "", /<img|<a /);
    assert.match(mail?.html ?? "", /&lt;img src=x onerror=alert\(1\)&gt;/);
    assert.doesNotMatch(mail?.text ?? "", /^Click/m);
    assert.doesNotMatch(`${mail?.text}${mail?.html}`, /\u202e/);
  });

  for (const to of [
    "owner@example.com\r\nBcc: thief@example.com",
    "owner@example.com, thief@example.com",
    "owner@example.com\u0000",
    "<owner@example.com> SIZE=1",
    `"a b"@example.com`,
    "owner",
    "",
  ])
    test(`is not an address: ${JSON.stringify(to)}`, async () => {
      const before = smtp.received.length;
      await assert.rejects(queue(service, { to }), /one address/);
      await sendMails(ctx);
      assert.equal(smtp.received.length, before);
    });

  test("is not a link", async () => {
    const link = "javascript:alert(1)";
    const content = { heading: "Hi", parts: [{ link, text: "Click" }] };
    await assert.rejects(queue(service, { content }), /links to pages/);
  });
});

describe("a mail server", () => {
  const message: Message = {
    mailId: "5f0c3f4e-0000-4000-8000-000000000000",
    to: "owner@example.com",
    at: new Date("2026-11-18T12:00:00Z"),
    subject: "Hi",
    text: "Hi",
    html: "<p>Hi</p>",
  };
  const sendTo = (own: Partial<SmtpServer> & { port: number }) => {
    const plain = { host: "127.0.0.1", isSecure: false, demandsTls: false, credentials: undefined };
    const server = { ...plain, ...own };
    return createMailSender({ ...ctx.config.mail, transport: { kind: "smtp", server } })(message);
  };

  test("without TLS gets nothing where it is demanded", async () => {
    const before = smtp.received.length;
    const port = Number(new URL(smtp.url).port);
    for (const own of [{ demandsTls: true }, { isSecure: true }]) {
      const outcome = await sendTo({ port, ...own });
      assert.equal(outcome.kind, "failed");
    }
    assert.equal(smtp.received.length, before);
  });

  test("that trickles its replies is left at the time limit", async () => {
    let isTrickling = false;
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("220 slow\r\n");
      socket.once("data", () => {
        isTrickling = true;
        dripping(socket, 5, "250-more\r\n");
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    mock.timers.enable({ apis: ["setTimeout"] });
    const sending = sendTo({ port: (server.address() as AddressInfo).port });
    let outcome: Outcome | undefined;
    sending.then((one) => {
      outcome = one;
    });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    while (!isTrickling) await turn();
    mock.timers.tick(59_000);
    await turn();
    assert.equal(outcome, undefined);
    for (mock.timers.tick(1_000); outcome === undefined; await turn()) mock.timers.tick(100);
    mock.timers.reset();
    assert.deepEqual(outcome, {
      kind: "failed",
      why: { code: "ETIMEDOUT", detail: "not done after 60 s" },
    });
    await new Promise((resolve) => server.close(resolve));
  });

  test("that hangs up is asked again later", async () => {
    const server = createServer((socket) => void socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    assert.equal((await sendTo({ port })).kind, "failed");
    let isClosed = false;
    server.close(() => {
      isClosed = true;
    });
    await until(() => isClosed, "no connection is left open");
  });
});
