import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  type GraphQLArgument,
  type GraphQLInputField,
} from 'graphql';
import 'reflect-metadata';
import { Arg, ArgsType, Args, Field, InputType, Query, Resolver } from 'type-graphql';
import { createSchema as createHotels } from '../../examples/hotels/src/schema';
import { createSchema as createWeather } from '../../examples/weather/src/schema';
import { describeBounds, VALUE_BOUNDS, type Bounds } from '../../src/kit/input/input-bounds';
import { written } from '../../src/kit/input/input-text';
import { buildApi } from '../../src/kit/graphql/schema';
import { createSchema } from '../../src/app';

const schema = createSchema();

interface Input {
  readonly coordinate: string;
  readonly input: GraphQLArgument | GraphQLInputField;
}

function inputsOf(of: typeof schema): Input[] {
  return Object.values(of.getTypeMap()).flatMap((type): Input[] => {
    if (type.name.startsWith('__')) return [];
    if (isInputObjectType(type))
      return Object.values(type.getFields()).map((input) => ({
        coordinate: `${type.name}.${input.name}`,
        input,
      }));
    if (!isObjectType(type)) return [];
    return Object.values(type.getFields()).flatMap(({ name, args }) =>
      args.map((input) => ({ coordinate: `${type.name}.${name}(${input.name}:)`, input })),
    );
  });
}

describe('the schema', () => {
  const all = [schema, createHotels(), createWeather()].flatMap(inputsOf);

  test('bounds each text, id and list, and says so', () => {
    const unsaid = all.filter(({ input: { type, extensions, description } }) => {
      const named = getNamedType(type).name;
      const isText = named === 'String' || named === 'ID';
      const isList = isListType(getNullableType(type));
      const { bounds } = extensions;
      if (!isText && !isList) return false;
      if (isText && !((bounds?.maxLength ?? 0) > 0)) return true;
      if (isList && !((bounds?.maxItems ?? 0) > 0)) return true;
      return !description?.endsWith(`At most ${describeBounds(bounds ?? {})}.`);
    });
    expect(unsaid.map(({ coordinate }) => coordinate)).toEqual([]);
    expect(all.length).toBeGreaterThan(80);
  });

  test('bounds each other scalar that is read from text, and says so', () => {
    const scalars = new Set(all.map(({ input }) => getNamedType(input.type)).filter(isScalarType));
    const own = [...scalars].filter((type) => !isSpecifiedScalarType(type));
    expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(['Date', 'DateTime']));
    for (const { description, extensions } of own) {
      expect(extensions.bounds).toEqual(VALUE_BOUNDS);
      expect(description).toMatch(/[^.]\. ?An argument has at most 100 characters\.$/);
    }
    expect(getScalar('JSON')?.description).not.toMatch(/characters/);
  });

  test.each([
    [{ maxLength: 1000 }, '1,000 characters'],
    [{ maxItems: 8 }, '8 items'],
    [
      { maxItems: 20, maxGraphemes: 50, maxLength: 1000 },
      '20 items, each at most 50 graphemes, 8 marks on a letter and 1,000 characters',
    ],
    [{ ...written(500, 4000) }, '500 graphemes, 8 marks on a letter and 4,000 bytes of UTF-8'],
    [{ maxLength: 9, maxBytes: 20 }, '9 characters and 20 bytes of UTF-8'],
  ])('says the bounds %j', (bounds: Bounds, said) => {
    expect(describeBounds(bounds)).toBe(said);
  });

  test('cannot be built with a text, id or list that has no bounds', () => {
    @Resolver()
    class Unbounded {
      @Query(() => String)
      unbounded(@Arg('text', () => String) text: string) {
        return text;
      }
    }
    expect(() => buildApi([Unbounded], {})).toThrow(
      /^Query.unbounded\(text:\) must declare its bounds by @Bounded/,
    );

    @ArgsType()
    class UnboundedArgs {
      @Field(() => [Number])
      numbers: number[];
    }
    @Resolver()
    class UnboundedList {
      @Query(() => Number)
      count(@Args(() => UnboundedArgs) { numbers }: UnboundedArgs) {
        return numbers.length;
      }
    }
    expect(() => buildApi([UnboundedList], {})).toThrow(
      /^Query.count\(numbers:\) must declare its bounds by @Bounded/,
    );

    @InputType()
    class UnboundedInput {
      @Field(() => String)
      text: string;
    }
    @Resolver()
    class UnboundedObject {
      @Query(() => String)
      echo(@Arg('input', () => UnboundedInput) { text }: UnboundedInput) {
        return text;
      }
    }
    expect(() => buildApi([UnboundedObject], {})).toThrow(
      /^UnboundedInput.text must declare its bounds by @Bounded/,
    );
  });

  function getScalar(name: string) {
    const type = schema.getType(name);
    return isScalarType(type) ? type : null;
  }
});
