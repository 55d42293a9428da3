/** The kit: GraphQL servers of which each field is a table and each page a partition. */
export {
  day,
  double,
  flag,
  id,
  int,
  ints,
  optional,
  shared,
  text,
  texts,
  timestamp,
  type Column,
} from './cassandra/column';
export type { Database, Write } from './cassandra/database';
export { decideUntilWritten, type Decision } from './cassandra/decide';
export { table, type Row, type Table } from './cassandra/table';
export { createBulkWriter, putRows, type BulkWriter, type ListRows } from './bulk';
export {
  ConfigError,
  readSettings,
  serverConfigOf,
  serverSettings,
  whole,
  type ServerConfig,
} from './config';
export { copyOr } from './copy';
export { badInput, ClientError, conflict, notFound, tooLarge, unavailable } from './errors';
export { Bounded, ID_BOUNDS, type Bounds } from './graphql/input-bounds';
export { buildApi, printed } from './graphql/schema';
export type { Page as GraphiqlPage } from './graphiql/graphiql';
export { tab, type Tab } from './graphiql/tab';
export { createHttpServer, type Served } from './http/server';
export { written, writtenText } from './input-text';
export type { ModelSource } from './model/model';
export { bucketsOf, checksOf, ONE_PARTITION, pagesOf } from './cost/lists';
export {
  CostExample,
  HoldsItems,
  MaxItems,
  oncePerRequest,
  oneOf,
  Reads,
  rowsOf,
  sharedByObject,
  upTo,
} from './cost/reads';
export { createLoad, readMany, type Load, type Read } from './load';
export { fromSources } from './from-sources';
export { openKeyspace, type Opened } from './open';
export { periodOf, type Period } from './period';
export { buckets, dayOf, monthOf, yearOf } from './relay/buckets';
export { connect, connectNodes, type Connection } from './relay/connection';
export type { List, ListBounds, Source } from './relay/list';
export { DateTime } from './relay/date-time';
export { monthList } from './relay/month-list';
export { encodeNodeId, idIn, isId, Node } from './relay/node';
export type { NodeTypes } from './relay/node-resolver';
export { ForwardArgs, PageArgs, pageOf } from './relay/page';
export { partitionList } from './relay/partition-list';
export { periodList, type Chronology } from './relay/period-list';
export { ConnectionOf, EdgeOf } from './relay/types';
export { runServer, type Program } from './run-server';
export { programOf, type SmallContext, type SmallServer } from './small-server';
export { removalOf, writeOf } from './write';
