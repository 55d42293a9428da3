import type { Random } from '../../src/kit/base/random';
import { chance, pickOne, randomFor } from '../crash/random';
import { Differences } from '../crash/differences';
import type { Ranked } from './crowd';
import { compare, describeErrors, type Ask, type Examined } from './ask';

/** The expected rankings at a moment. */
export interface Taken {
  readonly at: Date;
  readonly accounts: Ranked;
  readonly followers: Ranked;
}

const entries = 'takenAt entries { rank score user { username } }';
const one = (field: string) =>
  `query ($at: DateTime, $first: Int) { ranking: ${field}(at: $at, first: $first) { ${entries} } }`;
const many = `query ($kind: RankingKind!, $from: DateTime!, $to: DateTime!, $first: Int, $after: String) {
  list: rankings(kind: $kind, from: $from, to: $to, first: $first, after: $after) {
    nodes { ${entries} } pageInfo { hasNextPage endCursor }
  }
}`;

interface Shown {
  readonly takenAt: string;
  readonly entries: readonly {
    readonly rank: number;
    readonly score: number;
    readonly user: { readonly username: string };
  }[];
}

/**
 * Asks for rankings at random times, `count` questions for each field, and compares the answers with rankings counted by
 * brute force.
 */
export async function* examineRankings(
  ask: Ask,
  taken: readonly Taken[],
  { seed, count, only = '' }: { readonly seed: number; readonly count: number; readonly only?: string },
): AsyncIterable<Examined> {
  const examiners = {
    topAccounts: (random: Random, differences: Differences) =>
      examineOne(ask, 'topAccounts', taken, random, differences),
    topFollowers: (random: Random, differences: Differences) =>
      examineOne(ask, 'topFollowers', taken, random, differences),
    rankings: (random: Random, differences: Differences) => examineMany(ask, taken, random, differences),
  };
  for (const [field, examiner] of Object.entries(examiners).filter(([name]) => name.includes(only))) {
    const differences = new Differences();
    let items = 0;
    for (let n = 0; n < count; n++) items += await examiner(randomFor(seed, field, n), differences);
    yield { field, asked: count, items, refused: 0, differences };
  }
}

async function examineOne(
  ask: Ask,
  field: 'topAccounts' | 'topFollowers',
  taken: readonly Taken[],
  random: Random,
  differences: Differences,
): Promise<number> {
  const at = chance(random, 0.1) ? null : momentAround(taken, random);
  const first = 1 + Math.floor(random() * 100);
  const wanted = taken.filter((rankings) => at === null || rankings.at <= at).at(-1);
  const { data, errors } = await ask(one(field), { at: at?.toISOString(), first });
  const { ranking } = (data ?? { ranking: null }) as { ranking: Shown | null };
  const found = errors.length > 0 ? describeErrors(errors) : ranking && linesOf(ranking);
  const ranked = field === 'topAccounts' ? wanted?.accounts : wanted?.followers;
  const expected = wanted && ranked ? expectedLines(wanted.at, ranked.slice(0, first)) : null;
  compare(differences, `${field} ${JSON.stringify({ at, first })}`, found, expected);
  return expected?.length ?? 0;
}

async function examineMany(
  ask: Ask,
  taken: readonly Taken[],
  random: Random,
  differences: Differences,
): Promise<number> {
  const [from = new Date(0), to = new Date(0)] = [
    momentAround(taken, random),
    momentAround(taken, random),
  ].sort((a, b) => Number(a) - Number(b));
  const kind = chance(random, 0.5) ? 'TOP_ACCOUNTS' : 'TOP_FOLLOWERS';
  const first = 1 + Math.floor(random() * 4);
  const asked = { kind, from: from.toISOString(), to: to.toISOString(), first };
  const found: string[] = [];
  for (let after: string | null = null; ;) {
    const { data, errors } = await ask(many, { ...asked, after });
    if (data === null) {
      found.push(...describeErrors(errors));
      break;
    }
    const { list } = data as {
      list: { nodes: Shown[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
    };
    found.push(...list.nodes.flatMap(linesOf));
    if (!list.pageInfo.hasNextPage) break;
    after = list.pageInfo.endCursor;
  }
  const within = taken.filter(({ at }) => at >= from && at < to).reverse();
  const expected = within.flatMap(({ at, accounts, followers }) =>
    expectedLines(at, kind === 'TOP_ACCOUNTS' ? accounts : followers),
  );
  // An empty period is not compared.
  if (Number(from) === Number(to)) return 0;
  compare(differences, `rankings ${JSON.stringify(asked)}`, found, expected);
  return within.length;
}

/** A moment near one at which rankings were taken; often that moment exactly, or a millisecond before or after it. */
function momentAround(taken: readonly Taken[], random: Random): Date {
  const at = Number(pickOne(random, taken)?.at ?? 0);
  const roll = random();
  if (roll < 0.3) return new Date(at);
  if (roll < 0.5) return new Date(at - 1);
  if (roll < 0.7) return new Date(at + 1);
  return new Date(Math.round(at + (random() - 0.5) * 4 * 86_400_000));
}

function linesOf({ takenAt, entries: ranked }: Shown): string[] {
  return [takenAt, ...ranked.map(({ rank, score, user }) => `${rank} ${score} ${user.username}`)];
}

function expectedLines(at: Date, ranked: Ranked): string[] {
  return [at.toISOString(), ...ranked.map((line, index) => `${index + 1} ${line}`)];
}
