import 'reflect-metadata';
import { buildApi, type NodeTypes } from 'murmuration/kit';
import { StationResolver, SummaryResolver } from './resolvers';
import { stations } from './tables';

const nodeTypes: NodeTypes = {
  Station: {
    key: 'stationId',
    reads: [stations],
    load: (load, stationId) => load(stations.get, { stationId }),
  },
};

/** Builds the schema. */
export function createSchema() {
  return buildApi([StationResolver, SummaryResolver], nodeTypes);
}
