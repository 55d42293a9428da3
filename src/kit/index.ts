/** The kit: builds GraphQL servers whose fields each read one Cassandra table, and whose pages each read one partition. */
export {
  day,
  double,
  flag,
  holding,
  id,
  idOf,
  int,
  ints,
  label,
  optional,
  staticColumn,
  text,
  texts,
  timestamp,
  type Column,
} from './cassandra/column';
export type { Database, Write } from './cassandra/database';
export { decideUntilWritten, type Decision } from './cassandra/decide';
export { listTable, table, type ListTable, type Row, type RowOf, type Table } from './cassandra/table';
export { createBulkWriter } from './writes/bulk';
export { leases } from './writes/lease';
export { putAll, putRows, type ListRows, type RowWriter } from './writes/row-writer';
export {
  ConfigError,
  readSettings,
  serverConfigOf,
  serverSettings,
  integerSetting,
  type ServerConfig,
} from './config/config';
export { copyOrRead } from './base/copy-or-read';
export { badInput, ClientError, conflict, notFound, tooLarge, unavailable } from './base/errors';
export { Bounded, ID_BOUNDS, type Bounds } from './input/input-bounds';
export { buildApi, printed } from './graphql/schema';
export type { GraphiqlPage } from '../tools/graphiql/graphiql';
export { tab, type Tab } from '../tools/graphiql/tab';
export { createHttpServer } from './http/server';
export { type HttpServerOptions } from './http/server-options';
export { written, checkedText, checkedName, type TextBounds } from './input/input-text';
export type { ModelSource } from '../tools/model/model';
export { selects } from './cost/selects';
export { bucketReads, ONE_PARTITION, pagesOf, stretchReads, visibilityReads } from './lists/page-bounds';
export {
  bySelection,
  CostExample,
  HoldsItems,
  MaxItems,
  ofCaller,
  oncePerRequest,
  oneOf,
  Reads,
  rowsOf,
  sharedByObject,
  together,
  upTo,
} from './cost/reads';
export { NullOnlyByError } from './input/null-only-by-error';
export { createLoad, readMany, type Load, type Read } from './reads/load';
export { fromSources } from './base/from-sources';
export { openKeyspace, type OpenedDatabase } from './server/open';
export { periodOf, type Period } from './base/period';
export { buckets, dayOf, monthOf, yearOf } from './lists/buckets';
export { listBuckets } from './lists/list-buckets';
export { connect, connectNodes, type Connection } from './lists/connection';
export { sourceOf, type List, type ListBounds, type Source, type SourceRows } from './lists/list-parts';
export { DateTime } from './input/date-time';
export { bucketList } from './lists/bucket-list';
export { encodeNodeId, idIn, Node } from './graphql/global-id';
export type { NodeTypes } from './graphql/node-resolver';
export { pageOf } from './lists/page';
export { ForwardArgs, PageArgs } from './input/page-args';
export { partitionList } from './lists/partition-list';
export { periodList, type Chronology } from './lists/period-list';
export { ConnectionOf, EdgeOf, type PageInfo } from './lists/connection-types';
export type { Entry, Place } from './postings/entry';
export type { IndexedList, InvertedIndex } from './postings/inverted-index';
export { postingsTables } from './postings/postings.table';
export { scheduleSealing } from './postings/schedule-sealing';
export { sharedIndex } from './postings/shared-index';
export { addEntries } from './postings/unsealed';
export { connectTerms } from './postings/term-list';
export { termReads } from './postings/term-reads';
export { runServer, type Program } from './server/run-server';
export { programOf, type SmallContext, type SmallServer } from './server/small-server';
export { removalOf, writeOf } from './cassandra/write';
export { isId } from './base/ids';
