/** Every page of the operator's console that reads records (P10; Decision 0118). */

import { openOperator } from "../support/console-tab.ts";
import { ENDPOINT_ID } from "../support/fill-console.ts";
import { type Page, racePages } from "../support/page-race.ts";
import type { Scene } from "../support/scene.ts";

const ACCOUNT = "1234567890";
const PAYMENT = `TT-${"1388".padStart(26, "0")}`;

const PAGES: readonly Page[] = [
  ["search", "/operator"],
  ["search, account", `/operator?q=${ACCOUNT}`],
  ["search, e-mail of an owner", "/operator?q=merchant%40example.com"],
  ["search, e-mail of a customer", "/operator?q=anika77%40example.com"],
  ["search, order", "/operator?q=order-5000"],
  ["search, payment", `/operator?q=${PAYMENT}`],
  ["search, last four", "/operator?q=1123"],
  ["search, nothing", "/operator?q=nothing-like-this"],
  ["accounts", "/operator/accounts"],
  ["an account", `/operator/accounts/${ACCOUNT}`],
  ["payments", `/operator/payments?account=${ACCOUNT}`],
  ["a payment", `/operator/payments/${PAYMENT}`],
  ["withdrawals", "/operator/withdrawals"],
  ["a withdrawal", `/operator/withdrawals/TT-${"1".padStart(26, "Z")}`],
  ["bank files", "/operator/bank-files"],
  ["disputes", "/operator/disputes"],
  ["webhooks", "/operator/webhooks"],
  ["an endpoint", `/operator/webhooks/${ENDPOINT_ID}`],
  ["callers of v1", "/operator/v1-callers"],
  ["health", "/operator/health"],
  ["reconciliation", "/operator/reconciliation"],
  ["settlement", "/operator/settlement"],
  ["audit", "/operator/audit"],
  ["audit, an account", `/operator/audit?account=${ACCOUNT}`],
  ["approvals", "/operator/approvals"],
  ["operators", "/operator/operators"],
];

export const operatorPages: Scene = {
  name: "operator",
  play: (stage, { isQuick }) =>
    racePages(stage, { name: "operator", pages: PAGES, open: openOperator, isQuick }),
};
