import { createServer } from 'node:http';

// PostGraphile 5 as its users run it: the preset of its own introduction, without developer tools.

// It requires Node 22, but the only function it uses that Node 20 does not have is this one (ECMAScript 2024).
Promise.withResolvers ??= () => {
  const resolvers = {};
  resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  return resolvers;
};
const { postgraphile } = await import('postgraphile');
const { makePgService } = await import('postgraphile/adaptors/pg');
const { grafserv } = await import('postgraphile/grafserv/node');
const { PostGraphileAmberPreset } = await import('postgraphile/presets/amber');

const [connectionString = ''] = process.argv.slice(2);
const server = createServer();
const service = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString, schemas: ['public'] })],
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
}).createServ(grafserv);
await service.addTo(server);
server.listen(Number(process.env['PORT']), '127.0.0.1');
