/** Second factors of people in tests: set up through the pages, as a person would. */

import assert from "node:assert/strict";
import { sql } from "../src/infra/db/query.ts";
import { openTab, type Tab } from "./console.ts";
import type { TestAnswer, TestService } from "./service.ts";
import { fromBase32, stepNow, totpCode } from "./totp.ts";
import { PASSWORD } from "./world.ts";

export interface App {
  readonly secret: Buffer;
  /** A code that the service has not seen yet: of this step or one behind it. */
  code(ahead?: 0 | 1): string;
}

export function appOf(page: TestAnswer): App {
  const secret = fromBase32(/<code id="secret">([A-Z2-7 ]+)</.exec(page.text)?.[1] ?? "");
  assert.equal(secret.length, 20, page.text);
  return { secret, code: (ahead = 0) => totpCode(secret, stepNow() + ahead) };
}

/** Sets up an app; afterwards no code counts as used, so that tests need not wait for the next. */
export async function setUpApp(service: TestService, tab: Tab): Promise<App> {
  const app = appOf(await tab.get("/console/me/authenticator"));
  const set = await tab.post("/console/me/authenticator", { code: app.code() });
  assert.equal(set.status, 303, set.text);
  await forgetCodes(service);
  return app;
}

/** As if half a minute had passed since the last code: codes follow no clock that tests move. */
export async function forgetCodes({ ctx }: Pick<TestService, "ctx">): Promise<void> {
  await ctx.db.run(sql`update totp_secrets set last_step = 0`);
}

export async function makeCodes(tab: Tab): Promise<string[]> {
  const shown = await tab.post("/console/me/recovery-codes");
  assert.equal(shown.status, 200, shown.text);
  return [...shown.text.matchAll(/^(?:.*<code>)?(\w{4}-\w{4}-\w{4})/gm)].map(
    ([, code = ""]) => code,
  );
}

/** With the password only. */
export async function goHalfway(
  service: TestService,
  who: { readonly email: string },
): Promise<Tab> {
  const tab = openTab(service);
  const form = { email: who.email, password: PASSWORD };
  const answer = await tab.post("/sign-in", form, { from: "/sign-in" });
  assert.equal(answer.status, 303, answer.text);
  assert.match(answer.headers.get("location") ?? "", /^\/sign-in\/code\?/);
  return tab;
}

export function sendCode(tab: Tab, code: string): Promise<TestAnswer> {
  return tab.post("/sign-in/code", { code }, { from: "/sign-in/code" });
}
