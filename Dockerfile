# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
COPY scripts/node/package.json scripts/node/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The image contains what `npm publish` would, and no package beside it.
RUN npm pack --pack-destination /tmp && \
    mkdir -m 755 /app && tar -xzf /tmp/tollgate-*.tgz -C /app --strip-components=1 --no-same-owner && \
    mkdir -m 700 /data

FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="Tollgate" \
      org.opencontainers.image.description="Says on every pull request what merging will cost and change in the cloud." \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app /app
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
# Also where the setup pages write .env.
WORKDIR /data
VOLUME /data
ENV NODE_ENV=production TOLLGATE_DATA=/data/database
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/cli/tollgate.js"]
CMD ["start"]
