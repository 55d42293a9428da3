import { parse, type OperationDefinitionNode } from 'graphql';
import { readConfig } from '../src/config';
import { countPoints, countWritten, mutationsIn } from '../src/kit/graphql/admission';
import { findNetwork, findWiderNetworks } from '../src/kit/config/address';
import { createRateLimits, type RateLimit } from '../src/kit/rate-limits/rate-limits';
import { TokenBuckets } from '../src/kit/base/token-bucket';
import { codeOf } from './support/errors';

describe('a bucket', () => {
  let clock: number;
  let buckets: TokenBuckets;
  beforeEach(() => {
    clock = 0;
    buckets = new TokenBuckets({ capacity: 60, seconds: 60, now: () => clock });
  });

  test('is full at first, and each key has its own', () => {
    expect(buckets.take('a', 60)).toBe(0);
    expect(buckets.take('a', 1)).toBe(1);
    expect(buckets.take('b', 60)).toBe(0);
  });

  test('that refuses takes nothing, and has enough after the seconds that it tells', () => {
    buckets.take('a', 55);
    expect(buckets.take('a', 15)).toBe(10);
    expect(buckets.state('a')).toEqual({ remaining: 5, resetSeconds: 55 });
    clock = 9_900;
    expect(buckets.take('a', 15)).toBe(1);
    clock = 10_000;
    expect(buckets.take('a', 15)).toBe(0);
  });

  test('never holds more than its capacity, however long it waits and whatever is given back', () => {
    buckets.take('a', 10);
    buckets.giveBack('a', 30);
    clock = 3_600_000;
    expect(buckets.state('a')).toEqual({ remaining: 60, resetSeconds: 0 });
    expect(buckets.take('a', 60)).toBe(0);
    expect(buckets.take('a', 1)).toBe(1);
  });

  test('that is full gives more than it holds, and is empty for so much longer', () => {
    expect(buckets.take('a', 180)).toBe(0);
    expect(buckets.state('a')).toEqual({ remaining: 0, resetSeconds: 180 });
    clock = 120_000;
    expect(buckets.take('a', 1)).toBe(1);
    clock = 121_000;
    expect(buckets.take('a', 1)).toBe(0);
    expect(buckets.take('a', 180)).toBe(60);
  });

  test('is forgotten when very many others were used since, so that memory is bounded', () => {
    buckets.take('a', 60);
    const long = 'x'.repeat(1_000_000);
    for (let n = 0; n < 10; n++) buckets.take(`${n}${long}`, 1);
    expect(buckets.state('a').remaining).toBe(0);
    for (let n = 0; n < 20; n++) buckets.take(`${n}${long}`, 1);
    expect(buckets.state('a').remaining).toBe(60);
  });
});

