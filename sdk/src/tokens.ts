/**
 * The bearer token of somebody who signs in: granted when it is first needed, kept, and refreshed
 * before it ends, once for all calls that wait for it (Decision 0053).
 *
 * A refresh token works once. When its answer is lost it is asked for again
 * within the time that the service allows, and never after: the password opens a new sign-in.
 */

import type { Send } from "./send.ts";
import { askForGrant, askForRefresh, type SignIn, type TokenAnswer } from "./sign-in.ts";
import { WindwardError } from "./windward-error.ts";

export interface Tokens {
  /** One that is good for a while. */
  current(): Promise<string>;
  /** A newer one than this, which was refused. */
  newerThan(refused: string): Promise<string>;
}

interface Pair {
  readonly access: string;
  /** Undefined when it must not be used again; the other may be good for a while yet. */
  readonly refresh: string | undefined;
  readonly endsAt: number;
}

const EARLY_MS = 60_000;
/** So long a refused sign-in is not tried again: many wrong passwords lock an account. */
const REFUSED_REST_MS = 30_000;

export function createTokens(
  signIn: SignIn,
  door: { readonly baseUrl: string; readonly send: Send; readonly now: () => number },
): Tokens {
  const { now } = door;
  let pair: Pair | undefined;
  let refused: { error: WindwardError; until: number } | undefined;
  let underWay: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const beganAt = now();
    const refreshed =
      pair?.refresh === undefined ? undefined : await askForRefresh(door, pair.refresh);
    if (refreshed === undefined && pair !== undefined) pair = { ...pair, refresh: undefined };
    const answer = refreshed ?? (await grant());
    const endsAt = beganAt + answer.expires_in * 1000;
    pair = { access: answer.access_token, refresh: answer.refresh_token, endsAt };
    return pair.access;
  }

  async function grant(): Promise<TokenAnswer> {
    if (refused !== undefined && now() < refused.until) throw refused.error;
    try {
      return await askForGrant(door, signIn);
    } catch (error) {
      const isRefusal = error instanceof WindwardError && [400, 401, 403].includes(error.status);
      if (isRefusal) refused = { error, until: now() + REFUSED_REST_MS };
      throw error;
    }
  }

  function renewOnce(): Promise<string> {
    underWay ??= renew().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  return {
    async current() {
      const old = pair;
      if (old !== undefined && now() < old.endsAt - EARLY_MS) return old.access;
      try {
        return await renewOnce();
      } catch (error) {
        // It was time to renew it, but it can still be used.
        if (old !== undefined && now() < old.endsAt) return old.access;
        throw error;
      }
    },
    async newerThan(token) {
      return pair !== undefined && pair.access !== token ? pair.access : renewOnce();
    },
  };
}
