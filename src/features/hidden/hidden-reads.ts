import { ofCaller, type TableBound } from '../../kit/cost/reads';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { hiddenByUser, MAX_HIDDEN_ROWS, MAX_WORD_BYTES, MAX_WORDS } from './hidden.table';

/** About how many bytes a row has without words. */
const ROW_BYTES = 200;

const readHidden: TableBound = {
  table: hiddenByUser.name,
  cost: () => ({ reads: 1, rows: MAX_HIDDEN_ROWS }),
  bytes: () => MAX_HIDDEN_ROWS * ROW_BYTES + MAX_WORDS * MAX_WORD_BYTES,
  isConstant: true,
};

/** What finding out what is hidden from the caller's user reads, once a request. */
export const SIGHT_READS = [...VIEWER_READS, ofCaller(readHidden)] as const;
