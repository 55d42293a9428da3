import { drive, type Ask, type Driven } from '../drive';
import { median } from '../measure';
import { DIARISTS, diaristId } from '../tweets/generate';
import { bodyOf, type Question } from './questions';
import { explain, type Explained, type Servers } from './servers';

/** Draws requests of one kind. */
export type Draw = () => Ask;

/** Draws a question, each time of something else. */
export function drawQuestion(servers: Servers, question: Question, random: () => number, end: Date): Draw {
  return () => ({
    kind: question.name,
    port: servers.ours,
    path: '/graphql',
    headers: servers.headers,
    body: bodyOf(question, question.variables(random, end)),
  });
}

/** How the times of the driver's own reads of so many rows of one partition are named. */
export function rawKind(rows: number): string {
  return `raw ${rows}`;
}

/** Draws the driver's read of so many rows of one partition. */
export function drawRaw(servers: Servers, rows: number, random: () => number): Draw {
  return () => {
    const path = `/P/${diaristId(Math.floor(random() * DIARISTS))}/${rows}`;
    return { kind: rawKind(rows), port: servers.raw, path };
  };
}

/** One request at a time, of each kind in turn: whatever else the machine does meets all kinds alike. */
export async function inTurns(draws: readonly Draw[], turns: number): Promise<Driven> {
  return oneByOne(Array.from({ length: turns }, () => draws.map((draw) => draw())).flat());
}

/** Some requests, one at a time, in their order. */
export async function oneByOne(asks: readonly Ask[]): Promise<Driven> {
  const left = asks.values();
  return drive(0, Infinity, () => left.next().value ?? null, 1);
}

/** The medians of what some answers to a question were made of. */
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
