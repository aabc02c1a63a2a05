# The image of Upbeat: docs/containers.md says how to run it, CONTRIBUTING.md how its bases are raised: what a tag
# stands for may change, what a digest stands for may not.

# Any Node from 26 on: it only installs and builds. The Node that the image runs is the one that is locked.
FROM node:26-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
COPY CHANGELOG.md LICENSE tsconfig.json tsconfig.shared.json ./
COPY bin bin
COPY deploy/assemble.ts deploy/
COPY docs docs
COPY agent agent
COPY dashboard dashboard
COPY src src
RUN node deploy/assemble.ts /image

FROM debian:trixie-slim@sha256:a29215f6a35e51e22adffa17f89e9d2ef06214e64a2bad10d765c46aea49f11f
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
