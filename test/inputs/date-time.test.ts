import { startHarness, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

const MUST_BE =
  'topAccounts.at: A DateTime must be a date and time such as 2026-01-31T12:00:00Z or 2026-01-31T14:00:00+02:00: a year of four digits, seconds, and Z or an offset; but got: ';

const inVariable = 'query ($at: DateTime) { topAccounts(at: $at) { takenAt } }';

/** Asks for the time in a variable and, written as the value is, in the document. Returns the messages, each once. */
async function messagesOf(at: unknown): Promise<readonly string[]> {
  const written = inVariable.replace('($at: DateTime)', '').replace('$at', JSON.stringify(at));
  const answers = [await server.query(inVariable, { at }), await server.query(written)];
  expect(answers.map(({ errors }) => errors.length)).toEqual([1, 1]);
  for (const { errors } of answers) expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  return answers.map(
    ({ errors }) =>
      errors[0]?.message.replace(/^(topAccounts\.at: )Variable "\$at" got invalid value .*?; /, '$1') ?? '',
  );
}

test.each([
  'x',
  '2026-01-31',
  '2026-01-31T12:00Z',
  '2026-01-31T12:00:00',
  '2026-02-30T12:00:00Z',
  '2026-01-31T24:00:00Z',
  '+012026-01-31T12:00:00Z',
  5,
  true,
])('the error about %j says what a DateTime must be', async (at) => {
  const message = `${MUST_BE}${JSON.stringify(at)}`;
  expect(await messagesOf(at)).toEqual([message, message]);
});

test('the error repeats no more than the beginning of a value', async () => {
  const { errors } = await server.query(`{ topAccounts(at: "${'x'.repeat(200)}") { takenAt } }`);
  expect(errors[0]?.message).toBe(`${MUST_BE}"${'x'.repeat(100)}"`);
});

test('a list and an object are named, not printed', async () => {
  for (const [value, name] of [
    ['[1]', 'a list'],
    ['{ a: 1 }', 'an object'],
  ]) {
    const { errors } = await server.query(`{ topAccounts(at: ${value}) { takenAt } }`);
    expect(errors.map(({ message }) => message)).toEqual([`${MUST_BE}${name}`]);
  }
});

test.each([
  '2026-01-31T12:00:00Z',
  '2026-01-31T14:00:00+02:00',
  '2026-01-31t12:00:00.123456z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
])('%s is a DateTime', async (at) => {
  expect((await server.query(inVariable, { at })).errors).toEqual([]);
  expect((await server.query(`{ topAccounts(at: "${at}") { takenAt } }`)).errors).toEqual([]);
});
