import fc from 'fast-check';
import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';

/** An operation, and values for some of its variables. */
export interface Asked {
  readonly source: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The literals of a scalar, and values that a variable of it may have. The last of each is refused by some scalars. */
const scalars: Readonly<Record<string, { literals: readonly string[]; values: readonly unknown[] }>> = {
  Int: { literals: ['1', '0', '-0', '-7'], values: [1, 0, -7, 2 ** 31] },
  Float: { literals: ['1', '0.5', '-0.0', '1e3'], values: [1, 0.5, 1e3, '1'] },
  String: { literals: ['""', '"a"', '"null"', '"""b"""'], values: ['', 'a', 'null', 5] },
  Boolean: { literals: ['true', 'false'], values: [true, false, 'true'] },
  ID: { literals: ['1', '"a"', '-0', '9007199254740993'], values: [1, 'a', '9007199254740993', 1.5] },
};
const permille = () => fc.noBias(fc.nat(999));

/**
 * Operations that are nearly always valid: their arguments have literals, variables and null at every level, and their variables have
 * defaults or none, and values, null or none. `others` has literals and values of further scalars.
 */
export function operationsOf(schema: GraphQLSchema, others: typeof scalars = {}): fc.Arbitrary<Asked> {
  const known = { ...scalars, ...others };
  return fc.gen().map((g) => {
    const chance = (of: number) => g(permille) < of * 1000;
    const pick = <T>(from: readonly T[]): T => from[g(permille) % from.length] as T;
    const declared: string[] = [];
    const variables: Record<string, unknown> = {};

    /** What a variable of a type is given. */
    function given(type: GraphQLInputType, depth = 0): unknown {
      if (!isNonNullType(type) && chance(0.15)) return null;
      const nullable = getNullableType(type);
      if (isListType(nullable))
        return chance(0.2)
          ? given(nullable.ofType, depth)
          : Array.from({ length: g(permille) % 3 }, () => given(nullable.ofType, depth));
      if (isInputObjectType(nullable))
        return Object.fromEntries(
          fieldsFor(nullable, depth).map((field) => [field.name, given(field.type, depth + 1)]),
        );
      if (isEnumType(nullable)) return pick(nullable.getValues()).name;
      const values = known[nullable.name]?.values ?? ['a'];
      return chance(0.03) ? values.at(-1) : pick(values.slice(0, -1));
    }

    /** Some fields of an input object; of one of which one field must be given, mostly one. */
    function fieldsFor(type: GraphQLNamedType, depth: number): readonly GraphQLInputField[] {
      if (!isInputObjectType(type)) return [];
      const fields = Object.values(type.getFields());
      if (type.isOneOf) return chance(0.9) ? [pick(fields)] : fields;
      return fields.filter((field) => isNeeded(field) || chance(depth > 2 ? 0.05 : 0.35));
    }

    function literal(type: GraphQLInputType, isConstant: boolean, depth = 0): string {
      if (!isNonNullType(type) && chance(0.12)) return 'null';
      const nullable = getNullableType(type);
      if (isListType(nullable)) {
        const item = () => value({ type: nullable.ofType }, isConstant, depth + 1);
        // A value alone is the only item of a list, but a variable there is the list.
        return chance(0.15)
          ? literal(getNullableType(nullable.ofType), isConstant, depth + 1).replace(/^null$/, '[]')
          : `[${Array.from({ length: g(permille) % 3 }, item).join(', ')}]`;
      }
      if (isInputObjectType(nullable)) {
        const fields = fieldsFor(nullable, depth).map(
          (field) => `${field.name}: ${value(field, isConstant || nullable.isOneOf, depth + 1)}`,
        );
        return `{ ${fields.join(', ')} }`;
      }
      if (isEnumType(nullable)) return pick(nullable.getValues()).name;
      return pick(known[nullable.name]?.literals ?? ['"a"']);
    }

    /** A literal, or a variable with or without a default and a value. */
    function value(
      { type, defaultValue }: Pick<GraphQLArgument, 'type'> & { readonly defaultValue?: unknown },
      isConstant = false,
      depth = 0,
    ): string {
      if (isConstant || !chance(0.55)) return literal(type, isConstant, depth);
      const name = `v${declared.length}`;
      const isNeeded = isNonNullType(type);
      const mayBeNull = !isNeeded || defaultValue !== undefined;
      // With a default that is not null, a variable may stand where null may not.
      const isNullable = mayBeNull ? !chance(0.2) : chance(0.4);
      const ofVariable = isNullable ? getNullableType(type) : isNeeded ? type : `${String(type)}!`;
      const hasDefault = (isNullable && !mayBeNull) || chance(0.3);
      const byDefault = hasDefault ? ` = ${literal(getNullableType(type), true).replace(/^null$/, '')}` : '';
      declared.push(`$${name}: ${String(ofVariable)}${byDefault.length > 3 ? byDefault : ''}`);
      const how = g(permille) % 10;
      if (how > 5 || (!isNullable && byDefault.length <= 3 && how > 0)) {
        variables[name] = given(getNullableType(type));
        if (variables[name] === null && !isNullable && !chance(0.1)) variables[name] = 'a';
      } else if (how > 3 && isNullable) variables[name] = null;
      return `$${name}`;
    }

    /** A condition, or none. It is never null: graphql-js leaves a rejection unhandled if it fails below two items of a list. */
    function directives(): string {
      if (!chance(0.12)) return '';
      const name = `c${declared.length}`;
      const [type, isOptional] = pick([
        ['Boolean! = true', true],
        ['Boolean = false', true],
        ['Boolean!', false],
      ] as const);
      const condition = pick(['true', 'false', `$${name}`, `$${name}`]);
      if (condition.startsWith('$')) {
        declared.push(`$${name}: ${type}`);
        if (!isOptional || chance(0.5)) variables[name] = chance(0.5);
      }
      return ` ${pick(['@skip', '@include'])}(if: ${condition})`;
    }

    let aliases = 0;
    function selection(type: GraphQLNamedType, depth: number): string {
      if (!isCompositeType(type)) return '';
      const fields = 'getFields' in type ? Object.values(type.getFields()) : [];
      const one = (): string => {
        const kind = g(permille) % 12;
        if (kind === 0 || fields.length === 0) return '__typename';
        if (kind === 1) return `... on ${type.name}${directives()} ${selection(type, depth + 1)}`;
        if (kind === 2 && !isObjectType(type)) {
          const possible = pick(schema.getPossibleTypes(type));
          return `... on ${possible.name}${directives()} ${selection(possible, depth + 1)}`;
        }
        const field = pick(fields);
        const named = getNamedType(field.type);
        if (isCompositeType(named) && depth > 3) return '__typename';
        const args = field.args
          .filter((argument) => isNeeded(argument) || chance(0.5))
          .map((argument) => `${argument.name}: ${value(argument)}`);
        const asked = args.length > 0 ? `(${args.join(', ')})` : '';
        return `a${aliases++}: ${field.name}${asked}${directives()} ${selection(named, depth + 1)}`;
      };
      return `{ ${Array.from({ length: 1 + (g(permille) % 3) }, one).join(' ')} }`;
    }

    const root = (chance(0.3) && schema.getMutationType()) || schema.getQueryType();
    if (!root) throw new Error('The schema must have a query type, but has none');
    const kind = root === schema.getMutationType() ? 'mutation' : 'query';
    const body = selection(root, 0);
    const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
    return { source: `${kind}${head} ${body}`, variables };
  });
}

function isNeeded({ type, defaultValue }: GraphQLArgument | GraphQLInputField): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}
