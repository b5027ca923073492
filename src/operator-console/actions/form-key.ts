/**
 * A form of `/operator` is carried out once (Decision 0119): its key is written in the tx of the
 * effect, with what was said. The same form again goes to the page where that can be read.
 */

import { randomUUID } from "node:crypto";
import { NotFromOurPage } from "../../console/form-token.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { type Html, html } from "../../kit/html.ts";
import { UUID } from "../../kit/ids.ts";
import type { ActHooks } from "../../modules/operator/act.ts";
import type { Report } from "../../modules/operator/command.ts";
import type { OperatorSession } from "../../modules/people/operators/operator-session.ts";

const FIELD = "form_key";

/** Thrown in the tx that would do it again. */
export class DoneBefore extends Error {}

export function formKeyField(): Html {
  return html`<input type="hidden" name="${FIELD}" value="${randomUUID()}" autocomplete="off">`;
}

export function formKeyOf(sent: Readonly<Record<string, string>>): string {
  const key = sent[FIELD] ?? "";
  if (!UUID.test(key)) throw new NotFromOurPage();
  return key;
}

/** What is shown once is kept nowhere. */
const SECRETS = ["url", "password"];

export function isSecret({ data, isPersonal = false }: Report): boolean {
  return isPersonal || SECRETS.some((name) => typeof data[name] === "string");
}

/** Of commands that take several txs the first claims the form. */
export function onceFor(formKey: string, { person }: Pick<OperatorSession, "person">): ActHooks {
  let isOurs = false;
  return {
    async before(tx) {
      if (isOurs) return;
      const written = await tx.run(sql`
        insert into operator_forms (form_key, person_id, said)
        values (${formKey}, ${person.personId}, '') on conflict do nothing`);
      if (written === 0) throw new DoneBefore();
    },
    async after(tx, report) {
      isOurs = true;
      const said = isSecret(report) ? "Done. It was shown once, and is kept nowhere." : report.text;
      await tx.run(sql`update operator_forms set said = ${said} where form_key = ${formKey}`);
    },
  };
}

/** What a command of several txs says at its end, which is in none of them. */
export async function sayAtEnd(db: Queryable, formKey: string, report: Report): Promise<void> {
  if (isSecret(report)) return;
  await db.run(sql`
    update operator_forms set said = ${report.text}
    where form_key = ${formKey} and said <> ${report.text}`);
}

export async function saidBy(
  db: Queryable,
  { person }: Pick<OperatorSession, "person">,
  formKey: string,
): Promise<string | undefined> {
  if (!UUID.test(formKey)) return undefined;
  const row = await db.maybeOne(sqlOf(pick(tables.operator_forms, "said"))`
    select said from operator_forms
    where form_key = ${formKey} and person_id = ${person.personId}`);
  return row?.said;
}
