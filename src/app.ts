/**
 * The composition root: one context for every module, and every module's routes and jobs. A module
 * that is not named here is not part of the service.
 */

import type { ConsoleContext } from "./console/context.ts";
import { createLiveStreams } from "./console/live/live-streams.ts";
import { consolePageRoutes } from "./console/routes.ts";
import type { Infra } from "./infra/context.ts";
import { createReadiness, type Readiness } from "./infra/db/readiness.ts";
import type { Server } from "./infra/http/listen/server.ts";
import { createServer } from "./infra/http/listen/server.ts";
import type { Route } from "./infra/http/route.ts";
import { healthRoutes, metricsRoute } from "./infra/http/serve/health-routes.ts";
import { pruneRequestRows } from "./infra/http/serve/prune-request-rows.ts";
import { createThumbnailService } from "./infra/images/thumbnail-service.ts";
import type { Job } from "./infra/jobs/job.ts";
import { olderJobs, pruneOlderJobs } from "./infra/jobs/older-jobs.ts";
import type { Watch } from "./infra/jobs/watch.ts";
import { watchDatabase } from "./infra/jobs/watch-database.ts";
import { watchJobs } from "./infra/jobs/watch-jobs.ts";
import { createMinuteThrottle } from "./kit/minute-throttle.ts";
import type { AccountsContext } from "./modules/accounts/context.ts";
import { createPasswords } from "./modules/accounts/passwords.ts";
import { accountRoutes } from "./modules/accounts/routes.ts";
import { createAuthenticate } from "./modules/auth/authenticate.ts";
import type { AuthContext } from "./modules/auth/context.ts";
import { holdCredential } from "./modules/auth/hold-credential.ts";
import { createKeyUsage } from "./modules/auth/key-usage.ts";
import { pruneCredentials } from "./modules/auth/prune-credentials.ts";
import { authRoutes } from "./modules/auth/routes.ts";
import { createSigningKeys, ensureSigningKeys } from "./modules/auth/signing-keys.ts";
import { businessRoutes } from "./modules/business/routes.ts";
import { pageRoutes } from "./modules/checkout/page/routes.ts";
import {
  createCheckoutOpener,
  type OpenerContext,
} from "./modules/checkout/request/checkout-opener.ts";
import { requestRoutes } from "./modules/checkout/request/routes.ts";
import { paymentKeyRoutes } from "./modules/checkout/result/key-routes.ts";
import { createCheckoutBatches } from "./modules/checkout/session/checkout-batches.ts";
import type { Purposes } from "./modules/checkout/session/context.ts";
import { paymentPurpose } from "./modules/checkout/session/payment-purpose.ts";
import type { AfterNumbering } from "./modules/events/event.ts";
import { pruneResends } from "./modules/events/prune-resends.ts";
import { eventRoutes } from "./modules/events/routes.ts";
import { createGateways } from "./modules/gateway/create-gateways.ts";
import { gatewayStates } from "./modules/gateway/gateway-states.ts";
import { forgetChallenges } from "./modules/gateway/powertranz/forget-challenges.ts";
import { challengeRoutes } from "./modules/gateway/sandbox/challenge-routes.ts";
import { MONEY_LEFT, moneyLeft } from "./modules/ledger/balances.ts";
import { reconcileLedger } from "./modules/ledger/reconcile.ts";
import { mailboxRoutes } from "./modules/mail/mailbox-routes.ts";
import { pruneMails } from "./modules/mail/prune-mails.ts";
import type { MailContext } from "./modules/mail/send-mail.ts";
import { createMailSender } from "./modules/mail/send-over-smtp.ts";
import { watchMails } from "./modules/mail/watch-mails.ts";
import { isNoted } from "./modules/notifications/notifications-due.ts";
import { linkPurpose } from "./modules/payment-links/link-purpose.ts";
import { linkPageRoutes } from "./modules/payment-links/page-routes.ts";
import { paymentLinkRoutes } from "./modules/payment-links/routes.ts";
import { sendResetLinkJob } from "./modules/people/forgot-password.ts";
import { prunePeople } from "./modules/people/prune-people.ts";
import { tellOfEmail } from "./modules/people/tell-owners.ts";
import { eraseUnpaidJob } from "./modules/privacy/erase-unpaid.ts";
import { keepAuditMonths } from "./modules/privacy/keep-audit-months.ts";
import { mailsReceiptsIn } from "./modules/receipts/may-mail.ts";
import { receiptRoutes } from "./modules/receipts/routes.ts";
import { keepRequestDays } from "./modules/request-log/keep-request-days.ts";
import { createRequestLog, type RequestLog } from "./modules/request-log/request-log.ts";
import { requestLogRoutes } from "./modules/request-log/routes.ts";
import type { ClockContext } from "./modules/sandbox-clock/move-clock.ts";
import { sandboxClockRoutes } from "./modules/sandbox-clock/routes.ts";
import { sandboxControlRoutes } from "./modules/sandbox-controls/routes.ts";
import { type SnapshotContext, sandboxSnapshotRoutes } from "./modules/sandbox-snapshots/routes.ts";
import { reconcileSettlementsJob } from "./modules/settlement/reconcile-settlements.ts";
import { addUpStatementsJob } from "./modules/statements/add-up-statements.ts";
import { mailStatementsJob } from "./modules/statements/mail-statements.ts";
import { addUpCountsJob } from "./modules/transactions/add-up-counts.ts";
import {
  createTransactionReader,
  OPEN_PAYMENT,
  paymentUnderWay,
  type TransactionsContext,
} from "./modules/transactions/find-transaction.ts";
import type { HoldsContext } from "./modules/transactions/reconcile-records.ts";
import { reconcileRecordsJob } from "./modules/transactions/reconcile-records.ts";
import { refundRoutes } from "./modules/transactions/refund-routes.ts";
import { transactionRoutes } from "./modules/transactions/routes.ts";
import { settleRefundJob } from "./modules/transactions/settle-refunds.ts";
import { watchRefunds } from "./modules/transactions/watch-refunds.ts";
import { cardBeingSaved } from "./modules/trusted-cards/card-check.ts";
import { chargingPurpose } from "./modules/trusted-cards/charging-purpose.ts";
import { forgetCardsJob } from "./modules/trusted-cards/forget-cards.ts";
import { reconcileChecksJob } from "./modules/trusted-cards/reconcile-checks.ts";
import { returnCheckJob } from "./modules/trusted-cards/return-check.ts";
import { trustedCardRoutes } from "./modules/trusted-cards/routes.ts";
import { savingPurpose } from "./modules/trusted-cards/saving-purpose.ts";
import type { PictureContext } from "./modules/user/picture.ts";
import { pictureRoutes } from "./modules/user/picture-routes.ts";
import { userRoutes } from "./modules/user/routes.ts";
import { v1Routes } from "./modules/v1-compat/v1-routes.ts";
import { createV1Use } from "./modules/v1-compat/v1-use.ts";
import { cancelDeliveriesJob } from "./modules/webhooks/cancel-deliveries.ts";
import { fanOut } from "./modules/webhooks/fan-out.ts";
import { createMessenger, type WebhooksContext } from "./modules/webhooks/messenger.ts";
import { pruneDeliveries } from "./modules/webhooks/prune-deliveries.ts";
import { webhookRoutes } from "./modules/webhooks/routes.ts";
import { watchEndpoints } from "./modules/webhooks/watch-endpoints.ts";
import type { WithdrawalsContext } from "./modules/withdrawals/context.ts";
import { pruneLists } from "./modules/withdrawals/payee-lists/prune-lists.ts";
import { createBanks } from "./modules/withdrawals/payouts/sandbox-bank.ts";
import {
  HELD_FOR_WITHDRAWALS,
  reconcileWithdrawalsJob,
} from "./modules/withdrawals/reconcile-withdrawals.ts";
import { withdrawalRoutes } from "./modules/withdrawals/routes.ts";
import { watchWithdrawals } from "./modules/withdrawals/watch-withdrawals.ts";
import { OPEN_WITHDRAWAL, withdrawalUnderWay } from "./modules/withdrawals/withdrawal.ts";
import { operatorPageRoutes } from "./operator-console/routes.ts";
import { consoleAssetRoute } from "./parts/console-assets.ts";
import { collectionRoutes } from "./site/collections/routes.ts";
import { documentRoutes } from "./site/document-routes.ts";
import { galleryRoutes } from "./site/gallery/gallery-page.ts";
import { unknownPathPage } from "./site/unknown-path.ts";
import { verifyRoutes } from "./site/verify-page.ts";

