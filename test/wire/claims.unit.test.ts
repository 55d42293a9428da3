import { SignJWT } from 'jose';
import { createIdentify } from '../../src/features/viewer/token';

const secret = 'a secret that only this test knows';
const settings = {
  key: { secret, previousSecret: null },
  serviceScope: 'service',
  allowNoExpiry: false,
  signsItself: false,
};
const soon = Math.floor(Date.now() / 1000) + 600;

async function identify(
  claims: Readonly<Record<string, unknown>>,
  { issuer = null, audience = null }: { issuer?: string | null; audience?: string | null } = {},
) {
  const token = await new SignJWT({ sub: 'ada', exp: soon, ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));
  return createIdentify({ ...settings, issuer, audience })(`Bearer ${token}`);
}

test.each([
  ['service', 'service'],
  ['read service', 'service'],
  [['read', 'service'], 'service'],
  [['read service'], 'service'],
  [['service'], 'service'],
  [[], 'person'],
  ['', 'person'],
  ['services', 'person'],
  [['read', 'services'], 'person'],
  [undefined, 'person'],
])('the scope %j makes a token that of a %s', async (scope, kind) => {
  await expect(identify({ scope })).resolves.toMatchObject({ kind });
});

const TEXT = 'text';
const LIST = 'text or a list of texts';
const SECONDS = 'a number of seconds since 1970';

test.each([
  ['scope', 1, LIST, 'is a number'],
  ['scope', null, LIST, 'is null'],
  ['scope', { service: true }, LIST, 'is an object'],
  ['scope', ['service', 1], LIST, 'is a list'],
  ['scope', [['service']], LIST, 'is a list'],
  ['scope', true, LIST, 'is a boolean'],
  ['sub', 42, TEXT, 'is a number'],
  ['sub', null, TEXT, 'is null'],
  ['sub', ['ada'], TEXT, 'is a list'],
  ['sub', {}, TEXT, 'is an object'],
  ['sub', '\ud800', 'well-formed Unicode', 'has a lone surrogate'],
  ['iss', 7, TEXT, 'is a number'],
  ['iss', ['a'], TEXT, 'is a list'],
  ['aud', 7, LIST, 'is a number'],
  ['aud', ['here', 7], LIST, 'is a list'],
  ['aud', {}, LIST, 'is an object'],
  ['exp', String(soon), SECONDS, 'is a string'],
  ['exp', null, SECONDS, 'is null'],
  ['exp', [soon], SECONDS, 'is a list'],
  ['nbf', '0', SECONDS, 'is a string'],
  ['iat', 'now', SECONDS, 'is a string'],
])('the claim %s of the value %j is refused by name', async (claim, value, must, came) => {
  const message = `The claim \`${claim}\` of the token must be ${must}, but ${came}.`;
  // Whether or not the server compares the claim with a setting.
  for (const compared of [{}, { issuer: 'https://issuer.example', audience: 'here' }])
    await expect(
      identify({ iss: 'https://issuer.example', aud: 'here', [claim]: value }, compared),
    ).rejects.toMatchObject({ message, extensions: { code: 'UNAUTHENTICATED' } });
});

test('a token may have no claims but its subject and its end, and a list of audiences', async () => {
  await expect(identify({})).resolves.toMatchObject({ kind: 'person', issuer: '', subject: 'ada' });
  await expect(identify({ aud: ['there', 'here'] }, { audience: 'here' })).resolves.toMatchObject({
    kind: 'person',
  });
  await expect(identify({ exp: undefined })).rejects.toThrow('must say when it expires');
  await expect(identify({ aud: 'there' }, { audience: 'here' })).rejects.toThrow(
    'must be valid for this server',
  );
});
