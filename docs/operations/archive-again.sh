#!/bin/sh
# Patroni calls it when this node's role has changed: <event> <role> <cluster>.
#
# A leader that is lost may not have archived its last changes, nor the history of its timeline,
# without which no restore finds the later ones. The next one has them, but takes what it was sent
# for archived; so it archives all files again that it still has. The archive takes each of them
# once (Decision 0132).
set -eu
case $2 in master | primary) ;; *) exit 0 ;; esac
cd /var/lib/postgresql/15/windward/pg_wal/archive_status
for done in *[0-9A-F].done *.history.done; do
  file=${done%.done}
  # One that is removed meanwhile is archived, or too old to be of use.
  [ ! -e "../$file" ] || mv "$done" "$file.ready" || true
done
