import { buildSchema, getDirectiveValues, isNonNullType, isObjectType, type GraphQLField } from 'graphql';
import { createSchema } from '../src/app';
import { printed } from '../src/kit/graphql/schema';
import { person, startHarness, type Harness } from './support/harness';

/** The schema as a client has it: from the printed text alone. */
const schema = buildSchema(printed(createSchema()));
const directive = schema.getDirective('semanticNonNull');

function marked(type: string): GraphQLField<unknown, unknown>[] {
  const of = schema.getType(type);
  if (!directive || !isObjectType(of)) throw new Error(`The schema must have ${type} and the directive.`);
  return Object.values(of.getFields()).filter(
    ({ astNode }) => astNode && getDirectiveValues(directive, astNode) !== undefined,
  );
}

test('each nullable mutation is marked, but for that which may find nothing to show any more', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  expect(marked('Mutation')).toEqual(
    mutations.filter(({ name, type }) => !isNonNullType(type) && name !== 'unmuteThread'),
  );
  expect(mutations.length).toBeGreaterThan(20);
});

test('each nullable field of a user whose description says that others get FORBIDDEN is marked', () => {
  const user = schema.getType('User');
  const refusing = Object.values(isObjectType(user) ? user.getFields() : {}).filter(
    ({ description, type }) => description?.includes('others get `FORBIDDEN`') && !isNonNullType(type),
  );
  expect(marked('User')).toEqual(refusing);
  expect(refusing.map(({ name }) => name)).toContain('timeline');
});

describe('a field that is null only by an error', () => {
  let server: Harness;
  beforeAll(async () => {
    server = await startHarness();
    await server.store([person('1', 'ada'), person('2', 'bo')]);
  });

  test.each(marked('User').map(({ name }) => name))(
    '%s has a value for its user, who has made nothing, and an error for others',
    async (name) => {
      const query = `{ user(username: "ada") { ${name} { __typename } } }`;
      const own = await server.query(query, {}, '1');
      expect(own.errors).toEqual([]);
      expect(own.data).toEqual({ user: { [name]: expect.anything() as unknown } });
      const other = await server.query(query, {}, '2');
      expect(other.data).toEqual({ user: { [name]: null } });
      expect(other.errors).toMatchObject([{ path: ['user', name], extensions: { code: 'FORBIDDEN' } }]);
    },
  );
});
