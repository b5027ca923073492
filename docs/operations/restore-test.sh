#!/bin/sh
# Restores the newest backup, looks whether it is whole and up to date, and writes what it found for
# Prometheus: node_exporter reads the folder of $report. The last lines say what is wrong.
set -eu
folder=/var/lib/postgresql/15/restore-test
report=/var/lib/prometheus/node-exporter/windward_restore_test.prom
programs=/usr/lib/postgresql/15/bin
backup_age_max=$((2 * 86400))
# Jobs of the service write something each hour, however quiet it is.
change_age_max=$((2 * 3600))

remove() {
  # After a power cut the file is there, and nobody to stop.
  [ ! -e "$folder/data/postmaster.pid" ] || "$programs/pg_ctl" -D "$folder/data" -m immediate stop > /dev/null || true
  rm -rf "$folder"
}
ask() { "$programs/psql" -h "$folder/socket" -qAtX -c "$1" windward; }
gauge() { printf '# HELP %s %s\n# TYPE %s gauge\n%s %s\n' "$1" "$2" "$1" "$1" "$3"; }
# The time of the last success stays when a test fails.
tell() { # tell <0 or 1: failed>
  name=windward_restore_test_success_timestamp_seconds
  last=$(sed -n "s/^$name //p" "$report" 2> /dev/null || true)
  [ "$1" = 1 ] || last=$(date +%s)
  {
    gauge $name "When a backup was last restored and found whole." "${last:-0}"
    gauge windward_restore_test_failed "Whether the last test of a backup failed." "$1"
  } > "$report.part"
  chmod 644 "$report.part"
  mv "$report.part" "$report"
}
finish() {
  if [ $? = 0 ]; then tell 0; else tell 1; fi
  remove
}

trap finish EXIT
remove
/usr/local/lib/windward/restore.sh "$folder"
now=$(date +%s)
backup_age=$((now - $(date -d "$(sed -n 's/^START TIME: //p' "$folder/data/backup_label.old")" +%s)))
change_age=$((now - $(ask "select floor(extract(epoch from pg_last_xact_replay_timestamp()))")))
echo "The backup began $backup_age s ago, and its last change is of $change_age s ago."
[ $backup_age -le $backup_age_max ] || { echo "No backup is newer." >&2; exit 1; }
[ $change_age -le $change_age_max ] || { echo "Later changes were not archived." >&2; exit 1; }

"$programs/pg_amcheck" -h "$folder/socket" -d windward --install-missing
echo "Every table and index is readable."
ask "select 'It has ' || (select count(*) from transactions) || ' payments, '
  || (select count(*) from ledger_transfers) || ' transfers of the ledger and '
  || (select count(*) from events) || ' events.'"
cd /opt/windward
DATABASE_URL="postgres://windward@localhost/windward?host=$folder/socket" \
  node_modules/.bin/node src/start.mjs operator reconcile
