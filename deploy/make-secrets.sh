#!/bin/sh
# Creates the secrets that docker-compose.yml mounts, in ./secrets. Those that exist stay. Keep encryption_key as safe as a backup.
set -eu
cd "$(dirname "$0")/.."
mkdir -p secrets
chmod 700 secrets
random() { od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'; }
keep() { # name, content. Users inside the containers may read the files; the folder is closed to others.
  [ -e "secrets/$1" ] || printf %s "$2" >"secrets/$1"
  chmod 644 "secrets/$1"
}
keep postgres_password "$(random 24)"
keep database_url "postgres://rackrate:$(cat secrets/postgres_password)@postgres:5432/rackrate"
keep cluster_database_url "postgres://rackrate:$(cat secrets/postgres_password)@postgres:5432/rackrate_cluster"
keep valkey_conf "requirepass $(random 24)"
keep redis_url "redis://:$(cut -d' ' -f2 secrets/valkey_conf)@valkey:6379/0"
keep clickhouse_password "$(random 24)"
keep clickhouse_sql_password "$(random 24)"
# Between the servers of a cluster: queries, copies of parts, and the entries in Keeper.
keep clickhouse_cluster "<clickhouse>
  <remote_servers><rackrate><secret>$(random 24)</secret></rackrate></remote_servers>
  <interserver_http_credentials><user>replica</user><password>$(random 24)</password></interserver_http_credentials>
  <zookeeper><identity>rackrate:$(random 24)</identity></zookeeper>
</clickhouse>
"
keep encryption_key "$(random 32)"
keep grafana_password "$(random 12)"
echo "The secrets are in $(pwd)/secrets."
