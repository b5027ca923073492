/** A link to a place on a page shows its heading: the bars that stay in sight do not cover it. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DESKTOP, PHONE, startBrowser } from "../../testkit/browser.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService();
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service.stop();
});

test("the heading that was jumped to is shown below the bars", async () => {
  for (const options of [PHONE, DESKTOP]) {
    const page = await browser.page(options);
    for (const address of ["/docs/start#3-check-the-result", "/docs/pricing#who-pays-it"]) {
      await page.goto(service.url + address);
      const top = (await page.locator(":target").boundingBox())?.y ?? 0;
      const bars = await page.locator(".site-top, .languages").all();
      for (const bar of bars) {
        const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
        assert(top >= y + height, `${address}: ${top}, and a bar ends at ${y + height}`);
      }
    }
    await page.context().close();
  }
});
