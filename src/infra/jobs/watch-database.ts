/**
 * What a user without further rights may see of a cluster: whether commits wait for a standby, how
 * many are connected, and whether its WAL is archived. While commits wait and no standby is there,
 * no write is answered.
 */

import { sqlOf } from "../db/query.ts";
import { bool, int } from "../db/row.ts";
import { defineWatch } from "./watch.ts";

export const watchDatabase = defineWatch({
  what: "database",
  gauges: {
    waits: {
      name: "windward_database_waits_for_standby",
      help: "1 where the database is set to answer a commit when a standby has it, else 0.",
    },
    standbys: {
      name: "windward_database_standbys",
      help: "Standbys that are connected to the database, when last looked.",
    },
    archive_fails: {
      name: "windward_database_archive_fails",
      help: "1 while the last attempt of the database to archive its WAL has failed, else 0.",
    },
  },
  read: (db) =>
    db.rows(sqlOf({ waits: bool, standbys: int, archive_fails: bool })`
      select current_setting('synchronous_standby_names') <> '' as waits,
        (select count(*)::int from pg_stat_replication) as standbys,
        (select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
          from pg_stat_archiver) as archive_fails`),
});
