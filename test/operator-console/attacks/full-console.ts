/** A record of everything that a page of `/operator` shows, with texts of each of its writers. */

import { randomBytes } from "node:crypto";
import { sql } from "../../../src/infra/db/query.ts";
import type { Tab } from "../../../testkit/console.ts";
import { type FullShop, openFullShop } from "../../../testkit/full-shop.ts";
import { operatorJson } from "../../../testkit/operator.ts";
import {
  act,
  makeOperator,
  signInOperator,
  type TestOperator,
} from "../../../testkit/operator-console.ts";
import type { TestService } from "../../../testkit/service.ts";
import { withdraw } from "../../../testkit/withdrawals.ts";
import { liveOwner, makeFile, waitingOnes } from "../../api/withdrawals/bank-files-support.ts";

export interface FullConsole {
  readonly shop: FullShop;
  readonly admin: TestOperator;
  readonly tab: Tab;
  /** The values of `{name}` in paths, by whose path it is. */
  pathWith(path: string): string;
}

export async function openFullConsole(
  service: TestService,
  textOf: (field: string) => string = (field) => field,
): Promise<FullConsole> {
  const shop = await openFullShop(service, textOf);
  const { db } = service.ctx;
  const { accountNumber } = shop.owner;
  const owner = await liveOwner(service, { live: "20000.00 TTD" });
  await waitingOnes(service, owner, [{ amount: "40.00" }]);
  const { batch } = await makeFile(service);
  const held = await withdraw(service, owner, { environment: "live", amount: "6000.00" });
  const tell = ["--tell", textOf("told"), "--by", textOf("by").slice(0, 64)];
  await operatorJson(service, ["hold-withdrawal", held, ...tell, "--why", textOf("why")]);
  const admin = await makeOperator(service);
  const tab = await signInOperator(service, admin);
  await act(tab, "release-withdrawal", { transaction_id: held }, textOf("asked_why"));
  const { approval_id } = await db.one<{ approval_id: string }>(sql`
    select approval_id from approvals where transaction_id = ${held}`);
  await db.run(sql`
    update webhook_endpoints set failing_since = app_now() - interval '1 hour'
    where account_number = ${accountNumber}`);
  const { session_id } = await db.one<{ session_id: string }>(sql`
    update operator_sessions set browser = ${textOf("operator_browser")}
    where person_id = ${admin.personId} and stage = 'signed_in' returning session_id`);
  const { passkey_id } = await db.one<{ passkey_id: string }>(sql`
    insert into passkeys (credential_id, person_id, name, public_key, sign_count)
    values ('operators', ${admin.personId}, ${textOf("operator_passkey").slice(0, 60)},
      ${randomBytes(32)}, 0)
    returning passkey_id`);
  const ids: Readonly<Record<string, string | undefined>> = {
    ...shop.ids,
    ...{ account: accountNumber, webhook_id: shop.ids.id, approval_id, batch: batch.message_id },
    ...{ session_id, passkey_id, command: "freeze-account" },
  };
  const pathWith = (path: string) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const isWithdrawal = path.includes("/withdrawals/") && name === "transaction_id";
      const isUpload = path.includes("/uploads/") && name === "command";
      const id = isUpload ? "import-settlement" : ids[isWithdrawal ? "withdrawal_id" : name];
      if (id === undefined) throw new Error(`no record for ${path}`);
      return encodeURIComponent(id);
    });
  return { shop, admin, tab, pathWith };
}
