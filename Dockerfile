# The server, for a cluster that is named by CASSANDRA_CONTACT_POINTS: no Java, no embedded Cassandra.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# npm brings a Node for machines with an old one: some 190 MB, which pruning would install again if it were removed before.
RUN node scripts/prepare.mjs && npm prune --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24-bookworm-slim
# As in package.json.
LABEL org.opencontainers.image.title="murmuration" \
  org.opencontainers.image.description="A GraphQL server for social timelines on Apache Cassandra: one field, one table, one partition." \
  org.opencontainers.image.version="1.0.0-rc.1" \
  org.opencontainers.image.licenses="MIT"
# Whoever reaches the port of GraphQL needs no more than that. Operators reach metrics and health at a port that is not published.
ENV NODE_ENV=production WORKERS=auto HOST=0.0.0.0 PORT=4000 OPERATIONS_PORT=4001 DRAIN_SECONDS=5 GRAPHIQL=false MODEL=false INTROSPECTION=false
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/cql cql
USER node
EXPOSE 4000
# Without a shell, and without npm: signals reach the server itself.
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "--max-old-space-size=1500", "dist/src/main.js"]
HEALTHCHECK --interval=5s --timeout=5s --start-period=600s --retries=3 \
  CMD ["node", "-e", "fetch('http://localhost:' + (process.env.OPERATIONS_PORT || process.env.PORT) + '/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
