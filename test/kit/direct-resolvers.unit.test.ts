import 'reflect-metadata';
import { GraphQLObjectType } from 'graphql';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  Info,
  InputType,
  Int,
  Query,
  Resolver,
  buildSchemaSync,
} from 'type-graphql';
import { callDirectly } from '../../src/kit/graphql/direct-resolvers';

@ArgsType()
class Wide {
  @Field(() => Int, { nullable: true })
  width?: number | null;
}

@ArgsType()
class Sized extends Wide {
  @Field(() => Int, { nullable: true })
  height?: number | null;
}

@InputType()
class Box {
  @Field(() => Int)
  side: number;
}

@Resolver()
class SizeResolver {
  @Query(() => String)
  size(@Ctx() context: string, @Args(() => Sized) args: Sized) {
    return `${context} ${args.constructor.name} ${JSON.stringify(args)}`;
  }

  @Query(() => String)
  twice(@Arg('text', () => String) text: string) {
    return text + text;
  }

  @Query(() => String)
  told(@Info() info: unknown, @Ctx() context: string) {
    return `${String(info)} ${context}`;
  }

  @Query(() => String)
  boxed(@Arg('box', () => Box) box: Box) {
    return box.constructor.name;
  }
}

const schema = buildSchemaSync({ resolvers: [SizeResolver], validate: false });
const wrapped = schema.getQueryType()?.getFields()['boxed']?.resolve;
callDirectly(schema, [SizeResolver]);

function call(field: string, args: object): unknown {
  const type = schema.getType('Query');
  const resolve: unknown = type instanceof GraphQLObjectType ? type.getFields()[field]?.resolve : undefined;
  return typeof resolve === 'function'
    ? Reflect.apply(resolve, undefined, [undefined, args, 'context', 'info'])
    : null;
}

test('a resolver is called at once with its context and with its arguments as an object of their class', () => {
  expect(call('size', { width: 1, height: null })).toBe('context Sized {"height":null,"width":1}');
  expect(call('size', {})).toBe('context Sized {}');
  expect(call('twice', { text: 'ab' })).toBe('abab');
  expect(call('told', {})).toBe('info context');
});

test('type-graphql still converts the fields of an input object', async () => {
  expect(schema.getQueryType()?.getFields()['boxed']?.resolve).toBe(wrapped);
  expect(await call('boxed', { box: { side: 1 } })).toBe('Box');
});
