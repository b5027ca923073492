/** Cards: the list, one of them, and deleting it. */

import { now } from "../../infra/db/clock.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { browseCards } from "../../modules/trusted-cards/browse-cards.ts";
import { deleteCard } from "../../modules/trusted-cards/delete-card.ts";
import { findCard, type WantedCard } from "../../modules/trusted-cards/trusted-card.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { idParam } from "../id-param.ts";
import { orRefused, type RefusedForm } from "../refused.ts";
import { ownerOf, type Visitor } from "../visitor.ts";
import { CARDS, cardPage, cardsPage, deleteCardPage } from "./cards-page.ts";

const PAGE_SIZE = 25;
const ONE = `${CARDS}/{uuid}`;
const params = { uuid: idParam };

/** Of either environment: the page of a card has that of the card. */
function wantedOf({ caller: { accountNumber } }: Visitor, uuid: string): WantedCard {
  return { uuid, accountNumber, environment: undefined };
}

async function showCard(
  { db }: ConsoleContext,
  visitor: Visitor,
  uuid: string,
  refused?: RefusedForm,
): Promise<Answer> {
  const card = await findCard(db, wantedOf(visitor, uuid));
  return cardPage(visitor, { card, at: await now(db), refused });
}

const list = consoleRoute({
  method: "GET",
  path: CARDS,
  summary: "Cards of customers",
  right: "cards",
  onlyBusiness: true,
  async run({ db }: ConsoleContext, { url }, visitor): Promise<Answer> {
    const cursor = new URL(url).searchParams.get("page") ?? undefined;
    const page = await browseCards(db, ownerOf(visitor), { cursor, pageSize: PAGE_SIZE });
    return cardsPage(visitor, page, await now(db));
  },
});

const one = consoleRoute({
  method: "GET",
  path: ONE,
  summary: "One card",
  right: "cards",
  onlyBusiness: true,
  params,
  run: (ctx: ConsoleContext, { params: { uuid } }, visitor) => showCard(ctx, visitor, uuid),
});

const askToDelete = consoleRoute({
  method: "GET",
  path: `${ONE}/delete`,
  summary: "Ask before a card is deleted",
  right: "card_deletion",
  onlyBusiness: true,
  params,
  async run({ db }: ConsoleContext, { params: { uuid } }, visitor): Promise<Answer> {
    return deleteCardPage(visitor, await findCard(db, wantedOf(visitor, uuid)));
  },
});

const remove = consoleRoute({
  method: "POST",
  path: `${ONE}/delete`,
  summary: "Delete a card",
  right: "card_deletion",
  onlyBusiness: true,
  params,
  run: (ctx: ConsoleContext, { params: { uuid }, once }, visitor) =>
    orRefused(
      () =>
        once(async (tx) => {
          await deleteCard(tx, visitor.caller, wantedOf(visitor, uuid));
          return `${CARDS}?done=card_deleted`;
        }),
      (refused) => showCard(ctx, visitor, uuid, refused),
    ),
});

export const cardRoutes: readonly ConsoleRoute<ConsoleContext>[] = [list, one, askToDelete, remove];
