#!/bin/sh
# Attention Lab for many: a process for each `server` line of deploy/nginx.conf, and nginx before them on port 8501.
# Ctrl-C ends them all. Another configuration may be named: deploy/serve.sh my.conf
set -eu
config=$(realpath "${1:-$(dirname "$0")/nginx.conf}")
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin # where Debian keeps nginx
folder=$(mktemp -d)
chmod 755 "$folder" # started by root, nginx works as another user
started=
trap 'kill $started 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
trap exit INT TERM

for port in $(sed -n 's/^ *server 127\.0\.0\.1:\([0-9]*\);.*/\1/p' "$config"); do
    "${PYTHON:-.venv/bin/python}" -m uvicorn server:app --host 127.0.0.1 --port "$port" \
        --log-level warning --timeout-graceful-shutdown 1 --h11-max-incomplete-event-size 262144 &
    started="$started $!"
done
nginx -e stderr -p "$folder" -c "$config" &
started="$started $!"
wait "$!"
