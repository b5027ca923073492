/** The pages of saved cards: the list, one card and its state, and deleting it. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import type { CardPage } from "../../modules/trusted-cards/browse-cards.ts";
import type { CardRow } from "../../modules/trusted-cards/trusted-card.ts";
import { badge } from "../../parts/badge.ts";
import { copyable } from "../../parts/copy.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { dialog, dialogButton } from "../../parts/dialog.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { confirmForm } from "../../parts/form.ts";
import { pager } from "../../parts/pager.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { oneTimeField } from "../one-time-form.ts";
import { atRecord, otherEnvironment } from "../other-environment.ts";
import { consolePage } from "../page.ts";
import { cardWords } from "../payments/payment-words.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";

export const CARDS = "/console/cards";

/** `at`: the moment of the page, by the database's clock. */
export function cardsPage(visitor: Visitor, page: CardPage, at: Date): Answer {
  const { rows, older, newer } = page;
  return consolePage(visitor, {
    title: "Cards",
    section: "Cards",
    content: [
      panel({ isFlush: true, live: "cards", content: cardTable(visitor, rows, at) }),
      rows.length > 0 &&
        pager({
          shown: rows.length === 1 ? "1 card" : `${rows.length} cards`,
          newer: newer && `${CARDS}?page=${newer}`,
          older: older && `${CARDS}?page=${older}`,
        }),
    ],
  });
}

function cardTable(visitor: Visitor, rows: readonly CardRow[], at: Date): Html {
  const { timeZone } = visitor;
  return table<CardRow>({
    caption: "Cards of customers",
    rows,
    href: ({ card_uuid }) => `${CARDS}/${card_uuid}`,
    columns: [
      { label: "Card", phone: "lead", cell: nameOf },
      { label: "State", phone: "side", cell: (card) => stateBadge(card, at) },
      { label: "Name", phone: "note", cell: ({ holder }) => holder },
      { label: "Expires", cell: expiryOf },
      {
        label: "To be verified by",
        cell: (card) =>
          card.verified_at === null ? timeHtml(card.verify_expires_at, timeZone) : "",
      },
      { label: "Saved", cell: ({ created_at }) => timeHtml(created_at, timeZone) },
    ],
    empty: emptyState({
      icon: "cards",
      heading: "No cards yet",
      text: "Cards that customers save with you, to be charged again, show here.",
    }),
  });
}

export interface CardView {
  readonly card: CardRow;
  readonly at: Date;
  readonly refused?: RefusedForm | undefined;
}

export function cardPage(visitor: Visitor, view: CardView): Answer {
  const { card, refused } = view;
  const href = `${CARDS}/${card.card_uuid}`;
  const mayDelete = visitor.mayDo("card_deletion");
  return consolePage(atRecord(visitor, card), {
    title: nameOf(card),
    section: "Cards",
    back: { name: "Cards", href: CARDS },
    problem: refused?.summary,
    ...(mayDelete && {
      beside: dialogButton({
        dialog: "delete-card",
        href: `${href}/delete`,
        text: "Delete",
        kind: "danger",
      }),
    }),
    content: [
      otherEnvironment(visitor, card, "card"),
      panel({ live: "card", content: definitionList(factsOf(visitor, view)) }),
      mayDelete &&
        dialog({
          id: "delete-card",
          heading: "Delete this card?",
          content: deleteForm(visitor, card),
        }),
    ],
  });
}

/** The same form on a page of its own. */
export function deleteCardPage(visitor: Visitor, card: CardRow): Answer {
  return consolePage(atRecord(visitor, card), {
    title: "Delete this card?",
    section: "Cards",
    back: { name: nameOf(card), href: `${CARDS}/${card.card_uuid}` },
    content: panel({ content: deleteForm(visitor, card) }),
  });
}

function deleteForm(visitor: Visitor, card: CardRow): Html {
  const href = `${CARDS}/${card.card_uuid}`;
  const isVerified = card.verified_at !== null;
  return confirmForm({
    action: `${href}/delete`,
    csrf: visitor.formToken,
    text: html`<p>${nameOf(card)} of ${card.holder} can no longer be charged, and cannot be
brought back: the customer would have to save it again.
${!isVerified && "The small amount that was charged to it is returned."}</p>`,
    fields: oneTimeField(),
    button: "Delete",
    isDangerous: true,
    cancelHref: href,
  });
}

function factsOf({ timeZone }: Visitor, { card, at }: CardView) {
  const { verified_at: verifiedAt } = card;
  return [
    { term: "State", value: stateBadge(card, at) },
    { term: "Card", value: nameOf(card) },
    { term: "Name on the card", value: card.holder },
    { term: "Expires", value: expiryOf(card) },
    { term: "Saved", value: timeHtml(card.created_at, timeZone) },
    verifiedAt === null
      ? {
          term: "To be verified by",
          value: html`${timeHtml(card.verify_expires_at, timeZone)}, or it is deleted
and the small amount returned`,
        }
      : { term: "Verified", value: timeHtml(verifiedAt, timeZone) },
    { term: "Id", value: copyable(card.card_uuid, "id") },
    { term: "Saved by the transaction", value: copyable(card.transaction_id, "transaction") },
  ];
}

function nameOf({ card_type, last_four }: CardRow): string {
  return cardWords(card_type, last_four);
}

function stateBadge(card: CardRow, at: Date): Html {
  if (isExpired(card, at)) return badge("warn", "Expired");
  return card.verified_at === null
    ? badge("progress", "To be verified")
    : badge("good", "Verified");
}

function expiryOf({ exp_month, exp_year }: CardRow): string {
  return `${String(exp_month).padStart(2, "0")}/${exp_year}`;
}

/** A card is good until its month ends. */
function isExpired({ exp_month, exp_year }: CardRow, at: Date): boolean {
  return Date.UTC(exp_year, exp_month, 1) <= at.getTime();
}
