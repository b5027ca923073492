/**
 * `windward login`: with an e-mail and a password it makes an API key of its own for the sandbox,
 * with all scopes that the commands need, and keeps it (Decision 0107). The password is not kept.
 * The sign-in is, for what takes no key; it ends by itself 18 hours after its last use.
 */

import { hostname } from "node:os";
import { Command } from "commander";
import { WindwardError } from "../windward-error.ts";
import { createApi, type Json } from "./api.ts";
import { API_KEY, act, type ToolContext, withConnection } from "./context.ts";
import { writeLogin } from "./logins.ts";
import { tokensOf } from "./owner-api.ts";
import { openPrompt } from "./prompt.ts";
import { ToolError, WrongUsage } from "./tool-error.ts";

const SCOPES = ["user", "transactions", "withdrawals", "trusted-cards", "links"].map(
  (area) => `svc-${area}-all`,
);
const KEY_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

interface LoginOptions {
  readonly email?: string;
  readonly code?: string;
  readonly key?: string;
}

export function loginCommand(): Command {
  return withConnection(new Command("login"))
    .description("sign in, and stay signed in on this machine")
    .option("--email <email>", "the account's e-mail, instead of being asked for it")
    .option("--code <code>", "of the authenticator app, where the account asks for one")
    .addHelpText(
      "after",
      `
Asks for e-mail and password and makes an API key for the sandbox, for ${KEY_DAYS} days.
Members of an account make a key in the console instead: npx windward login --key svc_test_…
With --key - the key is read from standard input, so that no shell keeps it.`,
    )
    .action(
      act<LoginOptions>(async (context, options) => {
        await expectAnswer(context);
        const who = await (options.key === undefined
          ? loginByPassword(context, options)
          : loginByKey(context, options.key));
        context.show(who, () => `Signed in to ${context.url} as account ${who.account_number}.`);
      }),
    );
}

/** Before anybody types a password: a service that is not there is said at once. */
async function expectAnswer({ url }: ToolContext): Promise<void> {
  const asked = createApi({ baseUrl: url, retries: 0 }).call("GET", "/livez");
  await asked.catch((error) => {
    if (!(error instanceof WindwardError) || error.status === 0) throw error;
  });
}

async function loginByKey({ url }: ToolContext, typed: string): Promise<Json> {
  const prompt = typed === "-" ? openPrompt() : undefined;
  const key = (await prompt?.askHidden("API key: ")) ?? typed;
  prompt?.close();
  if (!API_KEY.test(key)) throw new WrongUsage("An API key begins with svc_test_ or svc_live_.");
  const { data } = await createApi({ baseUrl: url, apiKey: key }).call("GET", "/auth/whoami");
  await writeLogin(url, { key, account_number: data.account_number });
  return data;
}

async function loginByPassword({ url }: ToolContext, options: LoginOptions): Promise<Json> {
  const prompt = openPrompt();
  const email = options.email ?? (await prompt.ask("E-mail: "));
  const password = await prompt.askHidden("Password: ");
  prompt.close();
  if (email === "" || password === "")
    throw new WrongUsage("An e-mail and a password are needed.", "Or give --key.");
  const api = createApi({ baseUrl: url });
  const tokens = await api
    .call("POST", "/auth/tokens", {
      body: { email, password, scopes: SCOPES.join(" "), otp: options.code },
    })
    .catch(refusedSignIn);
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const name = `windward on ${hostname()}`.slice(0, 64);
  const expires_at = new Date(Date.now() + KEY_DAYS * DAY_MS).toISOString();
  const { data: made } = await api.call("POST", "/auth/keys", {
    headers,
    body: { name, environment: "sandbox", scopes: SCOPES.join(" "), expires_at },
  });
  const { data } = await api.call("GET", "/auth/whoami", { headers });
  await writeLogin(url, {
    key: made.key,
    account_number: data.account_number,
    made: { kid: made.kid, ...tokensOf(tokens) },
  });
  return { ...data, credential: "api_key", kid: made.kid, environments: ["sandbox"], expires_at };
}

function refusedSignIn(error: unknown): never {
  if (!(error instanceof WindwardError)) throw error;
  if (error.status === 403)
    throw new ToolError(
      "This account has no API keys: only BUSINESS accounts do.",
      "Sign in with the e-mail of a business account.",
    );
  if (error.status !== 401) throw error;
  throw new ToolError(
    error.detail,
    "Check e-mail and password. If the account asks for a code, add --code. Members make a key " +
      "in the console (Developers, API keys) and give it: npx windward login --key -",
  );
}
