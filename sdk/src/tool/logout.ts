/** `windward logout`: revokes the key that `login` made, and forgets it. */

import { Command } from "commander";
import { WindwardError } from "../windward-error.ts";
import { act, type ToolContext, withConnection } from "./context.ts";
import { type Login, readLogin, writeLogin } from "./logins.ts";
import { ownerApi, SignInEnded } from "./owner-api.ts";

export function logoutCommand(): Command {
  return withConnection(new Command("logout"))
    .description("revoke the key that login made, and forget it")
    .action(
      act(async (context) => {
        const { url } = context;
        const login = await readLogin(url);
        if (login === undefined)
          return context.show({ revoked: false }, () => `You were not signed in to ${url}.`);
        const revoked = await revoke(context, login);
        await writeLogin(url, undefined);
        context.show({ revoked }, () => words(login, revoked, url));
      }),
    );
}

function words({ made }: Login, revoked: boolean, url: string): string {
  if (made === undefined) return "Forgotten on this machine. The key itself still works.";
  if (revoked) return `Signed out of ${url}; the key is revoked.`;
  return (
    `Forgotten on this machine, but key ${made.kid} could not be revoked from here: the sign-in ` +
    `that made it has ended. Revoke it at ${url}/console (Developers, API keys).`
  );
}

/**
 * Only a token may revoke a key. False: the sign-in has ended, so nothing on this machine can.
 * Other trouble is thrown and the login stays, to try again: the key lives on for months.
 */
async function revoke({ url }: ToolContext, { made }: Login): Promise<boolean> {
  if (made === undefined) return false;
  try {
    const api = await ownerApi(url);
    await api.call("DELETE", "/auth/keys/{kid}", { path: { kid: made.kid } }).catch(unlessGone);
    // It ends by itself within a day.
    await api.call("DELETE", "/auth/tokens").catch(() => {});
    return true;
  } catch (error) {
    if (error instanceof SignInEnded) return false;
    if (error instanceof WindwardError && [401, 403].includes(error.status)) return false;
    throw error;
  }
}

function unlessGone(error: unknown): void {
  if (!(error instanceof WindwardError) || error.status !== 404) throw error;
}
