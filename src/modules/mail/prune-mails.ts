/**
 * Deletes mails that ended 30 days ago, and what the mailbox of the development stage has beyond
 * its last mails; everywhere else nothing that was sent is kept (Decision 0086).
 */

import type { Infra } from "../../infra/context.ts";
import { deleteInBatches } from "../../infra/db/delete-in-batches.ts";
import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { MAILBOX_MAX } from "./mailbox.ts";

const KEPT = "30 days";

export const pruneMails = defineJob({
  name: "prune-mails",
  everyHourAtMinute: 47,
  async run({ db, config }: Infra) {
    await deleteInBatches(
      db,
      sql`mails`,
      sql`state <> 'waiting' and ended_at < app_now() - ${KEPT}::interval`,
    );
    const shownMax = config.mail.transport.kind === "mailbox" ? MAILBOX_MAX : 0;
    await db.run(sql`
      update mails set content_key_id = null, content_box = null
      where mail_id in (
        select mail_id from mails where state <> 'waiting' and content_box is not null
        order by ended_at desc offset ${shownMax})`);
  },
});
