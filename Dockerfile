# The image of Upbeat: docs/containers.md says how to run it.

# Any Node from 26 on: it only installs and builds. The Node that the image runs is the one that is locked.
FROM node:26-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY CHANGELOG.md LICENSE tsconfig.json tsconfig.shared.json ./
COPY bin bin
COPY deploy/assemble.ts deploy/
COPY docs docs
COPY dashboard dashboard
COPY src src
RUN node deploy/assemble.ts /image

FROM debian:trixie-slim
# What the Node binary links against, and a first process that passes signals on and takes in orphans.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libatomic1 libstdc++6 tini \
  && rm -rf /var/lib/apt/lists/*
# PostgreSQL wants a user who has a name, and never root.
RUN useradd --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin upbeat \
  && install --directory --owner upbeat --group upbeat --mode 0700 /data
COPY --from=build /image /app
ENV PATH=/app/bin:$PATH \
  NODE_ENV=production \
  DATA_DIR=/data
WORKDIR /data
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ARG VERSION=unknown
LABEL org.opencontainers.image.title="Upbeat" \
  org.opencontainers.image.description="Uptime monitoring a team runs itself" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}"
ENTRYPOINT ["tini", "--", "upbeat"]
CMD ["serve"]
