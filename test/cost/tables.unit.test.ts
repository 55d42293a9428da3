import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql';
import { int, optional, text, texts, timestamp, type Column } from '../../src/kit/cassandra/column';
import { measureRows, sizeOfRow } from '../../src/kit/cassandra/row-size';
import { articles, comments } from '../../src/features/news/news.table';
import { hiddenByUser } from '../../src/features/hidden/hidden.table';
import { tweets } from '../../src/features/tweet/tweet.table';
import { users } from '../../src/features/user/user.table';
import { boundCostsOf, tableCosts } from '../../src/kit/cost/field-cost';
import { askedOf } from '../../src/kit/cost/asked';
import { boundsOf, declarationOf } from '../../src/kit/cost/reads';
import { createSchema } from '../../src/app';

/** Each field that reads, with what its bound consists of. */
const fields = Object.values(createSchema().getTypeMap())
  .filter(isObjectType)
  .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
  .filter(({ field }) => boundsOf(field).length > 0)
  .map(({ type, field }) => {
    const defaults = Object.fromEntries(field.args.map(({ name, defaultValue }) => [name, defaultValue]));
    const args = { ...defaults, ...declarationOf(field).example?.args };
    const tables = tableCosts(boundCostsOf(field, askedOf(field, args, null)), 1, new Map(), new Map());
    return { name: `${type.name}.${field.name}`, tables };
  });

test('the bound of a field names no table twice', () => {
  expect(fields.length).toBeGreaterThan(40);
  for (const { name, tables } of fields) {
    const names = tables.flatMap(({ table, otherTables = [] }) => [table, ...otherTables]);
    expect([name, names]).toEqual([name, [...new Set(names)]]);
  }
});

test('every list of objects outside a page says how many items it has, so that bounds count them', () => {
  const lists = Object.values(createSchema().getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('__') && !('pageInfo' in type.getFields()))
    .flatMap((type) => Object.values(type.getFields()))
    .filter(({ type }) => isListType(getNullableType(type)) && isCompositeType(getNamedType(type)));
  expect(lists.length).toBeGreaterThan(5);
  expect(lists.filter((field) => declarationOf(field).items === undefined).map(({ name }) => name)).toEqual(
    [],
  );
});

/** Where each text is stored that a mutation takes. */
const stored: Readonly<Record<string, Column<unknown>>> = {
  'AddCommentInput.body': comments.columns.body,
  'CreateTweetInput.content': tweets.columns.content,
  'CreateUserInput.description': users.columns.description,
  'CreateUserInput.name': users.columns.name,
  'LocationInput.country': tweets.columns.location,
  'MuteWordsInput.text': hiddenByUser.columns.words,
  'PublishArticleInput.body': articles.columns.body,
  'PublishArticleInput.tags': articles.columns.tags,
  'PublishArticleInput.title': articles.columns.title,
  'UpdateUserInput.description': users.columns.description,
  'UpdateUserInput.name': users.columns.name,
};

test('a text that a mutation takes has at most as many bytes as its column', () => {
  const written = Object.values(createSchema().getTypeMap())
    .filter(isInputObjectType)
    .flatMap((type) =>
      Object.values(type.getFields()).flatMap(({ name, extensions: { bounds } }) =>
        bounds?.maxGraphemes === undefined ? [] : [{ name: `${type.name}.${name}`, bounds }],
      ),
    );
  expect(written.map(({ name }) => name).sort()).toEqual(Object.keys(stored).sort());
  for (const { name, bounds } of written) {
    const bytes = (bounds.maxItems ?? 1) * (bounds.maxBytes ?? Infinity);
    expect([name, bytes]).toEqual([name, Math.min(bytes, stored[name]?.maxBytes ?? 0)]);
  }
});

test('the size of a row follows from its columns', () => {
  const table = { number: int, name: text(100), body: optional(text(1000)), tags: texts(300), at: timestamp };
  const size = sizeOfRow(table);
  expect(size).toEqual({ maxBytes: 1412, fixedBytes: 112, varying: ['body', 'tags'] });
  const row = { number: 1, name: 'x', at: new Date(0) };
  expect(measureRows(size, [{ ...row, body: '語', tags: ['é', 'e'] }])).toBe(112 + 3 + 3);
  expect(measureRows(size, [{ ...row, body: null, tags: null }, row])).toBe(224);
  expect(sizeOfRow(table, ['number', 'body'])).toEqual({ maxBytes: 1004, fixedBytes: 4, varying: ['body'] });
});
