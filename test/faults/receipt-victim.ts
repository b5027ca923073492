/**
 * A worker that dies by kill -9 at a named step between a receipt that is due and its mail that was
 * sent: run by `receipt-kills.test.ts` with the database's address, the mail server's and the step
 * as its arguments.
 */

import process from "node:process";
import { readConfig } from "../../src/infra/config.ts";
import { openDatabase } from "../../src/infra/db/database.ts";
import { workOffNotes } from "../../src/infra/jobs/due-notes.ts";
import { createLog } from "../../src/infra/log.ts";
import { createMailSender, type SendMessage } from "../../src/modules/mail/send-over-smtp.ts";
import { receiptsDue } from "../../src/modules/receipts/mail-receipts.ts";
import { dieAt, watchedDatabase } from "../../testkit/dying-process.ts";
import { PRODUCTION_SETTINGS, sendMails } from "../../testkit/mails.ts";

const [, , url = "", smtpUrl = "", step = ""] = process.argv;

const reach = dieAt(step);

const config = readConfig({ ...PRODUCTION_SETTINGS, SMTP_URL: smtpUrl });
const send = createMailSender(config.mail);
const sendMessage: SendMessage = async (message) => {
  reach("before the mail server has it");
  const outcome = await send(message);
  reach("after the mail server took it");
  return outcome;
};
const log = createLog({ level: "silent" });
const db = openDatabase({ url, connectionsMax: 3, log });
// The first tx queues the mail, the second writes down that it was sent.
const watched = watchedDatabase(db, ["queue", "outcome"], reach);
const ctx = { config, log, db: watched, sendMessage };
await workOffNotes(ctx.db, receiptsDue(ctx));
await sendMails(ctx);
await db.close();
