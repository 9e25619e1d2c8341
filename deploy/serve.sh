#!/bin/sh
# Attention Lab for many: a process for each `server` line of deploy/nginx.conf, and nginx before them on port 8501.
# Ctrl-C ends them all. Another configuration may be named: deploy/serve.sh my.conf
set -eu
config=$(realpath "${1:-$(dirname "$0")/nginx.conf}")
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin # where Debian keeps nginx
python=${PYTHON:-.venv/bin/python}
folder=$(mktemp -d)
chmod 755 "$folder" # started by root, nginx works as another user
started=
trap 'kill $started 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
trap exit INT TERM

ports=$(sed -n 's/^ *server 127\.0\.0\.1:\([0-9]*\).*/\1/p' "$config")
# shellcheck disable=SC2086  # one argument for each port
"$python" -m attention_ui.server.launch --port $ports &
started=$!
# shellcheck disable=SC2086
until "$python" -m attention_ui.server.ready $ports; do
    kill -0 "$started" # it may have failed
    sleep 0.5
done
nginx -e stderr -p "$folder" -c "$config" &
started="$started $!"
wait "$!"
