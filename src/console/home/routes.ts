/** Home: how the business stands, what it did lately, and what needs attention. */

import { now } from "../../infra/db/clock.ts";
import type { Queryable } from "../../infra/db/query.ts";
import type { Answer } from "../../infra/http/answer.ts";
import { Unavailable } from "../../kit/errors.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import { CURRENCIES, money } from "../../kit/money.ts";
import { type Balance, balancesOf } from "../../modules/ledger/balances.ts";
import { hasSecondFactor, secondFactorsOf } from "../../modules/people/second-factors.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import { readAttention } from "../../modules/statements/read-attention.ts";
import { type Figures, readFigures } from "../../modules/statements/read-figures.ts";
import { searchPayments } from "../../modules/transactions/search-payments.ts";
import { linkButton } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { redirect } from "../answers.ts";
import { balanceStats } from "../balance/page.ts";
import { type ConsoleRoute, consoleRoute } from "../console-route.ts";
import type { ConsoleContext } from "../context.ts";
import { consolePage } from "../page.ts";
import { PAYMENTS, searchOf } from "../payments/payment-filters.ts";
import { noPayments, paymentTable } from "../payments/payment-table.ts";
import { ownerOf, type Visitor } from "../visitor.ts";
import { attentionList } from "./attention.ts";
import { figuresPanels, PERIODS, type Period } from "./figures.ts";

const PAYMENTS_SHOWN = 5;
const DAYS_PRESET: Period = 30;

export const homeRoutes: readonly ConsoleRoute<ConsoleContext>[] = [
  consoleRoute({
    method: "GET",
    path: "/console",
    summary: "Home",
    right: "self",
    readsFromStandby: true,
    async run({ db }: ConsoleContext, { url, read }, visitor): Promise<Answer> {
      // Support sees payments only: that is where it begins.
      if (!visitor.mayDo("balances")) return redirect(PAYMENTS);
      const owner = ownerOf(visitor);
      const { days, currency } = chosen(url);
      const asked = { ...owner, timeZone: visitor.timeZone, days, currency: undefined };
      const figures = await orLater(read((reads) => readFigures(reads, asked)));
      const latest = { cursor: undefined, pageSize: PAYMENTS_SHOWN };
      const search = searchOf(visitor, {});
      const { rows } = await read((reads) => searchPayments(reads, search, latest));
      return consolePage(visitor, {
        title: "Home",
        section: "Home",
        content: [
          await recoveryNotice(db, visitor),
          html`<div class="stack" id="now" data-live>
${attentionList(visitor, await readAttention(db, owner))}
${balances(visitor, await balancesOf(db, owner.accountNumber, owner.environment))}</div>`,
          figures === undefined ? LATER : figuresPanels({ figures, days, currency }),
          panel({
            heading: "Last payments",
            live: "last-payments",
            actions: linkButton({ text: "All payments", href: PAYMENTS, kind: "quiet" }),
            isFlush: true,
            content: paymentTable(visitor, rows, {
              caption: "Last payments",
              now: await now(db),
              empty: noPayments(visitor),
            }),
          }),
        ],
      });
    },
  }),
];

/** Until they exist, a lost phone locks its person out. */
async function recoveryNotice(db: Queryable, { person }: Visitor): Promise<HtmlValue> {
  const factors = await secondFactorsOf(db, person.personId);
  if (!hasSecondFactor(factors) || factors.recoveryCodes > 0) return undefined;
  return notice({
    tone: "warn",
    heading: "You have no recovery codes",
    text: "Without them a lost phone locks you out.",
    action: html`<a href="/console/me/recovery-codes">Make recovery codes</a>`,
  });
}

const LATER = notice({
  tone: "progress",
  text: "The figures are being added up. They will be here in a few minutes.",
});

/** After an upgrade the past is added up first; the rest of the page does not wait for that. */
async function orLater(reading: Promise<Figures>): Promise<Figures | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}

/** What the address names, or what is usual: an old link must not fail. */
function chosen(url: string) {
  const { searchParams } = new URL(url);
  const days = PERIODS.find((each) => `${each}` === searchParams.get("days")) ?? DAYS_PRESET;
  const currency = CURRENCIES.find((each) => each === searchParams.get("currency"));
  return { days, currency };
}

function balances({ account }: Visitor, byCurrency: ReadonlyMap<string, Balance>): Html {
  const none = money(platformOf(account.countryCode).localCurrency, 0n);
  const all = [...byCurrency.values()];
  return balanceStats(all.length > 0 ? all : [{ balance: none, available: none, held: none }]);
}
