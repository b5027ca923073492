/**
 * What the exam needs to know before it sends anything: whose shop it is, its keys, the payments
 * that the service has for the orders, and that none of the orders has been paid.
 */

import process from "node:process";
import type { Api, Json } from "../tool/api.ts";
import { demandSandbox, type ToolContext } from "../tool/context.ts";
import { readLogin } from "../tool/logins.ts";
import { isLocal, ToolError, WrongUsage } from "../tool/tool-error.ts";
import type { ExamOrder } from "./orders.ts";
import { type Account, type Assignment, knownPayment, madeUpPayment } from "./payment.ts";
import type { PaymentKeys } from "./result.ts";
import type { Shop } from "./shop.ts";

/**
 * The demo merchant's keys of the sandbox, which every start of the service prints. Taken at a
 * local address only: elsewhere this number may be anybody's account.
 */
const DEMO_ACCOUNT = "1234567890";
const DEMO_KEYS: PaymentKeys = { signingSecret: "sandbox-signing-secret", hashKey: "123" };

export async function readAccount(api: Api): Promise<Account> {
  const { data } = await api.call("GET", "/auth/whoami");
  demandSandbox(data, "no live shop is examined");
  return { accountNumber: data.account_number, countryCode: data.country_code };
}

/** From the environment, else with the owner's sign-in: no API key reads them. */
export async function readKeys(
  { url, ownerApi }: Pick<ToolContext, "url" | "ownerApi">,
  { accountNumber }: Account,
): Promise<PaymentKeys> {
  const { WINDWARD_SIGNING_SECRET: signingSecret = "", WINDWARD_HASH_KEY: hashKey = "" } =
    process.env;
  if (signingSecret !== "" && hashKey !== "") return { signingSecret, hashKey };
  const login = await readLogin(url);
  if (login?.made !== undefined && login.account_number === accountNumber) {
    const query = { environment: "sandbox" };
    const { data } = await (await ownerApi()).call("GET", "/user/payment-key", { query });
    return { signingSecret: data.signing_secret, hashKey: data.hash_key };
  }
  if (accountNumber === DEMO_ACCOUNT && isLocal(url)) return DEMO_KEYS;
  throw new ToolError(
    "An API key cannot read the keys that results are signed with.",
    "Sign in as the owner with npx windward login. Or set WINDWARD_SIGNING_SECRET and " +
      "WINDWARD_HASH_KEY to those of the sandbox: the console has them under Settings.",
  );
}

/** In the order in which the orders were typed. */
export async function findAssignments(
  api: Api,
  orders: readonly ExamOrder[],
  account: Account,
): Promise<Assignment[]> {
  const found: Assignment[] = [];
  for (const order of orders) {
    const query = { environment: "sandbox", order_id: order.id, page_size: 100 };
    const { data } = await api.call("GET", "/transactions/", { query });
    const record = newest(data, order);
    const payment = record === undefined ? madeUpPayment(order, account) : knownPayment(record);
    found.push({ order, payment });
  }
  return found;
}

/** Newest first, as the service lists them; anybody may have requested another total since. */
function newest(records: readonly Json[], { id, total }: ExamOrder): Json | undefined {
  const known = records.filter(({ order_id }) => order_id === id);
  const found = known.find(({ total: requested }) => requested === total);
  if (found === undefined && known.length > 0)
    throw new WrongUsage(
      `Order ${id} was requested for ${known[0].total}, and --orders says ${total}.`,
      "Give the total that your shop requested, without the fee.",
    );
  return found;
}

/** An exam pays orders, so each can be used once. */
export async function expectUnpaid(shop: Shop, assignments: readonly Assignment[]): Promise<void> {
  const used: string[] = [];
  for (const { order, payment } of assignments) {
    const report = await shop.report(order.id);
    const isUsed = report !== undefined && (report.state !== "unpaid" || report.shipped > 0);
    if (isUsed || payment.record.status === "success") used.push(order.id);
  }
  if (used.length === 0) return;
  throw new WrongUsage(
    `Already paid: ${used.join(", ")}.`,
    "An exam pays the orders that it is given. Open new ones in your shop and name those.",
  );
}
