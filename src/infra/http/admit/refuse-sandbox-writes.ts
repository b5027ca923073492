/**
 * What live and the sandbox share can be read with an API key of the sandbox and never changed
 * (Decision 0071): such a key lies in test code and build logs, and must not reach bank details.
 */

import { fixedRefusal } from "../../../kit/errors.ts";
import type { Caller } from "../caller.ts";
import type { Access } from "../route.ts";

export class SandboxKeyRefused extends fixedRefusal("sandbox_key_refused", {
  cause: "an API key of the sandbox would change what live uses too",
}) {}

export function changesShared(access: Access): boolean {
  return access !== "public" && access.credentials === "either" && access.changes === "shared";
}

function isSandboxKey({ credential }: Caller): boolean {
  return credential.kind === "key" && credential.environment === "sandbox";
}

export function demandMayChange(access: Access, caller: Caller): void {
  if (changesShared(access) && isSandboxKey(caller)) throw new SandboxKeyRefused();
}
