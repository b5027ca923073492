#!/bin/sh
# PostgreSQL's archive_command, with the path of a file: hands it to the machine for backups.
# pgBackRest wants to see its name in that setting.
#
# A node that was away while another one began to lead may keep the file in which their ways parted.
# When it leads itself it archives that file, too, and the archive may have another one of its name.
# The next leader's file has all of it that counts, and a restore takes that one: ours is left out.
# Whatever else is refused is tried again, for as long as it takes (Decision 0132).
set -u
file=$1
already_there=45
code=0
pgbackrest --stanza=windward archive-push "$file" || code=$?

# Whether the leaders of today have parted from its timeline in this file or before it.
is_left_behind() {
  name=${file##*/}
  history=$(ls "${file%/*}"/*.history 2> /dev/null | tail -n 1)
  [ -n "$history" ] || return 1
  while read -r timeline parted _; do
    [ -n "$timeline" ] && [ "$(printf %08X "$timeline")" = "${name%????????????????}" ] || continue
    # As the 16 digits of a file of 16 MB behind those of its timeline.
    first=$(printf '%08X%08X' "0x${parted%/*}" $((0x${parted#*/} >> 24)))
    printf '%s\n' "$first" "${name#????????}" | sort -C
    return
  done < "$history"
  return 1
}

[ "$code" = "$already_there" ] && is_left_behind || exit "$code"
echo "$name is left out: a later leader's file has all of it that counts" >&2
