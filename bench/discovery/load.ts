import { drive, type Ask, type Driven } from '../drive';
import { median } from '../measure';
import { DIARISTS, diaristId } from '../tweets/generate';
import { bodyOf, type Question } from './questions';
import { explain, type Explained, type Servers } from './servers';

/** Draws a random request of one kind. */
export type Draw = () => Ask;

/** Creates a draw of a question with random variables. */
export function drawQuestion(servers: Servers, question: Question, random: () => number, end: Date): Draw {
  return () => ({
    kind: question.name,
    port: servers.ours,
    path: '/graphql',
    headers: servers.headers,
    body: bodyOf(question, question.variables(random, end)),
  });
}

/** The kind under which the driver's own reads of `rows` rows of one partition are recorded. */
export function rawKind(rows: number): string {
  return `raw ${rows}`;
}

/** Creates a draw of the driver's own read of `rows` rows of one partition. */
export function drawRaw(servers: Servers, rows: number, random: () => number): Draw {
  return () => {
    const path = `/P/${diaristId(Math.floor(random() * DIARISTS))}/${rows}`;
    return { kind: rawKind(rows), port: servers.raw, path };
  };
}

/** Sends one request at a time, of each kind in turn, so that whatever else the machine does affects all kinds equally. */
export async function oneOfEachKind(draws: readonly Draw[], rounds: number): Promise<Driven> {
  return oneByOne(Array.from({ length: rounds }, () => draws.map((draw) => draw())).flat());
}

/** Sends requests one at a time, in their order. */
export async function oneByOne(asks: readonly Ask[]): Promise<Driven> {
  const remaining = asks.values();
  return drive(0, Infinity, () => remaining.next().value ?? null, 1);
}

/** Asks a question `times` times, and resolves to the medians of the rows and reads of the answers. */
export async function explainSome(
  servers: Servers,
  question: Question,
  random: () => number,
  end: Date,
  times: number,
): Promise<Explained> {
  const all: Explained[] = [];
  for (let n = 0; n < times; n++) all.push(await explain(servers, question, question.variables(random, end)));
  return { rows: median(all.map(({ rows }) => rows)), reads: median(all.map(({ reads }) => reads)) };
}
