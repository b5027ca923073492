/** A mail to send, and what became of it. */

import { randomUUID } from "node:crypto";
import { sql } from "../../src/infra/db/query.ts";
import type { Mail } from "../../src/modules/mail/queue-mail.ts";
import { queueMail } from "../../src/modules/mail/queue-mail.ts";
import type { TestService } from "../../testkit/service.ts";

export const LINK = "https://pay.example.com/reset/tU7-c4pLm2ZqW9xYb5Kd";

export function resetMail(own: Partial<Mail> = {}): Mail {
  return {
    reason: `password reset ${randomUUID()}`,
    to: "owner@example.com",
    subject: "Set a new password",
    content: {
      heading: "Set a new password",
      parts: [
        "Somebody asked for a new password for your account. Grüße!",
        { link: LINK, text: "Set a new password" },
        {
          rows: [
            ["Account", "1234567890"],
            ["Address", "203.0.113.7"],
          ],
        },
      ],
    },
    ...own,
  };
}

export async function queue({ ctx }: TestService, own: Partial<Mail> = {}): Promise<string> {
  const mail = resetMail(own);
  await ctx.db.transaction((tx) => queueMail(ctx.config, tx, mail));
  return mail.reason;
}

export async function mailOf({ ctx }: TestService, reason: string) {
  return ctx.db.maybeOne<{
    mail_id: string;
    state: string;
    attempt_count: number;
    seconds: number | null;
    has_content: boolean;
  }>(sql`
    select mail_id, state, attempt_count, content_box is not null as has_content,
      extract(epoch from next_try_at - app_now())::float8 as seconds
    from mails where reason = ${reason}`);
}

export async function stateOf(service: TestService, reason: string): Promise<string | undefined> {
  return (await mailOf(service, reason))?.state;
}
