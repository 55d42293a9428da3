import { type DocumentNode, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { CostLimits } from '../cost/check-cost';
import { MAX_WEIGHT } from '../rate-limits/caller-queues';
import type { QueryCost } from '../cost/query-cost';
import { rootFieldsIn } from './count-fields';
import type { RequestContext } from './request-context';

/** The bytes that may be read for a point. A page of 25 tweets has half as many. */
export const READ_BYTES_PER_POINT = 16_384;
/** The bytes that may be sent for a point to be stored: they are stored in several tables, each on several nodes. */
const WRITTEN_BYTES_PER_POINT = 1024;

/**
 * How many points a request costs: one for each partition that it may read or, if that is more, for each 16 KiB that it has read; at
 * least 1; and one for each KiB that it sends to be stored.
 */
export function countPoints(
  { reads, written = 0 }: Pick<QueryCost, 'reads' | 'written'>,
  bytesRead = 0,
): number {
  const ofReads = Math.max(1, reads, Math.ceil(bytesRead / READ_BYTES_PER_POINT));
  return ofReads + Math.floor(written / WRITTEN_BYTES_PER_POINT);
}

/** How many points an answer of so many characters costs: a point for each 16,384, as many as bytes that are read. */
export function pointsOfAnswer(characters: number): number {
  return Math.ceil(characters / READ_BYTES_PER_POINT);
}

/** How many points a request has used. */
export function pointsUsed({ pass, cost }: Pick<RequestContext, 'pass' | 'cost'>): number {
  return countPoints({ ...cost, reads: pass.reads }, pass.bytes);
}

/**
 * How many bytes the values of a mutation have, with its document; 0 for what is no mutation. Variables that it does not declare are not
 * stored, and nothing has checked them: writing a deeply nested one as JSON overflows the stack.
 */
export function countWritten(
  { operation, loc, variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  if (operation !== OperationTypeNode.MUTATION) return 0;
  const text = loc?.source.body.slice(loc.start, loc.end) ?? '';
  const declared = variableDefinitions.map(({ variable: { name } }) => [name.value, variables[name.value]]);
  return Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(Object.fromEntries(declared)));
}

/**
 * The least weight of a mutation: a person has at most four under way. Each is a dozen statements, of which some wait for others, so the
 * database would be busy with fifty posts of one person while others wait.
 */
const MUTATION_WEIGHT = MAX_WEIGHT / 4;

/**
 * The weight of a request: its cost as a fraction of the limit, in reads, rows, bytes, nodes or values, whichever is greatest, and of one
 * that writes at least `MUTATION_WEIGHT`.
 */
export function computeWeight(
  {
    reads,
    rows,
    bytes,
    nodes,
    values,
    written = 0,
  }: Pick<QueryCost, 'reads' | 'rows' | 'bytes' | 'nodes' | 'values' | 'written'>,
  limits: CostLimits,
): number {
  return Math.max(
    reads / limits.reads,
    rows / limits.rows,
    bytes / limits.bytes,
    nodes / limits.nodesAtWorst,
    values / limits.values,
    written > 0 ? MUTATION_WEIGHT : 0,
  );
}

/** How many mutation fields an operation calls. Each alias counts, and so do fields that a variable skips. */
export function mutationsIn(operation: OperationDefinitionNode, document: DocumentNode): number {
  const type: string = operation.operation;
  if (type !== 'mutation') return 0;
  const called = rootFieldsIn(document, operation).filter(({ name }) => !name.value.startsWith('__'));
  return new Set(called.map(({ alias, name }) => (alias ?? name).value)).size;
}
