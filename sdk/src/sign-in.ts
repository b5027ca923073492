/**
 * The two requests that bring tokens. Whatever goes wrong with them, no error quotes a password or
 * a token.
 */

import { type Draft, draftOf, type Send } from "./send.ts";
import { refusalOf, WindwardError } from "./windward-error.ts";

export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** Names with spaces between them, or a list of them. */
  readonly scopes: string | readonly string[];
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

interface Door {
  readonly baseUrl: string;
  readonly send: Send;
}

/** The service gives a lost answer again within ten seconds; a later try it takes for theft. */
const REFRESH_PATIENCE = { withinMs: 8_000, tryMs: 2_500 };

export async function askForGrant(door: Door, signIn: SignIn): Promise<TokenAnswer> {
  const { email, password, scopes } = signIn;
  const names = typeof scopes === "string" ? scopes : scopes.join(" ");
  const draft = await draftTo(door, "/auth/tokens", { email, password, scopes: names });
  const response = await door.send(draft);
  if (response.ok) return readTokens(response);
  throw refusalOf(response, await response.json().catch(() => undefined));
}

/** Undefined when the refresh token must not be used again: only a new sign-in helps. */
export async function askForRefresh(door: Door, token: string): Promise<TokenAnswer | undefined> {
  const draft = await draftTo(door, "/auth/tokens/refresh", { refresh_token: token });
  const response = await door.send({ ...draft, ...REFRESH_PATIENCE }).catch(() => undefined);
  if (response?.ok) return readTokens(response);
  // Refused before it was looked at: the refresh token is as good as before.
  if (response?.status === 429)
    throw refusalOf(response, await response.json().catch(() => undefined));
  return undefined;
}

/** May be repeated as if it had a key: a sign-in granted twice does no harm. */
async function draftTo({ baseUrl }: Door, path: string, fields: object): Promise<Draft> {
  const request = new Request(baseUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fields),
    redirect: "manual",
  });
  return { ...(await draftOf(request, { isReading: false, isKeyed: true })), isShort: true };
}

async function readTokens(response: Response): Promise<TokenAnswer> {
  const answer = (await response.json().catch(() => ({}))) as Partial<TokenAnswer>;
  const { access_token, refresh_token, expires_in } = answer;
  if (typeof access_token === "string" && typeof refresh_token === "string" && expires_in)
    return { access_token, refresh_token, expires_in };
  const { status } = response;
  throw new WindwardError({ message: "The answer to a sign-in holds no tokens.", status });
}
