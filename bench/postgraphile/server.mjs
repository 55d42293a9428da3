// PostGraphile 5 as its users run it: the preset of its own introduction, without developer tools.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

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
