import { round, type Line, type Section } from '../measure';
import type { Load } from './load';

/** The load of a kind on a number of servers. */
interface Scaled {
  readonly servers: number;
  /** The short name of what was asked for, and what that is. */
  readonly name: string;
  readonly what: string;
  readonly load: Load;
}

/** The tables of a run: what each number of servers answers, and what each load took. Errors are failures. */
export function sectionsOf(scaled: readonly Scaled[], nodes: number): Section[] {
  const on =
    nodes === 1 ? 'on one Cassandra' : `on a ring of ${nodes} nodes with a copy of each row on every one`;
  return [
    { title: `Answers a second by number of servers, ${on}`, lines: shapeOf(scaled) },
    {
      title: 'What each load took: reads over 32 connections to each server, posts over 32 in all',
      lines: scaled.map(lineOf),
      failures: scaled.flatMap(({ servers, name, load }) =>
        load.errors > 0
          ? [`Every request must be answered, but ${load.errors} of ${name} on ${servers} servers were not.`]
          : [],
      ),
    },
  ];
}

/** A line for each number of servers: the rate of each kind, and that rate divided by that of one server. */
function shapeOf(scaled: readonly Scaled[]): Line[] {
  const names = [...new Set(scaled.map(({ name }) => name))];
  const rateOf = (servers: number, name: string) =>
    scaled.find((one) => one.servers === servers && one.name === name)?.load.rate ?? NaN;
  return [...new Set(scaled.map(({ servers }) => servers))].map((servers) => ({
    servers,
    ...Object.fromEntries(
      names.flatMap((name) => [
        [`${name} /s`, Math.round(rateOf(servers, name))],
        [`${name} : one server`, round(rateOf(servers, name) / rateOf(1, name))],
      ]),
    ),
  }));
}

function lineOf({ servers, name, what, load }: Scaled): Line {
  return {
    servers,
    what: `${name}: ${what}`,
    '/s': Math.round(load.rate),
    'p50 ms': round(load.p50, 1),
    'p99 ms': round(load.p99, 1),
    'server ms CPU': round(load.cpu, 3),
    'server cores': round(load.serverCores),
    'Cassandra cores': round(load.cassandraCores),
    'generator cores': round(load.generatorCores),
    errors: load.errors,
  };
}
