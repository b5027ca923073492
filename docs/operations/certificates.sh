#!/bin/sh
# For Prometheus: when each certificate of this machine ends. /usr/local/lib/windward/certificates.sh, each day by
# windward-certificates.timer, through prometheus-node-exporter. Those that are not here are left out.
set -eu
report=${REPORT:-/var/lib/prometheus/node-exporter/windward-certificates.prom}
name=windward_certificate_ends_timestamp_seconds
[ $# -gt 0 ] || set -- /etc/patroni/server.crt /etc/patroni/ca.crt /etc/windward-db-ca.crt \
  /etc/windward-ca/backup.crt /etc/nginx/windward.crt /etc/haproxy/windward.pem
{
  printf '# HELP %s When a certificate of this machine ends.\n# TYPE %s gauge\n' $name $name
  for file in "$@"; do
    [ -e "$file" ] || continue
    # One that cannot be read counts as ended: somebody has to look.
    ends=$(openssl x509 -noout -enddate -in "$file" 2> /dev/null | cut -d= -f2) || ends=
    seconds=$([ -z "$ends" ] && echo 0 || date -d "$ends" +%s)
    printf '%s{file="%s"} %s\n' $name "$file" "$seconds"
  done
} > "$report.part"
chmod 644 "$report.part"
mv "$report.part" "$report"