export type AppContext = AuthContext &
  MailContext &
  AccountsContext &
  PictureContext &
  OpenerContext &
  WebhooksContext &
  TransactionsContext &
  ConsoleContext &
  HoldsContext &
  WithdrawalsContext &
  ClockContext &
  SnapshotContext & { readonly requestLog: RequestLog; readonly readiness: Readiness };

const moduleRoutes: readonly Route<AppContext>[] = [
  ...authRoutes,
  ...consolePageRoutes,
  ...operatorPageRoutes,
  ...eventRoutes,
  ...pictureRoutes,
  ...businessRoutes,
  ...transactionRoutes,
  ...refundRoutes,
  ...receiptRoutes,
  ...challengeRoutes,
  ...paymentKeyRoutes,
  ...pageRoutes,
  ...linkPageRoutes,
  ...withdrawalRoutes,
  ...sandboxControlRoutes,
  ...requestLogRoutes,
];

export const appJobs: readonly Job<AppContext>[] = [
  ...olderJobs,
  pruneOlderJobs,
  pruneRequestRows,
  pruneCredentials,
  prunePeople,
  sendResetLinkJob,
  pruneMails,
  reconcileLedger,
  reconcileRecordsJob,
  addUpCountsJob,
  addUpStatementsJob,
  mailStatementsJob,
  forgetChallenges,
  settleRefundJob,
  returnCheckJob,
  forgetCardsJob,
  reconcileChecksJob,
  cancelDeliveriesJob,
  pruneDeliveries,
  pruneResends,
  reconcileWithdrawalsJob,
  pruneLists,
  reconcileSettlementsJob,
  keepRequestDays,
  keepAuditMonths,
  eraseUnpaidJob,
];

