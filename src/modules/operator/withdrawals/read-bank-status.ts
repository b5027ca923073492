/**
 * Reads the bank's answer to a bank file, completes or fails its payments, and reports the result
 * line by line (Decision 0049).
 */

import { insertAudit } from "../../../infra/audit.ts";
import { now } from "../../../infra/db/clock.ts";
import { sqlOf } from "../../../infra/db/query.ts";
import { columns, pick } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { OperatorError } from "../../../kit/errors.ts";
import { describeMoney, money } from "../../../kit/money.ts";
import { applyStatusReport } from "../../withdrawals/bank-files/apply-status.ts";
import type { Finding } from "../../withdrawals/bank-files/find-mismatch.ts";
import { needsAPerson } from "../../withdrawals/bank-files/judge-status.ts";
import { digestOf } from "../../withdrawals/bank-files/payout-batch.ts";
import {
  readStatusReport,
  STATUS_FILE_BYTES_MAX,
  type StatusReport,
} from "../../withdrawals/bank-files/status-report.ts";
import { saidOf } from "../../withdrawals/bank-files/status-words.ts";
import { needsSecondPerson } from "../approvals/second-person.ts";
import { defineAction, type OperatorContext, personOf, type Signature } from "../command.ts";
import { pathField } from "../exchange-file.ts";
import { plain, quotedWords, reportBlocks, tableBlock, words } from "../render.ts";

export const readBankStatus = defineAction({
  name: "read-bank-status",
  right: "money",
  about: "take the bank's answer to a bank file",
  more:
    "An ISO 20022 pain.002 file. What the bank has settled is completed, what it refused fails, " +
    "and all else is told and changes nothing. The exit code is 1 when a line needs a person. A " +
    "file may be read again. At /operator a payment that a second person has to agree to is not " +
    "failed by a file: use fail-withdrawal first.",
  fields: { file: pathField("What the bank has sent.") },
  subject: "file",
  example: {
    given: "status.xml",
    shows: `Bank's answer to TT-TTD-20261116-3F9A2C1B
  line  withdrawal                     bank says  result     words
  17    TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  ACSC       completed  It is completed.
1 completed, 0 failed, 0 still wait for the bank, 0 lines need a person.`,
    entry: 16,
  },
  async run(ctx, { file }, act) {
    const bytes = await ctx.files.read(ctx.files.place(file), STATUS_FILE_BYTES_MAX);
    const status = readStatusReport(bytes);
    const above = saidAbove(status);
    return act(async (tx, signature) => {
      const { batch, findings, waiting } = await applyStatusReport(tx, status);
      // A file that is uploaded may be by the one who uploads it (Decision 0136).
      if (personOf(signature) !== undefined) await demandNoneForTwo(ctx, tx, findings);
      const { message_id: messageId } = batch;
      await recordContradictions(tx, { batch: messageId, findings, ...signature });
      const forPeople = findings.filter(needsAPerson);
      const counts = {
        completed: count(findings, "completed"),
        failed: count(findings, "failed"),
        waiting,
        need_a_person: forPeople.length,
      };
      return {
        entry: {
          action: "bank_status_read",
          detail: { batch: messageId, sha256: digestOf(bytes).toString("hex"), ...counts },
        },
        ...reportBlocks({ batch: messageId, ...counts, above, lines: findings.map(viewFinding) }, [
          tableBlock(`Bank's answer to ${messageId}`, findings, {
            line: "line",
            withdrawal: ({ transactionId, endToEndId }) => transactionId ?? endToEndId,
            "bank says": "said",
            result: "result",
            words: "words",
          }),
          ...above.map(({ of, said }) => quotedWords(`The bank says of ${of}: ${plain(said)}`)),
          words(summaryOf(counts, forPeople)),
        ]),
        isBad: forPeople.length > 0,
      };
    });
  },
});

const AMOUNT = pick(tables.withdrawals, "transaction_id", "currency", "amount_minor");

/** What is given up goes back to the merchant, and the bank may pay it all the same. */
async function demandNoneForTwo(
  { config }: Pick<OperatorContext, "config">,
  tx: Tx,
  findings: readonly Finding[],
): Promise<void> {
  const failed = findings.flatMap(({ result, transactionId }) =>
    result === "failed" && transactionId !== undefined ? [transactionId] : [],
  );
  const rows = await tx.rows(sqlOf(AMOUNT)`
    select ${columns(AMOUNT)} from withdrawals
    where transaction_id = any(${failed}) order by transaction_id`);
  const at = await now(tx);
  for (const { transaction_id: transactionId, currency, amount_minor } of rows) {
    const amount = money(currency, amount_minor);
    if (needsSecondPerson(config, amount, at))
      throw new OperatorError(
        `The file gives up ${transactionId}, of ${describeMoney(amount)}, to which a second ` +
          "person has to agree. Use fail-withdrawal first, then read the file again.",
      );
  }
}

/** By payment, so that show-withdrawal shows what the bank has said before it is sent again. */
async function recordContradictions(
  tx: Tx,
  read: { batch: string; findings: readonly Finding[] } & Signature,
): Promise<void> {
  const { batch, findings, by, why, from } = read;
  const contradicted = Map.groupBy(
    findings.filter(({ result }) => result === "contradiction"),
    ({ transactionId }) => transactionId ?? "",
  );
  const rows = await tx.rows(sqlOf(pick(tables.withdrawals, "transaction_id", "account_number"))`
    select transaction_id, account_number from withdrawals
    where transaction_id = any(${[...contradicted.keys()]}) order by transaction_id`);
  for (const { transaction_id, account_number: accountNumber } of rows) {
    const said = new Set(contradicted.get(transaction_id)?.map((one) => one.said));
    await insertAudit(tx, {
      action: "bank_contradicted",
      accountNumber,
      actor: `operator ${by}`,
      detail: { why, ...from, transaction_id, batch, said: [...said].join(" and ") },
    });
  }
}

/** What is said above the payments, whether it is an end that counts for them or news. */
function saidAbove({ all, parts }: StatusReport): { of: string; said: string }[] {
  const named = [
    { of: "the whole file", said: saidOf(all) },
    ...parts.map((part) => ({ of: `part ${plain(part.partId)}`, said: saidOf(part) })),
  ];
  return named.filter(({ said }) => said !== "");
}

function count(findings: readonly Finding[], result: Finding["result"]): number {
  return findings.filter((one) => one.result === result).length;
}

function viewFinding(finding: Finding) {
  return {
    line: finding.line,
    transaction_id: finding.transactionId ?? null,
    end_to_end_id: finding.endToEndId,
    status: finding.status,
    said: finding.said,
    result: finding.result,
    words: finding.words,
    needs_a_person: needsAPerson(finding),
  };
}

function summaryOf(
  counts: Readonly<Record<string, number>>,
  forPeople: readonly Finding[],
): string {
  const lines = [...new Set(forPeople.map(({ line }) => line))].join(", ");
  return (
    `${counts.completed} completed, ${counts.failed} failed, ${counts.waiting} still wait for ` +
    `the bank, ${counts.need_a_person} lines need a person${lines === "" ? "" : `: ${lines}`}.`
  );
}
