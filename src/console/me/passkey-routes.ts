/** Adding, renaming and removing passkeys (Decision 0090). */

import type { Answer } from "../../infra/http/answer.ts";
import type { Call } from "../../infra/http/route.ts";
import { NotFound } from "../../kit/errors.ts";
import { readFields } from "../../kit/fields/field.ts";
import { line } from "../../kit/fields/text.ts";
import {
  addPasskey,
  findPasskey,
  PasskeyNotAdded,
  registrationOptions,
  removePasskey,
  renamePasskey,
} from "../../modules/people/passkeys.ts";
import { relyingPartyOf } from "../../modules/people/relying-party.ts";
import { secondFactorsOf } from "../../modules/people/second-factors.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { demandId, idParam } from "../id-param.ts";
import { orRefused, type RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { factorAdded } from "./own-factors.ts";
import { type AddView, addPasskeyPage, onePasskeyPage } from "./passkey-pages.ts";

const NEW = "/console/me/passkeys/new";
const ONE = "/console/me/passkeys/{passkey_id}";
const params = { passkey_id: idParam };
const NAME = { name: line(60) };

/** Changes what signs the person in. */
const security = { right: "self", needsProof: true } as const;

type PageCall = Pick<Call<never, never, never>, "header">;

async function addPage(
  ctx: ConsoleContext,
  { header }: PageCall,
  visitor: Visitor,
  again: Pick<AddView, "name" | "refused"> = {},
): Promise<Answer> {
  const party = relyingPartyOf(ctx.config, header("host"));
  const options = party && (await registrationOptions(ctx, visitor, party));
  return addPasskeyPage(visitor, { ...again, options });
}

async function onePage(
  { db }: ConsoleContext,
  visitor: Visitor,
  passkeyId: string,
  refused?: RefusedForm,
): Promise<Answer> {
  const { personId } = visitor.person;
  const passkey = await findPasskey(db, personId, passkeyId);
  if (passkey === undefined) throw new NotFound("no such passkey of the person");
  const { passkeys, totp } = await secondFactorsOf(db, personId);
  const isLast = passkeys === 1 && !totp;
  return onePasskeyPage(visitor, passkey, { isLast, ...(refused && { refused }) });
}

export const passkeyRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  consoleRoute({
    ...security,
    method: "GET",
    path: NEW,
    summary: "Add a passkey",
    run: (ctx: ConsoleContext, call, visitor) => addPage(ctx, call, visitor),
  }),
  consoleRoute({
    ...security,
    method: "POST",
    path: NEW,
    summary: "Take a new passkey",
    async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
      const { name: typed = "", response = "" } = call.texts();
      const party = relyingPartyOf(ctx.config, call.header("host"));
      return orRefused(
        async () => {
          const { name } = readFields(NAME, { name: typed.trim() });
          if (party === undefined) throw new PasskeyNotAdded("not under a name of ours");
          await addPasskey(ctx, visitor, { name, response, party });
          return factorAdded(ctx, visitor, "passkey");
        },
        (refused) => addPage(ctx, call, visitor, { name: typed, refused }),
      );
    },
  }),
  consoleRoute({
    ...security,
    method: "GET",
    path: ONE,
    summary: "A passkey",
    params,
    run: (ctx: ConsoleContext, call, visitor) =>
      onePage(ctx, visitor, demandId(call.params.passkey_id)),
  }),
  consoleRoute({
    ...security,
    method: "POST",
    path: ONE,
    summary: "Rename a passkey",
    params,
    async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
      const passkeyId = demandId(call.params.passkey_id);
      return orRefused(
        async () => {
          const { name } = readFields(NAME, { name: call.texts().name?.trim() });
          await renamePasskey(ctx, visitor, { passkeyId, name });
          return redirect("/console/me?done=saved");
        },
        (refused) => onePage(ctx, visitor, passkeyId, refused),
      );
    },
  }),
  consoleRoute({
    ...security,
    method: "POST",
    path: `${ONE}/remove`,
    summary: "Remove a passkey",
    params,
    async run(ctx: ConsoleContext, call, visitor): Promise<Answer> {
      await removePasskey(ctx, visitor, demandId(call.params.passkey_id));
      return redirect("/console/me?done=passkey_removed");
    },
  }),
];
