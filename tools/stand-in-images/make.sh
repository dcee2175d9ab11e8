#!/bin/sh
# Makes images that stand in for those of Dockerfile and docker-compose.yml, where no registry can be asked (README.md).
# sh tools/stand-in-images/make.sh [NAME…], after npm ci && npm run build. What exists and has not changed is not made again.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
wanted=${*:-node servers postgres valkey prometheus haproxy mailpit clickhouse}
compose=$repository/docker-compose.yml
context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
trap 'exit 130' INT TERM
[ -e "$repository/dist/embedded/clickhouse-child.js" ] || { echo 'Run npm ci && npm run build first.' >&2; exit 1; }

# The names are those of the repository's own files, so that they cannot differ.
image() { # a prefix: the image that the compose file names
  sed -n "s|^ *image: \($1:[^ ]*\)\$|\1|p" "$compose" | head -n 1 | grep .
}
nodeImage=$(sed -n 's/^FROM \(node:[^ ]*\).*/\1/p' "$repository/Dockerfile" | head -n 1)

if ! docker image inspect rackrate-standin/debian:bookworm >/dev/null 2>&1; then
  mirror=$(sed -n 's/^URIs: *\(http[^ ]*debian\)\/*$/\1/p; s/^deb \(http[^ ]*debian\)\/* bookworm main.*/\1/p' \
    /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
  echo "--- debootstrap"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$context/root" "${mirror:?no Debian mirror in the sources of apt}" >"$context/log" ||
    { tail "$context/log"; exit 1; }
  rm -rf "$context"/root/var/cache/apt/archives/*.deb "$context"/root/var/lib/apt/lists/*
  tar -C "$context/root" -c . | docker import --change 'CMD ["bash"]' - rackrate-standin/debian:bookworm
fi

build() { # folder, name…
  echo "--- $*"
  folder=$1
  shift
  cp -a "$here/$folder/." "$context/$folder/"
  tags=
  for name; do tags="$tags -t $name"; done
  # shellcheck disable=SC2086
  DOCKER_BUILDKIT=0 docker build -q $tags "$context/$folder" 2>"$context/errors" || { cat "$context/errors" >&2; exit 1; }
}
packages() { # folder, package…: with what they need
  folder=$1
  shift
  mkdir -p "$context/$folder"
  (cd "$repository" && for package; do echo "node_modules/$package"; done | tar -T - -c) | tar -C "$context/$folder" -x
}

for one in $wanted; do
  mkdir -p "$context/$one"
  case $one in
    node)
      mkdir -p "$context/node/bin" "$context/node/authorities"
      version=$(printf %s "$nodeImage" | sed 's/^node:\([0-9.]*\).*/\1/')
      arch=$(node -p process.arch)
      # A download of npm may hang.
      timeout 120 npm install --prefix "$context/npm" --no-audit --no-fund --ignore-scripts --silent "node-linux-$arch@$version" ||
        timeout 120 npm install --prefix "$context/npm" --no-audit --no-fund --ignore-scripts --silent "node-linux-$arch@$version"
      cp "$context/npm/node_modules/node-linux-$arch/bin/node" "$context/node/bin/node"
      cp -a "$(npm root --global 2>/dev/null)/npm" "$context/node/npm"
      cp -L /usr/local/share/ca-certificates/*.crt "$context/node/authorities/" 2>/dev/null || :
      build node rackrate-standin/node "$nodeImage"
      ;;
    servers) build servers rackrate-standin/servers ;;
    postgres) build postgres "$(image postgres)" ;;
    valkey) build valkey "$(image valkey/valkey)" ;;
    prometheus) build prometheus "$(image prom/prometheus)" ;;
    haproxy) build haproxy "$(image haproxy)" ;;
    mailpit)
      packages mailpit smtp-server nodemailer punycode.js
      build mailpit "$(image axllent/mailpit)"
      ;;
    clickhouse)
      packages clickhouse chdb ffi-rs @chdb @yuuang
      cp "$repository/dist/embedded/clickhouse-child.js" "$context/clickhouse/clickhouse-child.mjs"
      mkdir -p "$context/clickhouse/dist/embedded"
      cp "$repository"/dist/embedded/*-watch.js "$context/clickhouse/dist/embedded/"
      cp "$repository/package.json" "$context/clickhouse/"
      build clickhouse "$(image clickhouse/clickhouse-server)"
      ;;
    *) echo "no such stand-in: $one" >&2; exit 2 ;;
  esac
done
docker images --format '{{.Repository}}:{{.Tag}}\t{{.Size}}'
