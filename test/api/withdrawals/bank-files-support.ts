/** What the tests of bank files share: live withdrawals, files, and a bank that answers. */

import { sql } from "../../../src/infra/db/query.ts";
import { applyStatusReport } from "../../../src/modules/withdrawals/bank-files/apply-status.ts";
import {
  type MadeFile,
  makeBankFile,
  type WantedFile,
} from "../../../src/modules/withdrawals/bank-files/make-bank-file.ts";
import { readStatusReport } from "../../../src/modules/withdrawals/bank-files/status-report.ts";
import { fund } from "../../../testkit/books.ts";
import type { TestService } from "../../../testkit/service.ts";
import { type Fields, type Owner, openOwner, withdraw } from "../../../testkit/withdrawals.ts";

/** With a bank at home and abroad, and live money. */
export async function liveOwner(
  service: TestService,
  options: Parameters<typeof openOwner>[2] & { live?: string } = {},
): Promise<Owner> {
  const { live = "10000.00 TTD, 10000.00 USD", ...more } = options;
  const owner = await openOwner(service, "mainMerchant", { funds: "none", ...more });
  for (const one of live.split(", ")) await fund(service.ctx.db, owner.accountNumber, one);
  return owner;
}

/** Live withdrawals that no owner can think over any more. */
export async function waitingOnes(
  service: TestService,
  owner: Owner,
  asked: readonly Fields[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const fields of asked)
    ids.push(await withdraw(service, owner, { environment: "live", ...fields }));
  await service.clock.advance({ seconds: 6 });
  return ids;
}

export function makeFile(
  { ctx }: Pick<TestService, "ctx">,
  wanted: Partial<WantedFile> = {},
  paymentsMax?: number,
): Promise<MadeFile> {
  const all: WantedFile = {
    countryCode: "TT",
    currency: "TTD",
    bankDay: undefined,
    by: "D. Joseph",
    ...wanted,
  };
  return ctx.db.transaction((tx) => makeBankFile(ctx, tx, all, paymentsMax));
}

export async function endToEndIdOf(service: TestService, transactionId: string): Promise<string> {
  const { reference } = await service.ctx.db.one<{ reference: string }>(sql`
    select reference from withdrawals where transaction_id = ${transactionId}`);
  return reference.replaceAll("-", "");
}

export interface Answered {
  readonly id?: string | undefined;
  readonly status?: string;
  readonly reason?: string;
  readonly text?: string;
  readonly amount?: string;
  readonly currency?: string;
}

/** As banks write it; each payment begins a line of its own. */
export function statusFile(answer: {
  to: string;
  group?: string;
  groupReason?: string;
  part?: string;
  partStatus?: string;
  version?: string;
  payments?: readonly Answered[];
}): string {
  const { to, group, groupReason, part = `${answer.to}-T`, partStatus, payments = [] } = answer;
  const some = (name: string, text: string | undefined) =>
    text === undefined ? "" : `<${name}>${text}</${name}>`;
  const because = (code: string | undefined, text?: string) =>
    code === undefined
      ? ""
      : `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn>${some("AddtlInf", text)}</StsRsnInf>`;
  const sum = ({ amount, currency = "TTD" }: Answered) =>
    amount === undefined
      ? ""
      : `<OrgnlTxRef><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt></OrgnlTxRef>`;
  const lines = payments.map((one) => {
    const said = some("OrgnlEndToEndId", one.id) + some("TxSts", one.status);
    return `<TxInfAndSts>${said}${because(one.reason, one.text)}${sum(one)}</TxInfAndSts>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${answer.version ?? "10"}">`,
    "<CstmrPmtStsRpt><GrpHdr><MsgId>BANK-1</MsgId></GrpHdr>",
    `<OrgnlGrpInfAndSts><OrgnlMsgId>${to}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>`,
    `${some("GrpSts", group)}${because(groupReason)}</OrgnlGrpInfAndSts>`,
    `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${part}</OrgnlPmtInfId>${some("PmtInfSts", partStatus)}`,
    ...lines,
    "</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>",
  ].join("\n");
}

/** The line on which the first payment of such a file stands. */
export const FIRST_LINE = 7;

export function readAnswer({ ctx }: Pick<TestService, "ctx">, file: string) {
  const report = readStatusReport(Buffer.from(file));
  return ctx.db.transaction((tx) => applyStatusReport(tx, report));
}
