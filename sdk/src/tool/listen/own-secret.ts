/**
 * The secret with which `listen` and `exam` sign: the one that is given, or one of their own, of
 * each service and account one, made once and kept.
 */

import path from "node:path";
import { Option } from "commander";
import { withLock } from "../file-lock.ts";
import { configFolder, makePrivateFolder, readPrivateJson, writePrivate } from "../private-file.ts";
import { newSecret, readSecret } from "./sign-delivery.ts";

const LOCKED_MS_MAX = 5_000;

/** The variable has the name under which the example shops read it, too. */
export function secretOption(about: string): Option {
  return new Option("--secret <whsec_…>", about).env("WINDWARD_WEBHOOK_SECRET");
}

/** An empty variable is none. */
export function givenSecret(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : readSecret(text);
}

export async function ownSecret(url: string, account: string): Promise<string> {
  const file = path.join(configFolder(), "listen-secrets.json");
  const name = `${url} ${account}`;
  await makePrivateFolder(configFolder());
  return withLock({ file: `${file}.lock`, withinMs: LOCKED_MS_MAX }, async () => {
    const next = "Delete it: new secrets are made. Or give one with --secret.";
    const secrets: Record<string, string> = (await readPrivateJson(file, next)) ?? {};
    const known = secrets[name];
    if (known !== undefined) return known;
    const secret = newSecret();
    await writePrivate(file, `${JSON.stringify({ ...secrets, [name]: secret }, null, 2)}\n`);
    return secret;
  });
}
