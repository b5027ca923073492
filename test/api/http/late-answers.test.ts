/**
 * A handler that ends after its request was answered for it (503, after ten seconds) sends nothing
 * more: no reply is sent twice, and no log line reports one.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { PictureRefused } from "../../../src/infra/images/picture-refused.ts";
import { signedIn } from "../../../testkit/banks.ts";
import { startService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";
import { GOOD, kept, picture } from "../user/picture-support.ts";

const held = Promise.withResolvers<void>();
let drawing = 0;
/** Draws nothing until it is let go; then every other picture is too complex. */
const images = {
  async toThumbnail(): Promise<Buffer> {
    const turn = drawing++;
    await held.promise;
    if (turn % 2 === 0) throw new PictureRefused("complex");
    return GOOD;
  },
  async toLogo(): Promise<Buffer> {
    throw new PictureRefused("complex");
  },
  async stop(): Promise<void> {},
};
const service = await startService({ context: { images } });
after(() => service.stop());

test("twelve uploads that come too late are answered once each, and the log is quiet", async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => signedIn(service)));
  const answers = await Promise.all(people.map((who) => picture(service, who, "POST", GOOD)));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([503]));
  assert.equal(drawing, 12);
  const before = service.logged.length;
  held.resolve();
  // Half of them are written after all: their senders were told that nobody knows.
  await until(async () => {
    const rows = await Promise.all(people.map((who) => kept(service, who)));
    return rows.filter((row) => row !== undefined).length === 6;
  }, "those that could be drawn are kept");
  await new Promise((resolve) => setImmediate(resolve));
  const late = service.logged.slice(before).map((line) => JSON.parse(line));
  assert.deepEqual(
    late.filter(({ level }) => level >= 40),
    [],
  );
  assert.doesNotMatch(
    service.logged.join("\n"),
    /already sent|reply\.sent|sent twice|REP_ALREADY/i,
  );
});
