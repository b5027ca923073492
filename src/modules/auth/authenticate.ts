/**
 * Identifies the caller: exactly one of a bearer token or an API key, checked against the database
 * and counted by the same statement (Interface §5.3, §5.4). The message of a refusal is always the
 * same; its headers say more (`unauthorized.ts`).
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
import { possibleKeyDigests, readKey } from "./api-key.ts";
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
/** Of one key. */
const ADDRESSES_MAX = 100;
const NOT_OURS = invalid("not a token of ours");
/** By its prefix alone, whether or not the key exists. */
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

/** The signature proves that a token is ours; the database says whether it is still valid. */
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

function createKeyHolderReader(ctx: AuthContext) {
  const readHolder = createKeyReader(ctx.db);
  const present = createPresenter(ctx);
  const refusals = createMinuteThrottle();
  const recordAndRethrow = async (error: unknown, key: PresentedKey): Promise<never> => {
    if (error instanceof Unauthorized && error.cause === REFUSED_BY_ADDRESS.cause)
      if (refusals.isFirst(key.kid)) await recordRefusal(ctx, key);
    throw error;
  };
  // By `then`: an async function around it would cost two more promises for every use of a key.
  return (text: string, address: string, limit: CallLimit | undefined): Promise<Identified> => {
    const key = present(text, address);
    return readHolder(key, limit).then(
      (found) => {
        ctx.keyUsage.note(key.kid);
        return found;
      },
      (error: unknown) => recordAndRethrow(error, key),
    );
  };
}

/**
 * Parses a key once for all its uses from one address. Nothing of this can change, and the object
 * is what the credential memory goes by (Decision 0059).
 */
function createPresenter({ config }: AuthContext): (text: string, address: string) => PresentedKey {
  // Also keys that do not exist: nothing here depends on that.
  const seen = new LRUCache<string, Map<string, PresentedKey>>({ max: PRESENTED_MAX });
  return (text, address) => {
    const byAddress = seen.get(text) ?? new Map<string, PresentedKey>();
    const known = byAddress.get(address);
    if (known !== undefined) return known;
    const key = readKey(text);
    if (key === undefined) throw new Unauthorized(invalid("not the shape of a key"));
    const [other] = byAddress.values();
    const digests = other?.digests ?? possibleKeyDigests(config.tokenPeppers, text);
    const presented = { ...key, digests, address };
    if (byAddress.size >= ADDRESSES_MAX) byAddress.clear();
    seen.set(text, byAddress.set(address, presented));
    return presented;
  };
}

/** At most once a minute for each key, so that a flood of refusals is no flood of writes. */
async function recordRefusal({ db }: AuthContext, { kid, address }: PresentedKey): Promise<void> {
  const { account_number: accountNumber } = await db.one(sqlOf(
    pick(tables.api_keys, "account_number"),
  )`
    select account_number from api_keys where kid = ${kid}`);
  const action = "key_refused_by_address";
  await insertAudit(db, { action, accountNumber, actor: address, detail: { kid } });
}
