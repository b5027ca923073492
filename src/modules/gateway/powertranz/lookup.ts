/**
 * What PowerTranz knows of a transaction. A lookup has no `Approved` in every version, so its code
 * decides. How it says that it knows nothing is not described: 404, an empty value and error 381
 * all mean that. What is not the record of our sale decides nothing: it may be an error in the same
 * form.
 */

import { type Answer, describeCodes, fieldsOf, readAnswer, textOf } from "./answer.ts";
import { type Client, isNotFound } from "./client.ts";
import { APPROVED, ORIGINAL_NOT_FOUND } from "./codes.ts";
import { GatewayProblem } from "./problem.ts";
import type { Credentials } from "./settings.ts";

const SALE = 2;
const REFUND = 5;

export interface FoundSale {
  readonly answer: Answer;
  readonly isVoided: boolean;
}

/** Undefined: it has none of this identifier, or not yet. */
export async function lookUpSale(
  client: Client,
  credentials: Credentials,
  identifier: string,
): Promise<FoundSale | undefined> {
  const json = await query(client, credentials, `Transactions/${identifier}`);
  if (json === undefined) return undefined;
  const answer = readAnswer(json);
  const isOurs =
    answer.identifier === identifier &&
    answer.type === SALE &&
    answer.amount !== undefined &&
    answer.currency !== undefined &&
    answer.errors.length === 0;
  if (!isOurs)
    throw new GatewayProblem("unknown_outcome", `a lookup says ${describeCodes(answer)}`);
  const summary = fieldsOf(fieldsOf(json).get("ordersummary"));
  return { answer, isVoided: textOf(summary, "voiddatetime") !== undefined };
}

/**
 * The refund of this reference among those of a sale. "not there" needs proof, because it is sent
 * again then: the order with the sale in it, as many refunds as it counts, each with a reference.
 */
export async function lookUpRefund(
  client: Client,
  credentials: Credentials,
  { identifier, reference }: { identifier: string; reference: string },
): Promise<Answer | "not there" | "cannot say"> {
  const json = await query(client, credentials, `Transactions/OrderSearch/${identifier}`);
  const order = fieldsOf(json);
  const listed = order.get("transactions");
  const all = Array.isArray(listed) ? listed.map(readAnswer) : [];
  const refunds = all.filter(({ type }) => type === REFUND);
  const names = refunds.map(({ externalIdentifier }) => externalIdentifier?.toLowerCase());
  const found = refunds[names.indexOf(reference.toLowerCase())];
  if (found !== undefined) return found;
  const counted = order.get("creditcount");
  const isWhole = all.some((one) => one.identifier === identifier);
  const isComplete = typeof counted === "number" && counted <= refunds.length;
  // One without a reference may be ours.
  return isWhole && isComplete && !names.includes(undefined) ? "not there" : "cannot say";
}

async function query(client: Client, credentials: Credentials, path: string): Promise<unknown> {
  try {
    const json = await client.call({ method: "GET", path, credentials });
    const { code, errors } = readAnswer(json);
    const isEmpty = json === null || fieldsOf(json).size === 0;
    return isEmpty || (code !== APPROVED && errors.includes(ORIGINAL_NOT_FOUND)) ? undefined : json;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
