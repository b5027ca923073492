/** Payment links in the console: the use cases of the API. */

import type { Answer } from "../../infra/http/answer.ts";
import { optional } from "../../kit/fields/field.ts";
import { integer } from "../../kit/fields/number.ts";
import { text } from "../../kit/fields/text.ts";
import { PAGE_MAX } from "../../kit/page.ts";
import { readTermsNow } from "../../modules/accounts/own-terms.ts";
import { changeLink } from "../../modules/payment-links/change-link.ts";
import { createLink } from "../../modules/payment-links/create-link.ts";
import { linkTotalsByLabel, linkTotalsByMonth } from "../../modules/payment-links/link-totals.ts";
import { findLink, listLinks, type WantedLink } from "../../modules/payment-links/payment-link.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { idParam } from "../id-param.ts";
import { orRefused, type RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { changeOf, readLinkChange, readNewLink } from "./link-fields.ts";
import { changeLinkPage, newLinkPage } from "./link-form.ts";
import { WORDS_OF_FORM } from "./link-labels.ts";
import { linkPage } from "./link-page.ts";
import { LINKS, LINKS_ACCESS, linkHref } from "./link-words.ts";
import { linksPage, PAGE_SIZE } from "./list-page.ts";

const ONE = `${LINKS}/{link_id}`;
const ofLink = { ...LINKS_ACCESS, params: { link_id: idParam } } as const;

/** Of either environment: the page of a link has that of the link. */
function wantedOf({ caller: { accountNumber } }: Visitor, id: string): WantedLink {
  return { id, accountNumber, environment: undefined };
}

const list = consoleRoute({
  ...LINKS_ACCESS,
  method: "GET",
  path: LINKS,
  summary: "Payment links",
  query: {
    page: integer({ min: 1, max: PAGE_MAX, default: 1 }),
    label: optional(text({ max: 60 })),
  },
  async run({ db }: ConsoleContext, { query: { page, label } }, visitor): Promise<Answer> {
    const { environment, caller } = visitor;
    const asked = { page, page_size: PAGE_SIZE, environment, label };
    const [found, byLabel, byMonth] = await Promise.all([
      listLinks(db, caller, asked),
      linkTotalsByLabel(db, caller, { environment }),
      linkTotalsByMonth(db, caller, { environment, ...(label !== undefined && { label }) }),
    ]);
    return linksPage(visitor, { ...found, page, label, byLabel, byMonth });
  },
});

const form = consoleRoute({
  ...LINKS_ACCESS,
  method: "GET",
  path: `${LINKS}/new`,
  summary: "The form of a new payment link",
  run: async ({ db }: ConsoleContext, _call, visitor) =>
    newLinkPage(visitor, await readTermsNow(db, visitor.caller)),
});

const make = consoleRoute({
  ...LINKS_ACCESS,
  method: "POST",
  path: `${LINKS}/new`,
  summary: "Make a payment link",
  run: (ctx: ConsoleContext, { texts, once }, visitor) => {
    const sent = texts();
    return orRefused(
      async () => {
        const { values, rules } = await readNewLink(ctx, visitor, sent);
        return once(async (tx) => {
          const link = await createLink(tx, visitor.caller, values, rules);
          return `${linkHref(link)}?done=link`;
        });
      },
      async (refused) =>
        newLinkPage(visitor, await readTermsNow(ctx.db, visitor.caller), { sent, refused }),
      WORDS_OF_FORM,
    );
  },
});

async function showLink(
  { config, db }: ConsoleContext,
  visitor: Visitor,
  id: string,
  refused?: RefusedForm,
): Promise<Answer> {
  const link = await findLink(db, wantedOf(visitor, id));
  const { environment, link_id: linkId } = link;
  const byMonth = await linkTotalsByMonth(db, visitor.caller, { environment, linkId });
  return linkPage(config, visitor, { link, byMonth, refused });
}

const one = consoleRoute({
  ...ofLink,
  method: "GET",
  path: ONE,
  summary: "A payment link",
  run: (ctx: ConsoleContext, { params: { link_id } }, visitor) => showLink(ctx, visitor, link_id),
});

const changeForm = consoleRoute({
  ...ofLink,
  method: "GET",
  path: `${ONE}/change`,
  summary: "The form of a payment link's changes",
  run: async ({ db }: ConsoleContext, { params: { link_id } }, visitor) =>
    changeLinkPage(visitor, await findLink(db, wantedOf(visitor, link_id))),
});

const change = consoleRoute({
  ...ofLink,
  method: "POST",
  path: `${ONE}/change`,
  summary: "Change a payment link",
  async run({ config, db }: ConsoleContext, { params: { link_id }, texts, once }, visitor) {
    const sent = texts();
    const wanted = wantedOf(visitor, link_id);
    const link = await findLink(db, wanted);
    return orRefused(
      async () => {
        const changes = readLinkChange(config, visitor, { link, sent });
        return once(async (tx) => {
          await changeLink(tx, visitor.caller, wanted, changes);
          return `${linkHref(link)}?done=saved`;
        });
      },
      (refused) => changeLinkPage(visitor, link, { sent, refused }),
      WORDS_OF_FORM,
    );
  },
});

const switchTo = (word: "on" | "off") =>
  consoleRoute({
    ...ofLink,
    method: "POST",
    path: `${ONE}/${word}`,
    summary: `Switch a payment link ${word}`,
    run: (ctx: ConsoleContext, { params: { link_id }, once }, visitor) =>
      orRefused(
        () =>
          once(async (tx) => {
            const wanted = wantedOf(visitor, link_id);
            const changes = changeOf(ctx.config, { active: word === "on" });
            const link = await changeLink(tx, visitor.caller, wanted, changes);
            return `${linkHref(link)}?done=link_${word}`;
          }),
        (refused) => showLink(ctx, visitor, link_id, refused),
      ),
  });

export const linkRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  list,
  form,
  make,
  one,
  changeForm,
  change,
  switchTo("on"),
  switchTo("off"),
];
