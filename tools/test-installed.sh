#!/bin/sh
# Runs the tests on the PostgreSQL and the Redis that this machine has installed, on servers that are gone afterwards. Arguments go to vitest.
set -eu
if [ "${1:-}" != inside ]; then
  # What pg_virtualenv says itself is the server's log when tests fail, and for a pipe that is closed it would say it for ever.
  exec pg_virtualenv -t -o max_connections=200 sh "$0" inside "$@" 3>&1 >/dev/null
fi
shift
exec >&3 3>&-
port=$(node -e 'require("net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port); this.close() })')
redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no >/dev/null &
trap "kill $!" EXIT
trap 'exit 130' INT TERM
timeout 10 sh -c "until redis-cli -p $port ping >/dev/null 2>&1; do sleep 0.1; done"
export TEST_DATABASE_URL="postgres://$PGUSER:$PGPASSWORD@$PGHOST:$PGPORT/$PGDATABASE"
export TEST_REDIS_URL="redis://127.0.0.1:$port"
node tools/run-tests.mjs "$@"
