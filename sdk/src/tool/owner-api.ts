/**
 * The sign-in behind a login, for the few calls that take no API key: payment keys, withdrawals,
 * revoking the key itself (Decision 0107). It ends 18 hours after it was last renewed.
 */

import { createSend } from "../send.ts";
import { askForRefresh, type TokenAnswer } from "../sign-in.ts";
import { type Api, createApi, type Request } from "./api.ts";
import { changeLogin, type Login, readLogin } from "./logins.ts";
import { ToolError } from "./tool-error.ts";

/** Renewed a minute early: a call takes its time, too. */
const EARLY_MS = 60_000;
const RENEWAL = { retries: 3, timeoutMs: 10_000 };

export class SignInEnded extends ToolError {
  constructor() {
    super("Your sign-in has ended.", "Run npx windward login again.");
  }
}

type Made = NonNullable<Login["made"]>;

/** The calls of an account's owner, with a bearer token. */
export async function ownerApi(url: string): Promise<Api> {
  const api = createApi({ baseUrl: url, retries: 1 });
  const token = await accessToken(url);
  const signed = (request: Request = {}) => ({
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${token}` },
  });
  return {
    call: (method, path, request) => api.call(method, path, signed(request)),
    text: (path, request) => api.text(path, signed(request)),
  };
}

async function accessToken(url: string): Promise<string> {
  const kept = await readLogin(url);
  const login = isFresh(kept) ? kept : await changeLogin(url, (each) => renewed(url, each));
  if (login?.made === undefined)
    throw new ToolError(
      "This needs the owner's sign-in: the service takes no API key for it.",
      "Run npx windward login with e-mail and password.",
    );
  if (isFresh(login)) return login.made.access_token;
  throw new SignInEnded();
}

function isFresh(login: Login | undefined): boolean {
  if (login?.made === undefined) return false;
  return new Date(login.made.access_until).getTime() - EARLY_MS > Date.now();
}

/** While the file is locked: of several commands at once the first renews, the others read it. */
async function renewed(url: string, login: Login | undefined): Promise<Login | undefined> {
  if (login?.made === undefined || isFresh(login) || login.made.refresh_token === "") return login;
  const send = createSend({ fetch: (request) => fetch(request), ...RENEWAL });
  const answer = await askForRefresh({ baseUrl: url, send }, login.made.refresh_token);
  // Spent, or nobody knows: sent again it would be taken for theft.
  const tokens = answer === undefined ? { refresh_token: "" } : tokensOf(answer);
  return { ...login, made: { ...login.made, ...tokens } };
}

export function tokensOf(answer: TokenAnswer): Omit<Made, "kid"> {
  const { access_token, refresh_token, expires_in } = answer;
  const access_until = new Date(Date.now() + expires_in * 1000).toISOString();
  return { access_token, access_until, refresh_token };
}
