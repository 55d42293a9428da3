import { encodeNodeId, fromSources, tab, type SmallServer } from 'murmuration/kit';
import { fill } from './generate';
import { createSchema } from './schema';
import { features } from './tables';

const day = (n: number) => new Date(Math.floor(Date.now() / 86_400_000 + n) * 86_400_000).toISOString();
const tabs = [
  tab(
    `# What each station of a region measured last.

query Region {
  stationsOfRegion(region: "North") {
    edges {
      latest {
        at
        temperature
        wind
      }
      node {
        id
        name
      }
    }
  }
}
`,
    {},
  ),
  tab(
    `# A station's latest readings, and a summary of each hour.

query Station($id: ID!, $from: DateTime!, $to: DateTime!) {
  station(id: $id) {
    name
    readings(from: $from, to: $to, first: 10) {
      nodes {
        at
        temperature
      }
    }
    summaries(unit: HOUR, from: $from, to: $to) {
      at
      readings
      least
      mean
      greatest
    }
  }
}
`,
    { id: encodeNodeId('Station', '1'), from: day(-1), to: day(1) },
  ),
];
const emptyTab = `{
  stationsOfRegion(region: "South") {
    nodes {
      name
    }
  }
}
`;

/** The server. */
export const weatherServer: SmallServer = {
  title: 'Weather',
  page: { tabs, emptyTab },
  keyspace: 'weather',
  cql: fromSources(__dirname, '../cql'),
  createSchema,
  features,
  fill: (database) => fill(database, new Date()),
};
