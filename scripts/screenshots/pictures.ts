/** Every picture of the guides: what is opened, what is done there, and how large it is. */

import type { BrowserContextOptions, Page } from "playwright-core";
import { DESKTOP, PHONE } from "../../testkit/browser.ts";

/** What was made before, by the names that pages know it by. */
export interface Made {
  readonly paymentId: string;
  readonly endpointId: string;
  readonly requestId: string;
}

export interface Picture {
  /** Of the file in docs/images, without its ending. */
  readonly name: string;
  readonly options: BrowserContextOptions;
  /** Whose page it is; absent: of nobody who has signed in. */
  readonly as?: string;
  readonly path: (made: Made) => string;
  /** What somebody does on the page before it is taken. */
  act?(page: Page): Promise<unknown>;
}

const OWNER = "merchant@example.com";
const WIDE: BrowserContextOptions = { ...DESKTOP, deviceScaleFactor: 1.5 };
const HIGH: BrowserContextOptions = { ...WIDE, viewport: { width: 1280, height: 1000 } };
const SMALL: BrowserContextOptions = { ...PHONE, viewport: { width: 390, height: 844 } };
const LOW: BrowserContextOptions = { ...SMALL, viewport: { width: 390, height: 480 } };

export const PICTURES: readonly Picture[] = [
  { name: "console-sign-in", options: LOW, path: () => "/sign-in" },
  { name: "console-home", options: HIGH, as: OWNER, path: () => "/console" },
  { name: "console-phone", options: SMALL, as: OWNER, path: () => "/console" },
  { name: "console-payments", options: WIDE, as: OWNER, path: () => "/console/payments" },
  {
    name: "console-payment",
    options: HIGH,
    as: OWNER,
    path: ({ paymentId }) => `/console/payments/${paymentId}`,
  },
  {
    name: "console-refund",
    options: WIDE,
    as: OWNER,
    path: ({ paymentId }) => `/console/payments/${paymentId}`,
    async act(page) {
      await page.getByRole("button", { name: "Refund", exact: true }).click();
      await page.getByLabel("Amount").fill("25.00");
      await page.getByLabel("Reason").fill("Damaged in the post");
    },
  },
  { name: "console-statement", options: WIDE, as: OWNER, path: () => "/console/balance" },
  { name: "console-withdrawals", options: WIDE, as: OWNER, path: () => "/console/withdrawals" },
  {
    name: "console-delivery",
    options: HIGH,
    as: OWNER,
    path: ({ endpointId }) => `/console/developers/webhooks/${endpointId}`,
    act: (page) => page.getByRole("link", { name: "payment.success" }).first().click(),
  },
  {
    name: "console-request",
    options: WIDE,
    as: OWNER,
    path: ({ requestId }) => `/console/developers/requests/${requestId}`,
  },
  { name: "console-members", options: HIGH, as: OWNER, path: () => "/console/settings/members" },
];
