/** A customer without a browser: the forms of the payment page, sent as a browser sends them. */

import { formToken } from "../src/modules/checkout/page/form-token.ts";
import type { TestService } from "./service.ts";

const CARD = { expiry: "09/35", cvv: "987", holder: "Maya Joseph" };

/** Where the browser is led after the card was tried; after a decline the customer gives up. */
export async function payByForm(
  service: TestService,
  { url, number }: { url: string; number: string },
): Promise<string> {
  const { config } = service.ctx;
  const path = new URL(url).pathname;
  const { origin } = new URL(config.http.paymentsPublicUrl);
  const post = async (to: string, typed: Record<string, string>) => {
    const form_token = formToken(config, path.split("/")[2] ?? "");
    const headers = { origin, "sec-fetch-site": "same-origin" };
    const sent = { method: "POST", headers, form: { form_token, ...typed } };
    return (await service.request(to, sent)).headers.get("location") ?? "";
  };
  const next = await post(path, { attempts: "0", number, ...CARD });
  return /^https?:/.test(next) ? next : post(`${path}/back`, { attempts: "1" });
}
