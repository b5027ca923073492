/**
 * Somebody who has forgotten the password asks for a link, finds it in the mailbox, sets a new one
 * and signs in with it; a session elsewhere ends, and the link works once (Decision 0085).
 */

import { after, before, test } from "node:test";
import type { AppContext } from "../../src/app.ts";
import { type JobRunner, runJobs } from "../../src/infra/jobs/run-jobs.ts";
import { createMailLoop } from "../../src/modules/mail/send-mail.ts";
import { sendResetLinkJob } from "../../src/modules/people/forgot-password.ts";
import { JOURNEY_WAYS, startJourneys } from "../../testkit/journey-ways.ts";
import { mailArrives } from "../../testkit/mails.ts";
import { PASSWORD } from "../../testkit/world.ts";

const journeys = await startJourneys();
const { service } = journeys;
const mails = createMailLoop(service.ctx);
let jobs: JobRunner;
before(async () => {
  jobs = await runJobs<AppContext>(service.ctx, [sendResetLinkJob]);
  mails.start();
});
after(async () => {
  await jobs.stop();
  await mails.stop();
  await journeys.close();
});

const NEW = "battery staple";

for (const way of JOURNEY_WAYS)
  test(`set anew from the mailbox ${way.name}`, async () => {
    const who = await service.world.merchant();
    const [journey, elsewhere] = [await journeys.begin(way), await journeys.begin(way)];
    const { page } = journey;
    await elsewhere.signIn(who);

    await journey.giveCredentials({ ...who, password: "something else" });
    await journey.expectText("The e-mail or the password is not right.");
    await journey.expectFine("sign-in-refused");
    await journey.follow("Forgot your password?");
    await page.getByLabel("E-mail").fill(who.email);
    await journey.expectFine("forgot");
    await journey.press("Send the link");
    await journey.expectHeading("Check your e-mail");
    await journey.expectFine("forgot-sent");

    await mailArrives(service, { to: who.email, subject: "Set a new password" });
    await journey.open("/dev/mail");
    const mail = page.getByRole("row").filter({ hasText: who.email });
    await mail.getByRole("link", { name: "Set a new password" }).click();
    await journey.expectHeading("Set a new password");
    await page.getByRole("link", { name: /\/reset\// }).click();
    await page.waitForURL(/\/reset\//);
    const link = new URL(page.url()).pathname;
    const set = async (again: string) => {
      await page.getByLabel("New password").fill(NEW);
      await page.getByLabel("Confirm the password").fill(again);
      await journey.press("Set password");
    };
    await journey.expectFine("reset");
    await set(`${NEW}s`);
    await journey.expectText("The passwords do not match.");
    await journey.expectFine("reset-refused");
    await set(NEW);
    await journey.expectHeading("Your password has been changed");
    await journey.expectFine("reset-done");

    await journey.follow("Sign in");
    await journey.giveCredentials({ ...who, password: PASSWORD });
    await journey.expectText("The e-mail or the password is not right.");
    await journey.signIn({ ...who, password: NEW });
    await journey.expectHeading("Home");
    await elsewhere.open("/console");
    await elsewhere.expectHeading("Sign in");
    await journey.open(link);
    await journey.expectHeading("This link is no longer valid");
    await journey.expectFine("reset-over");
    await journey.end();
    await elsewhere.end();
  });
