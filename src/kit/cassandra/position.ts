import type { Shape } from './statement';

/** Whether values have the number and types of the table's clustering key. */
export function isPosition(shape: Shape, values: readonly unknown[]): boolean {
  return (
    values.length === shape.clustering.length &&
    shape.clustering.every((property, index) => isValueOf(shape.columns[property]?.cql, values[index]))
  );
}

function isValueOf(cql: string | undefined, value: unknown): boolean {
  if (cql === 'bigint') {
    if (typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
    return BigInt.asIntN(64, BigInt(value)) === BigInt(value);
  }
  if (cql === 'timestamp') return value instanceof Date && !Number.isNaN(value.getTime());
  return cql === 'int' ? Number.isInteger(value) : typeof value === 'string';
}