/** What a worker looks at for its gauges. */
export const appWatches: readonly Watch[] = [
  watchJobs,
  watchDatabase,
  watchMails,
  watchRefunds,
  watchWithdrawals,
  watchEndpoints,
];

/** What checkouts are for. */
export const purposes: Purposes = {
  payment: paymentPurpose,
  card: savingPurpose,
  charge: chargingPurpose,
  link: linkPurpose,
};

/** Why an account cannot be closed: what the documents say of it, and who looks. */
const STAYS_OPEN = [
  { sentence: MONEY_LEFT, check: moneyLeft },
  { sentence: OPEN_PAYMENT, check: paymentUnderWay },
  { sentence: OPEN_PAYMENT, check: cardBeingSaved },
  { sentence: OPEN_WITHDRAWAL, check: withdrawalUnderWay },
] as const;

/** What follows from events in the tx that numbers them. */
export function afterNumbering({ config }: Pick<Infra, "config">): AfterNumbering {
  return { ...fanOut, name: "fan-out-and-note", noted: isNoted(mailsReceiptsIn(config)) };
}

export async function createContext(
  infra: Infra,
  { snapshots }: Partial<Pick<SnapshotContext, "snapshots">> = {},
): Promise<AppContext> {
  const { config, db, log } = infra;
  await ensureSigningKeys(db, config.wrappingKeys);
  return {
    ...infra,
    readiness: await createReadiness(db, log),
    passwords: createPasswords(config.passwords, log),
    signingKeys: createSigningKeys(db, config.wrappingKeys),
    keyUsage: createKeyUsage(db, log),
    scopeRefusals: createMinuteThrottle(),
    v1Use: createV1Use(db, log),
    requestLog: createRequestLog(infra),
    images: createThumbnailService({ log }),
    gateways: createGateways(infra),
    banks: createBanks(infra),
    sendMessage: createMailSender(config.mail),
    failpoint() {},
    purposes,
    batches: createCheckoutBatches({ ...infra, purposes }),
    readTransaction: createTransactionReader(db),
    opener: createCheckoutOpener({ ...infra, purposes }),
    messenger: createMessenger(infra),
    liveStreams: createLiveStreams(infra),
    reasonsToStayOpen: STAYS_OPEN.map(({ check }) => check),
    otherHolds: [HELD_FOR_WITHDRAWALS],
    holdCredential,
    tellOfEmail,
    snapshots,
    jobsByTheClock: appJobs.filter((job) => job.followsTheClock).map((job) => job.name),
  };
}

/** Every route that this process would serve, for the server, the documents and the tests. */
export function appRoutes(ctx: Pick<AppContext, "config">): readonly Route<AppContext>[] {
  const current = [
    ...moduleRoutes,
    ...accountRoutes(ctx.config, [...new Set(STAYS_OPEN.map(({ sentence }) => sentence))]),
    ...userRoutes(ctx.config),
    ...webhookRoutes(ctx.config),
    ...requestRoutes(ctx.config),
    ...trustedCardRoutes(ctx.config),
    ...paymentLinkRoutes(ctx.config),
    ...sandboxClockRoutes(ctx.config),
    ...sandboxSnapshotRoutes(ctx.config),
    ...mailboxRoutes(ctx.config),
    ...healthRoutes<AppContext>(gatewayStates),
    ...verifyRoutes,
    consoleAssetRoute<AppContext>(),
    ...galleryRoutes<AppContext>(ctx.config),
    ...(ctx.config.http.metricsPort === undefined ? [metricsRoute] : []),
  ];
  const routes = [...current, ...v1Routes(current), ...collectionRoutes(() => everything)];
  const everything: readonly Route<AppContext>[] = [
    ...routes,
    ...documentRoutes(routes, ctx.config),
  ];
  return everything;
}

export function createApp(
  ctx: AppContext,
  options: {
    extraRoutes?: readonly Route<AppContext>[];
    after?: Server | undefined;
  } = {},
): Server {
  const routes = appRoutes(ctx);
  return createServer(ctx, {
    routes: [...routes, ...(options.extraRoutes ?? [])],
    authenticate: createAuthenticate(ctx),
    record: ctx.requestLog.record,
    unknownPathPage,
    after: options.after,
  });
}
