/** Signs in to the operator's console in a browser, with the second factor. */

import type { Journey } from "../../testkit/journey-ways.ts";
import { operatorCode, type TestOperator } from "../../testkit/operator-console.ts";
import type { TestService } from "../../testkit/service.ts";
import { PASSWORD } from "../../testkit/world.ts";

export async function signInAsOperator(
  service: TestService,
  journey: Journey,
  who: TestOperator,
  goingTo = "/operator",
): Promise<void> {
  const { page } = journey;
  await journey.open(goingTo);
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await journey.press("Sign in");
  await page.getByLabel("Code").fill(await operatorCode(service, who));
  await journey.press("Sign in");
  await page.locator("details.menu").waitFor();
}
