#!/bin/sh
# Attention Lab for many: a process for each `server` line of deploy/nginx.conf, and nginx before them on port 8501.
# Ctrl-C ends them all. Another configuration may be named: deploy/serve.sh my.conf
# Whichever process dies is back at once, nginx too. An nginx that dies within seconds would die again: that ends all.
set -eu
config=$(realpath "${1:-$(dirname "$0")/nginx.conf}")
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin # where Debian keeps nginx
python=${PYTHON:-.venv/bin/python}
folder=$(mktemp -d)
chmod 755 "$folder" # started by root, nginx works as another user
lab='' nginx=''

end() {
    trap - EXIT
    # shellcheck disable=SC2086  # one argument for each
    kill $lab $nginx 2>/dev/null || true
    wait
    rm -rf "$folder"
    exit "$1"
}
fail() {
    echo "deploy/serve.sh: $1" >&2
    end 1
}
trap 'end $?' EXIT
trap 'end 0' INT TERM

ports=$(sed -n 's/^ *server 127\.0\.0\.1:\([0-9]*\).*/\1/p' "$config")
# shellcheck disable=SC2086
"$python" -m attention_ui.server.launch --port $ports &
lab=$!
# shellcheck disable=SC2086
until "$python" -m attention_ui.server.ready $ports; do
    kill -0 "$lab" 2>/dev/null || fail "Attention Lab does not start, for the reason above."
    sleep 0.5
done

while kill -0 "$lab" 2>/dev/null; do
    if ! kill -0 "${nginx:-none}" 2>/dev/null; then
        if [ -n "$nginx" ]; then
            kill -s KILL -- "-$nginx" 2>/dev/null || true # killed, it leaves its workers behind
            [ $(($(date +%s) - begun)) -ge 5 ] || fail "nginx does not go on, for the reason above."
            echo "deploy/serve.sh: nginx has ended and begins again." >&2
        fi
        setsid nginx -e stderr -p "$folder" -c "$config" & # in a group of its own, with its workers
        nginx=$! begun=$(date +%s)
    fi
    sleep 0.5 &
    wait "$!"
done
lab=''
fail "Attention Lab has ended, and nginx with it."
