#!/bin/sh
# Restarts one web process behind nginx without a lost request: restart-one.sh <port> [restart command]
# First nothing new is sent to it, then it is restarted, then it gets its share again.
set -eu
port=$1
restart=${2:-systemctl restart windward-web@$port}
servers=${SERVERS:-/etc/nginx/windward-servers.conf}

mark() { # mark <words behind the server>
  sed -i "s/^server 127.0.0.1:$port.*/server 127.0.0.1:$port max_fails=0$1;/" "$servers"
  nginx -t -q
  nginx -s reload 2>/dev/null
}

others=$(grep -v "127.0.0.1:$port" "$servers" | grep -vc down || true)
if [ "$others" -eq 0 ]; then
  echo "No other process would be left." >&2
  exit 1
fi
mark " down"
sleep 11 # requests under way have at most 10 s; nginx's older workers end with their last one
sh -c "$restart"
for _ in $(seq 1 60); do
  if curl -fs -o /dev/null "http://127.0.0.1:$port/readyz"; then
    sleep 3 # its first second is busy with itself, and would be answered with 503
    mark ""
    echo "The process on port $port was restarted."
    exit 0
  fi
  sleep 0.5
done
echo "The process on port $port is not ready, and gets no requests." >&2
exit 1
