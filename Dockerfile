# rackrate for production, without the embedded engines: it needs PostgreSQL and ClickHouse servers (docs/operations.md).

FROM node:24.21-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
# The compiler and the bundler are optional packages of their platform, so nothing is left out here.
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts
COPY .env.example README.md LICENSE tsconfig.json ./
COPY tools/build.mjs tools/
COPY cli cli
COPY workers workers
COPY src src
COPY collect collect
COPY import import
COPY simulate simulate
COPY ingest ingest
COPY platform platform
COPY estimates estimates
COPY contract contract
COPY embedded embedded
COPY bench bench
COPY sql sql
COPY web web
# The image has what the package has.
RUN npm pack --silent && tar xzf rackrate-*.tgz

FROM node:24.21-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY client/package.json client/
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --omit=optional --workspaces=false --ignore-scripts

FROM node:24.21-bookworm-slim
LABEL org.opencontainers.image.title="rackrate" \
  org.opencontainers.image.description="Market statistics of a GPU rental marketplace" \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 RACKRATE_DATA_DIR=/var/lib/rackrate
RUN install -d -o node -g node -m 700 /var/lib/rackrate
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/package ./
USER node
EXPOSE 8080
# For `serve`; a service that runs something else has a check of its own or none (docker-compose.yml). Bash, because on a busy machine
# Node alone took more than five seconds to start.
HEALTHCHECK --interval=10s --timeout=15s --start-period=30s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ $status = 200 ]"]
ENTRYPOINT ["node", "dist/cli/rackrate.js"]
CMD ["serve"]
