/** `windward exam`: examines a merchant's integration as an adversary would (Decision 0110). */

import { writeFile } from "node:fs/promises";
import { Command } from "commander";
import { act, type ToolContext, withConnection } from "../tool/context.ts";
import { givenSecret, ownSecret, secretOption } from "../tool/listen/own-secret.ts";
import { readAddress } from "../tool/read-address.ts";
import { EXIT, ToolError } from "../tool/tool-error.ts";
import { junitOf } from "./junit.ts";
import { readOrders } from "./orders.ts";
import { expectUnpaid, findAssignments, readAccount, readKeys } from "./prepare.ts";
import { reportText } from "./report-text.ts";
import { CASES, type Exam, runExam } from "./run-exam.ts";
import { openShop } from "./shop.ts";

interface ExamOptions {
  readonly orders: string;
  readonly reportUrl?: string;
  readonly secret?: string;
  readonly junit?: string;
}

const HELP = `
Open ${CASES.length} orders in your shop and pay none of them: every case takes one. The shop is
sent forged, changed and replayed results and webhooks, and genuine ones; no money moves. With
--report-url the exam sees what became of an order: GET <url>?order_id=… answers with
{"state": "unpaid|paid|refunded|disputed", "shipped": 0}. Without it there is no grade A.

Ends with 0 for grade A, 1 for any other, 2 when it was called wrongly.

Example:
  npx windward exam http://localhost:4000/paid http://localhost:4000/webhook \\
    --report-url http://localhost:4000/orders --orders order-1:100.00,order-2:25.00,…
`;

export function examCommand(): Command {
  return withConnection(new Command("exam"))
    .description("examine your shop as an adversary would, in the sandbox")
    .argument("<response_url>", "where your shop takes results")
    .argument("<webhook_url>", "where your shop takes webhooks")
    .requiredOption("--orders <id:total,…>", `${CASES.length} unpaid orders of your shop`)
    .option("--report-url <url>", "where your shop says what became of an order")
    .addOption(secretOption("what your shop checks webhooks with; else listen's own"))
    .option("--junit <file>", "write the report as JUnit's XML, too")
    .addHelpText("after", HELP)
    .action(act(examine));
}

async function examine(
  context: ToolContext,
  { orders, reportUrl, secret, junit }: ExamOptions,
  responseUrl: string,
  webhookUrl: string,
): Promise<number> {
  const typed = readOrders(orders, CASES.length);
  const given = givenSecret(secret);
  const shop = openShop({
    responseUrl: readUrl("response_url", responseUrl),
    webhookUrl: readUrl("webhook_url", webhookUrl),
    reportUrl: reportUrl === undefined ? undefined : readUrl("--report-url", reportUrl),
  });
  await shop.expectOpen();
  const api = await context.api();
  const account = await readAccount(api);
  const keys = await readKeys(context, account);
  const assignments = await findAssignments(api, typed, account);
  await expectUnpaid(shop, assignments);
  const exam: Exam = {
    ...{ shop, account, keys, assignments, url: context.url },
    secret: given ?? (await ownSecret(context.url, account.accountNumber)),
  };
  noteBeginning(context, exam, responseUrl);
  const result = await runExam(exam, (line) => context.note(`  ${line}`));
  if (junit !== undefined) await writeReport(junit, junitOf(result));
  context.show(result, () => reportText(result, context.colour));
  return result.grade === "A" ? EXIT.done : EXIT.failed;
}

function noteBeginning(
  { note }: ToolContext,
  { assignments, shop }: Exam,
  responseUrl: string,
): void {
  note(
    `Examining the shop of ${responseUrl}: ${CASES.length} cases, usually less than half a minute.`,
  );
  const unknown = assignments.filter(({ payment }) => !payment.isKnown).length;
  if (unknown > 0)
    note(
      `Windward has no payment request for ${unknown} of the orders: their transaction ids are ` +
        "made up, and a shop that compares ids refuses them.",
    );
  if (!shop.hasReport) note("Without --report-url what became of an order cannot be seen.");
}

function readUrl(name: string, text: string): string {
  readAddress(text, { name, example: "http://localhost:4000" });
  return text;
}

async function writeReport(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new ToolError(`${file} cannot be written: ${code}.`, "Name another file with --junit.");
  }
}
