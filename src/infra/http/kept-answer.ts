/** Answers that whoever asked may keep until they change: with an ETag, and 304 to who has it. */

import { createHash } from "node:crypto";
import { type TSchema, Type } from "typebox";
import type { Answer } from "./answer.ts";
import type { Call } from "./route.ts";

const KEPT_SECONDS = 3600;

export function keptAnswers(about: string, body: TSchema) {
  return {
    200: { about, body },
    304: {
      about: "The answer that If-None-Match names is still good",
      body: Type.String(),
      contentType: "text/plain",
    },
  };
}

/** `vary`: the headers that decide what is answered, where any do. */
export function kept(call: Asking, body: object, vary?: string): Answer {
  const answer = keptAs(call, etagOf(JSON.stringify(body)), { status: 200, body });
  return vary === undefined ? answer : { ...answer, headers: { ...answer.headers, vary } };
}

type Asking = Pick<Call<never, never, never>, "header">;

export function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
}

/** The same for what was made before, and its ETag with it. */
export function keptAs({ header }: Asking, etag: string, answer: Answer): Answer {
  const headers = { ...answer.headers, etag, "cache-control": `public, max-age=${KEPT_SECONDS}` };
  const known = (header("if-none-match") ?? "").split(",").map((one) => one.trim());
  const isKnown = known.some((one) => one === "*" || one.replace(/^W\//, "") === etag);
  if (isKnown) return { status: 304, body: "", contentType: "text/plain", headers };
  return { ...answer, headers };
}
