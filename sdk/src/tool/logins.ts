/** The sign-ins that `windward login` keeps, one for each service, by its address. */

import path from "node:path";
import { withLock } from "./file-lock.ts";
import { configFolder, makePrivateFolder, readPrivateJson, writePrivate } from "./private-file.ts";

/** Longer than a renewal takes at most, during which the file is locked. */
const LOCKED_MS_MAX = 15_000;

export interface Login {
  readonly key: string;
  readonly account_number: string;
  /** Of a key that `login` made itself, and the sign-in that made it (`owner-api.ts`). */
  readonly made?: {
    readonly kid: string;
    readonly access_token: string;
    readonly access_until: string;
    readonly refresh_token: string;
  };
}

type Logins = Readonly<Record<string, Login>>;

function loginsFile(): string {
  return path.join(configFolder(), "logins.json");
}

export async function readLogin(url: string): Promise<Login | undefined> {
  return (await readLogins())[url];
}

/** The services that somebody is signed in to. */
export async function loginUrls(): Promise<string[]> {
  return Object.keys(await readLogins());
}

export async function writeLogin(url: string, login: Login | undefined): Promise<void> {
  await changeLogin(url, async () => login);
}

/** One process at a time: commands run beside each other, and all keep the same file. */
export async function changeLogin(
  url: string,
  change: (login: Login | undefined) => Promise<Login | undefined>,
): Promise<Login | undefined> {
  await makePrivateFolder(configFolder());
  return withLock({ file: `${loginsFile()}.lock`, withinMs: LOCKED_MS_MAX }, async () => {
    const { [url]: old, ...others } = await readLogins();
    const login = await change(old);
    const logins = login === undefined ? others : { ...others, [url]: login };
    if (login !== old) await writePrivate(loginsFile(), `${JSON.stringify(logins, null, 2)}\n`);
    return login;
  });
}

async function readLogins(): Promise<Logins> {
  return (await readPrivateJson(loginsFile(), "Delete it and sign in again.")) ?? {};
}
