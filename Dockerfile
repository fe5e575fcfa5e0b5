# The program as JavaScript, with the page bundled: what builds it stays out of the image.
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY src ./src
COPY adapters ./adapters
RUN node src/publish/build.ts --program

# The image brings Node 26. The package `node`, which brings it to checkouts, is of the development and stays out.
FROM node:26-slim

LABEL org.opencontainers.image.title="Footbridge" \
      org.opencontainers.image.description="Ask your team's files in Slack, Discord and the browser. Every answer shows the page it comes from." \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="MIT"

ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data

# With ffmpeg the speech model of this container (docs/packages.md) hears recordings in any form, not WAV alone.
RUN apt-get update && apt-get install -y --no-install-recommends ffmpeg && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json ./
COPY LICENSE README.md ./
COPY docs/sample ./docs/sample
COPY --from=build /app/dist ./dist
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund && node dist/src/start/remove-unused.js

RUN mkdir -p /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "dist/src/main.js"]
