#!/bin/sh
# Restores the database on the machine where it is run, beside everything else, and starts it there:
#   restore.sh <new folder> [moment, as in "2026-11-18 14:03:26+00"]
# Without a moment: the newest backup with every change that was archived since. Only the user who
# runs this reaches the copy: psql -h <folder>/socket windward
# It fails, and the copy runs, when the archive has later changes that the copy could not reach.
set -eu
folder=$1
moment=${2:-}
programs=/usr/lib/postgresql/15/bin
umask 077
mkdir "$folder" "$folder/socket"
# Without the nodes: it would refuse to restore anywhere else.
sed '/^pg[0-9]/d; /^tls-/d; /^lock-path/d' /etc/pgbackrest.conf > "$folder/pgbackrest.conf"
# What comes while this runs need not be in the copy.
newest=$(pgbackrest --config="$folder/pgbackrest.conf" --stanza=windward info --output=json |
  sed -n 's/.*"max":"\([0-9A-F]\{24\}\)".*/\1/p')
set -- --type=default
# A moment is over when something was committed after it, and that has to be archived.
[ -z "$moment" ] || set -- --type=time --target="$moment" --target-action=promote
pgbackrest --config="$folder/pgbackrest.conf" --stanza=windward --pg1-path="$folder/data" \
  --lock-path="$folder/lock" --archive-mode=off "$@" restore

# In place of the settings and the access rules that came with the backup.
cat > "$folder/postgresql.conf" <<SETTINGS
listen_addresses = ''
unix_socket_directories = '$folder/socket'
hot_standby = off    # no need for as many connections as the primary has
log_parameter_max_length = 0
log_parameter_max_length_on_error = 0
log_error_verbosity = terse
SETTINGS
echo "local all all trust" > "$folder/pg_hba.conf"
tell_why() { tail -n 20 "$folder/log" >&2; exit 1; }
"$programs/pg_ctl" -D "$folder/data" -l "$folder/log" -w start > /dev/null \
  -o "-c config_file=$folder/postgresql.conf -c hba_file=$folder/pg_hba.conf" || tell_why
# Changes may take hours; it ends by itself when one of them is not there.
until "$programs/pg_isready" -q -h "$folder/socket"; do
  "$programs/pg_ctl" -D "$folder/data" status > /dev/null || tell_why
  sleep 1
done

[ -z "$moment" ] || exit 0
end=$("$programs/psql" -h "$folder/socket" -qAtXc \
  "select pg_walfile_name(pg_last_wal_replay_lsn())" windward)
# Behind the 8 digits of their timelines.
printf '%s\n' "${newest#????????}" "${end#????????}" | sort -C || {
  echo "The copy ends with the file $end, and the archive goes on to $newest: one between them, or the" \
    "history of a timeline, is missing, so later changes are not in this copy." >&2
  exit 1
}
