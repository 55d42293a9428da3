import { isObjectType, parse, TypeInfo, visit, visitWithTypeInfo, type GraphQLSchema } from 'graphql';
import { isSemanticNonNull } from '../../kit/graphql/semantic-non-null';

type Path = readonly (string | number)[];

/** The parts of an answer that are looked at. */
interface Answered {
  readonly data: unknown;
  readonly errors: readonly { readonly path?: Path }[];
}

/**
 * Returns the paths at which an answer has null in a field that is null only by an error, and has no error. Selections in fragments are not
 * looked at.
 */
export function silentNulls(
  schema: GraphQLSchema,
  source: string,
  { data, errors }: Answered,
): readonly string[] {
  if (data == null) return [];
  // An error of a part that must not be null makes the whole null.
  const hasError = (path: string) =>
    errors.some((error) => `${error.path?.join('.')}.`.startsWith(`${path}.`));
  const silent: string[] = [];
  const types = new TypeInfo(schema);
  const keys: string[] = [];
  visit(
    parse(source),
    visitWithTypeInfo(types, {
      FragmentDefinition: () => false,
      Field: {
        enter({ alias, name }) {
          keys.push((alias ?? name).value);
          const [type, field] = [types.getParentType(), types.getFieldDef()];
          if (!field || !isObjectType(type) || !isSemanticNonNull(schema, type, field)) return;
          silent.push(...nullsAt(data, keys).filter((path) => !hasError(path)));
        },
        leave() {
          keys.pop();
        },
      },
    }),
  );
  return silent;
}

/** The paths of nulls in a value that the keys lead to, through all items of the lists on the way. */
function nullsAt(value: unknown, keys: readonly string[], path: Path = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => nullsAt(item, keys, [...path, index]));
  const [key, ...others] = keys;
  if (key === undefined) return value === null ? [path.join('.')] : [];
  if (typeof value !== 'object' || value === null) return [];
  return nullsAt(Reflect.get(value, key), others, [...path, key]);
}
