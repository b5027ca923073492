/** A request of the log, found by its id: whose it was, and what was sent, as its owner sees it. */

import { sqlOf } from "../../../infra/db/query.ts";
import { pick } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { NoSuchRecord, NotFound } from "../../../kit/errors.ts";
import { readRequest } from "../../request-log/read-request.ts";
import { defineRead } from "../command.ts";
import { uuidField } from "../fields.ts";
import { factsBlock, reportBlocks, words } from "../render.ts";

export const showRequest = defineRead({
  name: "show-request",
  about: "show a request of the log: whose it was, what was sent and what was answered",
  fields: { request_id: uuidField("request", "As the answer has it, or a log line.") },
  subject: "request_id",
  example: {
    given: "5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d",
    shows: `Account     1234567890
When        2026-11-15 06:32:05Z
Method      GET
Path        /transactions/history
Status      200
Code        -
Credential  grant 0f6d7a52-1c3b-4e8f-9a20-5b7c9d1e3f40
Address     127.0.0.1
With --json also what was sent and answered.`,
  },
  async run({ db, config }, { request_id: requestId }) {
    const none = new NoSuchRecord(`There is no request ${requestId} of an account in the log.`);
    const [row] = await db.rows(sqlOf(pick(tables.logged_requests, "account_number"))`
      select account_number from logged_requests where request_id = ${requestId} limit 1`);
    if (row?.account_number == null) throw none;
    const { account_number } = row;
    const { publicUrl } = config.http;
    const { requestLogDays: keptDays } = config.retention;
    const whose = { accountNumber: account_number, environment: undefined, keptDays };
    const one = await readRequest(db, whose, requestId, { publicUrl }).catch((error: unknown) => {
      // Its day is over, though its partition is still there.
      throw error instanceof NotFound ? none : error;
    });
    const facts = factsBlock(
      { ...one, account_number, happened_at: new Date(one.at) },
      {
        Account: "account_number",
        When: "happened_at",
        Method: "method",
        Path: "path",
        Status: "status",
        Code: "code",
        Credential: "credential",
        Address: "address",
      },
    );
    const report = [facts, words("With --json also what was sent and answered.")];
    return reportBlocks({ account_number, ...one }, report);
  },
});
