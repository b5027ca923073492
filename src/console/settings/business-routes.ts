/** How the business shows itself to its customers (Decision 0093): the page, and what it sends. */

import type { Answer } from "../../infra/http/answer.ts";
import { FILE_BYTES_MAX } from "../../infra/images/decoder-protocol.ts";
import { fieldRefused, readFields } from "../../kit/fields/field.ts";
import { readBusiness } from "../../modules/business/business.ts";
import { businessBody } from "../../modules/business/business-fields.ts";
import { changeBusiness } from "../../modules/business/change-business.ts";
import { removeLogo, setLogo } from "../../modules/business/logo.ts";
import { internationalPhone } from "../../modules/platforms/phone.ts";
import { redirect } from "../answers.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { orEachRefused, orRefused, type SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import {
  BUSINESS,
  BUSINESS_LABELS,
  type BusinessPageView,
  businessPage,
  LOGO,
} from "./business-page.ts";

const SAVED = `${BUSINESS}?done=saved`;
const right = "business" as const;
const NO_COLOUR = fieldRefused("accent_colour", "format is invalid").message;
const WORDS_OF_FORM = {
  ...BUSINESS_LABELS,
  [NO_COLOUR]: "“Colour” must be # and six of 0 to 9 and a to f, such as #0a7d3c.",
};

async function show(
  { db, config }: ConsoleContext,
  visitor: Visitor,
  more: Omit<BusinessPageView, "business"> = {},
): Promise<Answer> {
  const business = await readBusiness(db, config, visitor.account.accountNumber);
  return businessPage(visitor, { business, ...more });
}

const page = consoleRoute({
  method: "GET",
  path: BUSINESS,
  summary: "The business profile",
  right,
  run: (ctx: ConsoleContext, _call, visitor) => show(ctx, visitor),
});

const save = consoleRoute({
  method: "POST",
  path: BUSINESS,
  summary: "Change the business profile",
  right,
  run: (ctx: ConsoleContext, { texts }, visitor) => {
    const sent = asTyped(texts(), visitor);
    return orEachRefused(
      { shape: businessBody, sent },
      async () => {
        const change = readFields(businessBody, sent);
        await ctx.db.transaction((tx) => changeBusiness(tx, visitor.caller, change));
        return redirect(SAVED);
      },
      (refused) => show(ctx, visitor, { sent, refused }),
      WORDS_OF_FORM,
    );
  },
});

/** A phone as people of the country write it; a colour that was picked and not typed. */
function asTyped(sent: SentForm, { account }: Visitor): SentForm {
  const { support_phone = "", accent_colour_picked: picked, accent_colour_shown: shown } = sent;
  return {
    ...sent,
    support_phone: internationalPhone(support_phone, account.countryCode) ?? support_phone,
    ...(picked !== undefined && picked !== shown && { accent_colour: picked }),
  };
}

const saveLogo = consoleRoute({
  method: "POST",
  path: LOGO,
  summary: "Set the logo",
  right,
  upload: { field: "logo", bytesMax: FILE_BYTES_MAX },
  run: (ctx: ConsoleContext, { upload }, visitor) =>
    orRefused(
      async () => {
        await setLogo(ctx, visitor.caller, upload);
        return redirect(SAVED);
      },
      (refused) => show(ctx, visitor, { refused }),
    ),
});

const dropLogo = consoleRoute({
  method: "POST",
  path: `${LOGO}/remove`,
  summary: "Remove the logo",
  right,
  run: (ctx: ConsoleContext, _call, visitor) =>
    orRefused(
      async () => {
        await ctx.db.transaction((tx) => removeLogo(tx, visitor.caller));
        return redirect(SAVED);
      },
      (refused) => show(ctx, visitor, { refused }),
    ),
});

export const businessPages: readonly ConsoleRoute<ConsoleContext>[] = [
  page,
  save,
  saveLogo,
  dropLogo,
];