describe('the limits of a caller', () => {
  const refused: RateLimit[] = [];
  const none = {
    pointsPerMinute: 0,
    mutationsPerMinute: 0,
    pairPerHour: 0,
    requestsAtOnce: 0,
    subscriptionsAtOnce: 0,
  };
  const limitsWith = (rates: Partial<typeof none>) =>
    createRateLimits({ ...none, ...rates }, (limit) => {
      refused.push(limit);
    });
  beforeEach(() => {
    refused.length = 0;
    // Buckets fill while a slow machine goes on.
    jest.spyOn(performance, 'now').mockReturnValue(0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('do not count a change of a pair that failed', async () => {
    const limits = limitsWith({ pairPerHour: 1 })('a');
    const failing = () => Promise.reject(new Error('not written'));
    for (let n = 0; n < 3; n++)
      await expect(limits.pair('follow', '1', failing)).rejects.toThrow('not written');
    await limits.pair('follow', '1', () => Promise.resolve(true));
    await expect(limits.pair('follow', '1', () => Promise.resolve(true))).rejects.toThrow(
      'A caller may make 1 changes of the kind "follow" to one target in 3600 s (the limit "pair"). This request asks for 1, but the caller has 0 left. Try again in 3600 s.',
    );
  });

  test('charge what may be read, and give back what was not', () => {
    const limits = limitsWith({ pointsPerMinute: 1000 })('a');
    limits.countRequest();
    limits.charge(700, 0);
    expect(limits.headers()).toMatchObject({ ratelimit: '"points";r=300;t=42' });
    limits.giveBackUnused(12);
    expect(limits.headers()).toEqual({
      ratelimit: expect.stringMatching(/^"points";r=988;t=1$/) as string,
      'ratelimit-policy': '"points";q=1000;w=60',
    });
    limits.giveBackUnused(0);
    expect(limits.headers()).toMatchObject({ ratelimit: '"points";r=999;t=1' });
  });

  test('charge for an answer what it costs beyond the reads, refuse none for it, and let the next requests wait', () => {
    const of = limitsWith({ pointsPerMinute: 1000 });
    const limits = of('a');
    limits.countRequest();
    limits.charge(700, 0);
    limits.giveBackUnused(12);
    for (const points of [1, 12, 40, 30]) limits.countAnswer(points);
    expect(limits.headers()).toMatchObject({ ratelimit: expect.stringMatching(/r=960;/) as string });
    const large = of('a');
    large.countRequest();
    large.countAnswer(1500);
    expect(large.headers()).toMatchObject({ ratelimit: expect.stringMatching(/r=0;t=9\d$/) as string });
    expect(() => {
      of('a').countRequest();
    }).toThrow('the caller has 0 left. Try again in 33 s.');
  });

  test('take back what they gave for a bound that was refused, also of a caller whose answers have cost more than there was', () => {
    const of = limitsWith({ pointsPerMinute: 600 });
    const growing = of('a');
    growing.countRequest();
    growing.charge(300, 0);
    const large = of('a');
    large.countRequest();
    large.countAnswer(1000);
    expect(() => {
      growing.charge(400, 0);
    }).toThrow('Try again in');
    growing.giveBackUnused(10);
    expect(() => {
      of('a').countRequest();
    }).toThrow('Try again in 42 s.');
  });

  test('charge what it takes to compute a cost, and never give that back', () => {
    const of = limitsWith({ pointsPerMinute: 1000 });
    const limits = of('a');
    limits.countRequest();
    limits.countWork(40);
    limits.charge(30, 0);
    expect(limits.headers()).toMatchObject({ ratelimit: expect.stringMatching(/r=959;/) as string });
    limits.charge(700, 0);
    limits.giveBackUnused(12);
    expect(limits.headers()).toMatchObject({ ratelimit: expect.stringMatching(/r=959;/) as string });
    limits.countWork(20);
    limits.giveBackUnused(0);
    expect(limits.headers()).toMatchObject({ ratelimit: expect.stringMatching(/r=939;/) as string });
    const next = of('a');
    next.countRequest();
    expect(() => {
      next.countWork(950);
    }).toThrow('This request asks for 951, but the caller has 939 left.');
  });

  test('let a request that is dearer than a full bucket have a full one', () => {
    const of = limitsWith({ pointsPerMinute: 1000 });
    const limits = of('a');
    limits.countRequest();
    limits.charge(5000, 0);
    limits.giveBackUnused(10);
    expect(limits.headers()).toMatchObject({ ratelimit: expect.stringMatching(/r=990;/) as string });
    const next = of('a');
    next.countRequest();
    expect(() => {
      next.charge(5000, 0);
    }).toThrow('This request asks for 5000, for which 1000 must be left, but the caller has 990 left.');
  });

  test('of one who asks for more than is left are kept for all of its requests, and cost it one', () => {
    const limits = limitsWith({ pointsPerMinute: 1000 });
    const [one, other] = [limits('a'), limits('a')];
    one.countRequest();
    one.charge(700, 0);
    other.countRequest();
    expect(() => {
      other.charge(700, 0);
    }).toThrow(
      'A caller may spend 1000 points in 60 s (the limit "points"). This request asks for 700, but the caller has 300 left. Try again in 24 s.',
    );
    expect(other.headers()).toMatchObject({ ratelimit: '"points";r=299;t=43', 'retry-after': '24' });
    expect(refused).toEqual(['points']);
    const stranger = limits('b');
    stranger.countRequest();
    stranger.charge(700, 0);
  });

  test('count each kind of act on each target, and only what changed something', async () => {
    const limits = limitsWith({ pairPerHour: 2 });
    const acts: string[] = [];
    const act = (caller: string, kind: string, target: string, changed = true) =>
      limits(caller)
        .pair(kind, target, () => {
          acts.push(`${caller} ${kind} ${target}`);
          return Promise.resolve(changed);
        })
        .then(() => 'done', codeOf);
    for (let n = 0; n < 5; n++) expect(await act('a', 'follow', '1', false)).toBe('done');
    expect(await act('a', 'follow', '1')).toBe('done');
    expect(await act('a', 'follow', '1')).toBe('done');
    acts.length = 0;
    expect(await act('a', 'follow', '1')).toBe('RATE_LIMITED');
    expect(await act('a', 'follow', '1', false)).toBe('RATE_LIMITED');
    expect(acts).toEqual([]);
    expect(await act('a', 'follow', '2')).toBe('done');
    expect(await act('a', 'like', '1')).toBe('done');
    expect(await act('b', 'follow', '1')).toBe('done');
    expect(refused).toEqual(['pair', 'pair']);
  });

  test('are none where they are off', async () => {
    const limits = limitsWith({})('a');
    limits.countRequest();
    limits.charge(1e9, 1e9);
    await limits.pair('follow', '1', () => Promise.resolve(true));
    expect(limits.headers()).toEqual({});
  });
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'not an address'],
])('an address is told apart by its network: %s', (address, network) => {
  expect(findNetwork(address)).toBe(network);
});

test.each([
  ['192.0.2.1', []],
  ['::ffff:192.0.2.1', []],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:0::/56', '2001:db8:1::/48']],
  ['2001:db8:1:ffff::1', ['2001:db8:1:ff00::/56', '2001:db8:1::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/56', 'fe80:0:0::/48']],
  ['not an address', []],
])('an address may be in wider networks: %s', (address, networks) => {
  expect(findWiderNetworks(address)).toEqual(networks);
});

test.each([
  ['{ likeTweet }', 0],
  ['mutation { likeTweet }', 1],
  ['mutation { __typename likeTweet }', 1],
  ['mutation { a: likeTweet b: likeTweet likeTweet }', 3],
  ['mutation { a: likeTweet a: likeTweet }', 1],
  ['mutation { ...F ... { b: likeTweet } } fragment F on Mutation { a: likeTweet c: likeTweet }', 3],
  ['mutation { ...F ...F } fragment F on Mutation { a: likeTweet ...F }', 1],
])('the fields of a mutation are counted by what they are called in the answer: %s', (source, count) => {
  const document = parse(source);
  expect(mutationsIn(document.definitions[0] as OperationDefinitionNode, document)).toBe(count);
});

test.each([
  ['10.0.0.0/8, ::1, loopback', ['10.0.0.0/8', '::1', 'loopback']],
  ['192.0.2.1', ['192.0.2.1']],
])('proxies are trusted by address: %s', (text, proxies) => {
  expect(readConfig({ TRUST_PROXY: text }).trustedProxies).toEqual(proxies);
});

test('a request costs a point for each partition or, if that is more, for each 16 KiB; and for each KiB that it sends', () => {
  expect(countPoints({ reads: 0 })).toBe(1);
  expect(countPoints({ reads: 7 }, 16_384 * 7)).toBe(7);
  expect(countPoints({ reads: 7 }, 16_384 * 7 + 1)).toBe(8);
  expect(countPoints({ reads: 0, written: 1023 })).toBe(1);
  expect(countPoints({ reads: 3, written: 100_000 }, 1_000_000)).toBe(62 + 97);
});

test('what a mutation sends to be stored is its document and variables', () => {
  const source = 'mutation A($b: String!) { a(b: $b) } query B { b }';
  const [first, second] = parse(source).definitions as OperationDefinitionNode[];
  if (!first || !second) throw new Error('There must be two operations.');
  const variables = { b: 'é'.repeat(100) };
  expect(countWritten(first, variables)).toBe(source.indexOf(' query') + 200 + '{"b":""}'.length);
  expect(countWritten(second, variables)).toBe(0);
  expect(countWritten(first, { ...variables, other: 'x'.repeat(100) })).toBe(countWritten(first, variables));
});
