/**
 * Requests with a slow body. Half of one is sent, and nothing more happens until it has been
 * admitted: the statement that judges a credential also counts its use, so the count is the proof.
 * A request that was admitted later would be counted later, and the wait would fail.
 */

import http from "node:http";
import { decodeJwt } from "jose";
import { sql } from "../src/infra/db/query.ts";
import { readKey } from "../src/modules/auth/api-key.ts";
import type { Credential } from "./credentials.ts";
import type { RequestOptions, TestService } from "./service.ts";
import { until } from "./until.ts";

const FIRST_BYTES = 5;
const WAIT_SECONDS = 10;

export interface SlowRequest extends Credential, Pick<RequestOptions, "json" | "raw"> {
  readonly method: string;
  readonly path: string;
}

export interface HalfSent {
  /** Sends the rest; gives the status. */
  finish(): Promise<number>;
  /** Goes away without a word. */
  abandon(): void;
}

/** Sends half of a request, and the rest when everything in `meanwhile` has happened. */
export async function slowly(
  service: TestService,
  request: SlowRequest,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const half = await sendHalf(service, request);
  await meanwhile();
  return half.finish();
}

/** Resolves when the request has been admitted and half of its body sent. */
export async function sendHalf(service: TestService, request: SlowRequest): Promise<HalfSent> {
  const { type, body } = bodyOf(request);
  const earlier = await usesOf(service, request);
  const slow = open(service, request, { type, bytes: body.length });
  slow.request.write(body.subarray(0, FIRST_BYTES));
  const isAdmitted = async () => {
    const early = slow.status();
    if (early !== undefined) throw new Error(`half a request was answered ${early}`);
    return (await usesOf(service, request)) === earlier + 1;
  };
  await slow.wait(isAdmitted, "half a request has been admitted");
  return {
    async finish() {
      slow.request.end(body.subarray(FIRST_BYTES));
      await slow.wait(() => slow.status() !== undefined, "a whole request is answered");
      return slow.status() ?? 0;
    },
    abandon: () => void slow.request.destroy(),
  };
}

/** The status of a request of which only the head is ever sent, whatever length it announces. */
export async function statusOfHead(
  service: TestService,
  request: Omit<SlowRequest, "json" | "raw">,
  body: { type: string; bytes: number },
): Promise<number> {
  const slow = open(service, request, body);
  slow.request.flushHeaders();
  await slow.wait(() => slow.status() !== undefined, "a request without its body is answered");
  slow.request.destroy();
  return slow.status() ?? 0;
}

function open(
  service: TestService,
  { method, path, token, key }: SlowRequest,
  body: { type: string; bytes: number },
) {
  let status: number | undefined;
  const request = http.request(service.url + path, {
    method,
    headers: {
      "content-type": body.type,
      "content-length": body.bytes,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { "x-svc-key": key }),
    },
  });
  request.on("response", (response) => {
    status = response.statusCode;
    response.on("error", () => {}).resume();
  });
  // A test that waits for the answer notices that none comes.
  request.on("error", () => {});
  return {
    request,
    status: () => status,
    /** Leaves no connection behind that would keep the service from stopping. */
    async wait(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
      try {
        await until(isSo, what, WAIT_SECONDS);
      } catch (error) {
        request.destroy();
        throw error;
      }
    },
  };
}

function bodyOf({ raw, json }: SlowRequest): { type: string; body: Buffer } {
  if (raw !== undefined) return { type: raw.type, body: Buffer.from(raw.body) };
  return { type: "application/json", body: Buffer.from(JSON.stringify(json)) };
}

/** How often this credential or its account was counted, whatever the limit is called. */
async function usesOf(service: TestService, { token, key }: Credential): Promise<number> {
  const grantId = token === undefined ? null : decodeJwt(token).gid;
  const kid = key === undefined ? null : readKey(key)?.kid;
  const { uses } = await service.ctx.db.one<{ uses: number }>(sql`
    with credential as (
      select 'grant ' || grant_id as name, account_number from grants
      where grant_id = ${grantId}
      union all
      select 'key ' || kid, account_number from api_keys where kid = ${kid})
    select coalesce(sum(hits), 0)::int as uses
    from credential, rate_limit_windows, unnest(hit_count) as hits
    where window_key like '% ' || name or window_key like '% ' || account_number`);
  return uses;
}
