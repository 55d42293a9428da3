import { getNullableType, isEnumType, type GraphQLField } from 'graphql';
import { formatCount } from '../base/format-count';
import { FREE_SIZED, sizedSumOf, type SizedCost } from './cost';
import { dearest } from './field-cost';
import { askedByDefault, askedOf, isConnection } from './asked';
import { boundsOf, declarationOf, type CostArguments, type TableBound } from './reads';

type Field = GraphQLField<unknown, unknown>;

/** Describes what a field costs, in a few sentences generated from its declaration; empty for a field that reads nothing. */
export function costSentence(field: Field): string {
  const bounds = boundsOf(field);
  if (bounds.length === 0) return '';
  const { example } = declarationOf(field);
  const asked = askedByDefault(field, example?.args ?? {});
  const tables = sumByTable(field, asked);
  const total = sizedSumOf([...tables.values()]);
  if (total.reads === 0) return 'Costs the request no reads.';
  const isConstant = bounds.every((bound) => bound.isConstant) && total.reads === 1;
  const what = example
    ? `For ${example.what}: costs`
    : isConnection(field)
      ? `A page of ${asked.limit} costs`
      : 'Costs';
  const parts = [...tables].map(([names, { reads }]) => `${formatCount(reads)} of ${names}`);
  const amount = `${isConstant ? '' : 'at most '}${describeAmount(total, isConstant)}`;
  const sentence =
    tables.size === 1
      ? `${what} ${amount} of ${[...tables.keys()].join('')}`
      : `${what} ${amount}: ${parts.join(', ')}`;
  return `${sentence}.${describeSharing(field)}${describeVariants(field, asked, total)}`;
}

function describeAmount({ reads, rows, bytes }: SizedCost, isConstant: boolean): string {
  const amount = `${formatCount(reads)} read${reads === 1 ? '' : 's'}`;
  if (isConstant) return `${amount} and ${describeBytes(bytes)}`;
  return `${amount}, ${formatCount(rows)} row${rows === 1 ? '' : 's'} and ${describeBytes(bytes)}`;
}

/** A number of bytes with two digits, rounded up: `1.1 kB`, `85 kB`. */
function describeBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const unit = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), units.length - 1);
  const size = bytes / 1000 ** unit;
  return `${formatCount(size < 10 ? Math.ceil(size * 10) / 10 : Math.ceil(size))} ${units[unit]}`;
}

/** Describes the reads of a field by table, or by several tables that it reads together; its main table comes first. */
function sumByTable(field: Field, asked: CostArguments): ReadonlyMap<string, SizedCost> {
  const tables = new Map<string, SizedCost>();
  for (const { bound, cost } of (declarationOf(field).reads ?? []).flatMap((declared) =>
    dearest(declared, asked),
  ))
    if (cost.reads > 0)
      tables.set(namesIn(bound), sizedSumOf([tables.get(namesIn(bound)) ?? FREE_SIZED, cost]));
  return tables;
}

function namesIn({ table, otherTables = [] }: TableBound): string {
  const names = [table, ...otherTables].map((name) => `\`${name}\``);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last} together`;
}

function describeSharing(field: Field): string {
  const bounds = boundsOf(field);
  const scopes = new Set(bounds.map(({ scope }) => scope));
  const once = [
    ...new Set(bounds.flatMap(({ scope, table }) => (scope === 'request' ? `\`${table}\`` : []))),
  ];
  return [
    scopes.has('object') ? ' Fields of one object that need the same read share it.' : '',
    once.length > 0 ? ` A request reads ${once.join(', ')} once, however many fields need it.` : '',
  ].join('');
}

/** Describes the costs of the other values of an enum argument, if they differ from the total. */
function describeVariants(field: Field, asked: CostArguments, total: SizedCost): string {
  return field.args
    .flatMap(({ name, type }) => {
      const named = getNullableType(type);
      if (!isEnumType(named)) return [];
      return named.getValues().flatMap(({ name: value, ...rest }) => {
        const given: unknown = rest.value;
        const cost = sizedSumOf([
          ...sumByTable(field, askedOf(field, { ...asked.args, [name]: given }, null)).values(),
        ]);
        const isSame = cost.reads === total.reads && cost.rows === total.rows;
        return isSame ? [] : ` With \`${name}: ${value}\` at most ${describeAmount(cost, false)}.`;
      });
    })
    .join('');
}
