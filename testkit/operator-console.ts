/** People of the operator in tests: made with a known second factor, and signed in over HTTP. */

import assert from "node:assert/strict";
import { sql } from "../src/infra/db/query.ts";
import type { OperatorRole } from "../src/kit/operator-roles.ts";
import { addOperator } from "../src/modules/people/operators/operator.ts";
import { giveTotpSecret } from "../src/modules/people/totp.ts";
import { openTab, type Tab } from "./console.ts";
import type { TestAnswer, TestService } from "./service.ts";
import { fromBase32, totpCode } from "./totp.ts";
import { PASSWORD } from "./world.ts";

export const OPERATOR_SECRET = "JBSWY3DPEHPK3PXP";

export interface TestOperator {
  readonly email: string;
  readonly personId: string;
  readonly role: OperatorRole;
}

let made = 0;

export async function makeOperator(
  { ctx }: Pick<TestService, "ctx">,
  role: OperatorRole = "admin",
  { hasFactor = true }: { readonly hasFactor?: boolean } = {},
): Promise<TestOperator> {
  const email = `${role}-${++made}@operator.example`;
  const password = await ctx.passwords.digest(PASSWORD);
  const personId = await ctx.db.transaction(async (tx) => {
    const id = await addOperator(tx, { email, name: `A ${role}`, role, password });
    if (hasFactor) await giveTotpSecret(ctx, tx, { personId: id, secret: OPERATOR_SECRET });
    return id;
  });
  return { email, personId, role };
}

/** No code is taken twice: a test that needs one again begins anew. */
export async function operatorCode(
  { ctx }: Pick<TestService, "ctx">,
  { email }: Pick<TestOperator, "email">,
): Promise<string> {
  await ctx.db.run(sql`
    update totp_secrets set last_step = 0
    where person_id in (select person_id from persons where email = ${email} and is_operator)`);
  return totpCode(fromBase32(OPERATOR_SECRET));
}

/** A browser whose password was right. */
export async function giveOperatorPassword(
  service: TestService,
  { email }: Pick<TestOperator, "email">,
): Promise<{ readonly tab: Tab; readonly answer: TestAnswer }> {
  const tab = openTab(service);
  const from = "/operator/sign-in";
  const answer = await tab.post(from, { email, password: PASSWORD }, { from });
  return { tab, answer };
}

export async function signInOperator(
  service: TestService,
  who: Pick<TestOperator, "email">,
): Promise<Tab> {
  const { tab, answer } = await giveOperatorPassword(service, who);
  assert.equal(answer.headers.get("location"), "/operator/sign-in/code", answer.text);
  const from = "/operator/sign-in/code";
  const done = await tab.post(from, { code: await operatorCode(service, who) }, { from });
  assert.equal(done.status, 303, done.text);
  return tab;
}

/** The form of an action, filled in and sent; the key of its page makes it happen once. */
export async function act(
  tab: Tab,
  command: string,
  fields: Readonly<Record<string, string>>,
  why = "ticket 4711",
): Promise<TestAnswer> {
  const path = `/operator/actions/${command}`;
  const from = `${path}?${new URLSearchParams(fields)}`;
  return tab.post(path, { ...fields, why }, { from });
}

/** What the page says to which an action led. */
export async function saidAfter(tab: Tab, answer: TestAnswer): Promise<string> {
  assert.equal(answer.status, 303, answer.text);
  const { text } = await tab.get(answer.headers.get("location") ?? "");
  return /<span class="lines">([^<]*)</.exec(text)?.[1] ?? "";
}
