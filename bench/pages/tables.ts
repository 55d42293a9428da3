import { lineOf, type Driven } from '../drive';
import { percentile, round, type Line } from '../measure';
import { callers, type Caller } from './callers';
import type { Explained } from './explain';
import { kinds, type Kind } from './kinds';
import type { PageQuestion } from './questions';
import { leastStatements } from './raw-reads';
import type { Subject } from './subjects';

/** Whose pages a line is about: all of the sample, or one kind of people. */
export const groups = ['everybody', ...kinds] as const;
type Group = (typeof groups)[number];

/** Loads of our server and of the driver alone. */
export type Both = Readonly<Record<'ours' | 'raw', Driven[]>>;

/** A subject with its page, as a service got it. */
export interface Answered {
  readonly subject: Subject;
  readonly explained: Explained;
}

/** What was measured of a question. */
export interface Taken {
  readonly question: PageQuestion;
  /** Without those whose page was refused. */
  readonly answered: readonly Answered[];
  readonly refused: number;
  /** What the pages took for each caller who may read them. */
  readonly byCaller: ReadonlyMap<Caller, readonly Explained[]>;
  /** Requests one at a time, recorded by the kind of the person. */
  readonly alone: Both;
  /** Requests over many connections, for each group that has somebody. */
  readonly together: ReadonlyMap<Group, Both>;
}

/** Those of a group. */
export function among(answered: readonly Answered[], group: Group): readonly Answered[] {
  return group === 'everybody' ? answered : answered.filter(({ subject }) => subject.kind === group);
}

/** The lines of everybody. */
export function linesOfEverybody(taken: readonly Taken[]): Line[] {
  return taken.map((one) => ({
    what: one.question.name,
    ...workOf(one.answered),
    ...(one.refused > 0 && { refused: one.refused }),
    ...timesOf(one, 'everybody'),
  }));
}

/** A line for each kind of people and each list of a person. */
export function linesOfKinds(taken: readonly Taken[]): Line[] {
  return taken.flatMap((one) =>
    kinds.flatMap((kind: Kind) => {
      const those = among(one.answered, kind);
      if (those.length === 0) return [];
      return {
        what: one.question.name,
        who: `${those.length} ${kind}`,
        ...workOf(those),
        ...timesOf(one, kind),
      };
    }),
  );
}

/** The requests to Cassandra for each caller; a caller who may not read the list has none. */
export function linesOfCallers(taken: readonly Taken[]): Line[] {
  return taken.map(({ question, byCaller }) => ({
    what: question.name,
    ...Object.fromEntries(
      callers.map((caller) => {
        const explained = byCaller.get(caller) ?? [];
        return [
          `${caller}: statements`,
          explained.length === 0 ? '–' : spread(explained, ({ statements }) => statements),
        ];
      }),
    ),
    'least statements': leastStatements(question),
  }));
}

function workOf(answered: readonly Answered[]): Line {
  const explained = answered.map((one) => one.explained);
  return {
    shown: spread(explained, ({ page }) => page.length),
    statements: spread(explained, ({ statements }) => statements),
    partitions: spread(explained, ({ partitions }) => partitions),
    rows: spread(explained, ({ rows }) => rows),
  };
}

function timesOf({ question, alone, together }: Taken, group: Group): Line {
  const loads = together.get(group);
  const kind = group === 'everybody' ? undefined : group;
  const [ours, raw] = [lineOf(alone.ours, kind), lineOf(alone.raw, kind)];
  const [rate, rawRate] = [loads?.ours ?? [], loads?.raw ?? []].map((driven) => Number(lineOf(driven)['/s']));
  return {
    'p50 ms': ours['p50 ms'] ?? NaN,
    'p99 ms': ours['p99 ms'] ?? NaN,
    '/s': rate ?? NaN,
    'least statements': leastStatements(question),
    'raw p50 ms': raw['p50 ms'] ?? NaN,
    'raw p99 ms': raw['p99 ms'] ?? NaN,
    'raw /s': rawRate ?? NaN,
    'ours : raw /s': round((rate ?? NaN) / (rawRate ?? NaN)),
  };
}

/** The median, the 95th percentile and the most. */
function spread(explained: readonly Explained[], numberOf: (one: Explained) => number): string {
  return [0.5, 0.95, 1].map((fraction) => percentile(explained.map(numberOf), fraction)).join(' / ');
}
