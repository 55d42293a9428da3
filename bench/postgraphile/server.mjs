import { createServer } from 'node:http';

// PostGraphile 5 as its users run it: the preset that its own pages begin with, without tools for developers.

// It asks for Node 22; of what came after Node 20 it uses this one function (ECMAScript 2024).
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
