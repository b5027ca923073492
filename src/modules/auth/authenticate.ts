/**
 * Finds out who is calling: exactly one of a bearer token or an API key, judged by what the
 * database says now (Interface §5.3, §5.4), and counted with it. Whatever is wrong, the message is
 * the same; what may be said about it stands in the headers (`unauthorized.ts`).
 */

import { LRUCache } from "lru-cache";
import { insertAudit } from "../../infra/audit.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Authenticate, Identified } from "../../infra/http/admit/admit-request.ts";
import type { CallLimit } from "../../infra/http/admit/rate-limiter.ts";
import { createMinuteThrottle } from "../../kit/minute-throttle.ts";
import { createTokenVerifier } from "./access-token.ts";
import { environmentOfKey, possibleKeyDigests, readKey } from "./api-key.ts";
import type { AuthContext } from "./context.ts";
import { createGrantReader } from "./read-grants.ts";
import { createKeyReader, type PresentedKey, REFUSED_BY_ADDRESS } from "./read-keys.ts";
import {
  BEARER_ONLY,
  BOTH_CREDENTIALS,
  invalid,
  KEY_IN_AUTHORIZATION,
  NO_CREDENTIAL,
  Unauthorized,
} from "./unauthorized.ts";

const PRESENTED_MAX = 10_000;
/** Of one key: a merchant's machines, not the addresses of somebody who has many. */
const ADDRESSES_MAX = 100;
const NOT_OURS = invalid("not a token of ours");
/** By its prefix alone, whoever made it and whether it opens anything. */
const HOLDS_KEY = /^(?:\w+ +)?svc_(?:live|test)_/i;

export function createAuthenticate(ctx: AuthContext): Authenticate {
  const identifyBearer = createBearerReader(ctx);
  const identifyKey = createKeyHolderReader(ctx);
  return ({ authorization, apiKey, address, takesKeys, limit }) => {
    if (authorization !== undefined && apiKey !== undefined)
      throw new Unauthorized(BOTH_CREDENTIALS);
    if (authorization !== undefined) return identifyBearer(authorization, limit);
    if (apiKey === undefined) throw new Unauthorized(NO_CREDENTIAL);
    if (!takesKeys) throw new Unauthorized(BEARER_ONLY);
    return identifyKey(apiKey, address, limit);
  };
}

/** A token is genuine when its signature is ours; whether it still counts is another question. */
function createBearerReader(ctx: AuthContext) {
  const verify = createTokenVerifier(ctx.config, ctx.signingKeys);
  const readGrant = createGrantReader(ctx.db);
  return (header: string, limit: CallLimit | undefined): Promise<Identified> => {
    const claims = verify(header);
    if (!(claims instanceof Promise)) return readGrant(claims, limit);
    return claims.then((known) => {
      if (known === undefined)
        throw new Unauthorized(HOLDS_KEY.test(header) ? KEY_IN_AUTHORIZATION : NOT_OURS);
      return readGrant(known, limit);
    });
  };
}

/** A key is genuine when its digest is the stored one; whether it counts, another question. */
function createKeyHolderReader(ctx: AuthContext) {
  const readHolder = createKeyReader(ctx.db);
  const present = createPresenter(ctx);
  const refusals = createMinuteThrottle();
  const tellAndRethrow = async (error: unknown, { kid, address }: PresentedKey): Promise<never> => {
    if (error instanceof Unauthorized && error.cause === REFUSED_BY_ADDRESS.cause)
      if (refusals.isFirst(kid)) await tellOfRefusal(ctx, kid, address);
    throw error;
  };
  // By `then`: an async function around it would make two promises more for every use of a key.
  return (text: string, address: string, limit: CallLimit | undefined): Promise<Identified> => {
    const key = present(text, address);
    return readHolder(key, limit).then(
      (found) => {
        ctx.keyUsage.note(key.kid);
        return found;
      },
      (error: unknown) => tellAndRethrow(error, key),
    );
  };
}

/**
 * Reads a key once for all its uses from one address: nothing of this can change, and what is known
 * of it is remembered by this object (Decision 0059).
 */
function createPresenter({ config }: AuthContext): (text: string, address: string) => PresentedKey {
  // Also keys that are not ours: what is remembered here says nothing about them.
  const seen = new LRUCache<string, Map<string, PresentedKey>>({ max: PRESENTED_MAX });
  return (text, address) => {
    const byAddress = seen.get(text) ?? new Map<string, PresentedKey>();
    const known = byAddress.get(address);
    if (known !== undefined) return known;
    const key = readKey(text);
    if (key === undefined) throw new Unauthorized(invalid("not the shape of a key"));
    const [other] = byAddress.values();
    const digests = other?.digests ?? possibleKeyDigests(config.tokenPeppers, text);
    const { kid } = key;
    const presented = { kid, environment: environmentOfKey(key), digests, address };
    if (byAddress.size >= ADDRESSES_MAX) byAddress.clear();
    seen.set(text, byAddress.set(address, presented));
    return presented;
  };
}

/** Written down once a minute for each key, so that a flood of refusals is no flood of writes. */
async function tellOfRefusal(ctx: AuthContext, kid: string, address: string): Promise<void> {
  const { account_number: accountNumber } = await ctx.db.one(sqlOf(
    pick(tables.api_keys, "account_number"),
  )`
    select account_number from api_keys where kid = ${kid}`);
  await insertAudit(ctx.db, {
    action: "key_refused_by_address",
    accountNumber,
    actor: address,
    detail: { kid },
  });
}
