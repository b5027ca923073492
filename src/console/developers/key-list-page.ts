/** The API keys of the environment, newest first. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import type { KeyRow } from "../../modules/auth/api-key.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { linkButton } from "../../parts/form.ts";
import { pager } from "../../parts/pager.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { ENVIRONMENT_WORDS } from "../environment-words.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { keyBadge, keyName, rangesHtml } from "./key-words.ts";
import { inDevelopers, KEYS } from "./tabs.ts";

export const PAGE_SIZE = 20;

export interface KeyList {
  readonly rows: readonly KeyRow[];
  readonly total: number;
  readonly page: number;
}

export function keyListPage(visitor: Visitor, { rows, total, page }: KeyList): Answer {
  const make = linkButton({ text: "Make a key", kind: "primary", href: `${KEYS}/new` });
  const hasOlder = page * PAGE_SIZE < total;
  return consolePage(visitor, {
    title: "Keys",
    ...inDevelopers(visitor, "Keys"),
    beside: total > 0 && make,
    content: panel({
      isFlush: true,
      content: [
        keyTable(visitor, rows, make),
        (page > 1 || hasOlder) &&
          pager({
            shown: `${rows.length} of ${total} keys`,
            newer: page > 1 ? `${KEYS}?page=${page - 1}` : undefined,
            older: hasOlder ? `${KEYS}?page=${page + 1}` : undefined,
          }),
      ],
    }),
  });
}

function keyTable({ timeZone, environment }: Visitor, rows: readonly KeyRow[], make: Html): Html {
  const place = ENVIRONMENT_WORDS[environment];
  const timeOr = (at: Date | null, otherwise: string) =>
    at === null ? otherwise : timeHtml(at, timeZone, "date");
  return table<KeyRow>({
    caption: `Keys for ${place}`,
    rows,
    href: ({ kid }) => `${KEYS}/${kid}`,
    columns: [
      { label: "Name", phone: "lead", cell: keyName },
      { label: "State", phone: "side", cell: keyBadge },
      { label: "Key ID", cell: ({ kid }) => html`<code>${kid}</code>` },
      { label: "Scopes", cell: scopeCount },
      { label: "Addresses", cell: rangesHtml },
      { label: "Made", cell: ({ created_at }) => timeHtml(created_at, timeZone, "date") },
      { label: "Expires", cell: ({ expires_at }) => timeOr(expires_at, "Never") },
      { label: "Last used", cell: ({ last_used_at }) => timeOr(last_used_at, "Never") },
    ],
    empty: emptyState({
      heading: `No keys for ${place} yet`,
      text: "A program calls the API with a key: it carries only the scopes you choose.",
      icon: "developers",
      action: make,
    }),
  });
}

/** The names of a few; of many how many. */
function scopeCount({ scopes }: KeyRow): Html {
  const [only] = scopes;
  if (scopes.length === 1) return html`<code>${only}</code>`;
  return html`<span title="${scopes.join(" ")}">${scopes.length} scopes</span>`;
}
