import { drive, type Ask } from './drive';
import { oneByOne } from './discovery/load';
import { say, type Section } from './measure';
import { callers, explainAs, withOwnHeaders, type OwnHeaders } from './pages/callers';
import type { Explained } from './pages/explain';
import { createFloor, dropFloor, storePage } from './pages/floor';
import { describeBounds } from './pages/kinds';
import { ordinaryQuestions, pageQuestions, type PageQuestion } from './pages/questions';
import { withPageServers, type PageServers } from './pages/servers';
import { drawSubjects, type Subject, type Subjects } from './pages/subjects';
import {
  among,
  groups,
  linesOfCallers,
  linesOfEverybody,
  linesOfKinds,
  type Answered,
  type Both,
  type Taken,
} from './pages/tables';
import type { Database } from '../src/kit/cassandra/database';
import { withDatabase, type Stage } from './stage';

const ROUNDS = 3;
const SECONDS = 1;

/**
 * Asks for the first page of the lists of a sample of everybody, next to the driver alone, which reads the same page from one
 * partition. The people are those of a generated network, or those of the keyspace that the run names.
 */
export function comparePages(stage: Stage): Promise<Section[]> {
  return compare(stage, pageQuestions, 'Pages');
}

/** The home timeline and the tweets of an author, as in `compareQueries`, but asked of a sample of everybody. */
export function compareOrdinary(stage: Stage): Promise<Section[]> {
  return compare(stage, ordinaryQuestions, 'Queries of ordinary people');
}

async function compare(stage: Stage, questions: readonly PageQuestion[], title: string): Promise<Section[]> {
  const { contactPoint, brief } = stage;
  const keyspace = await stage.peopled();
  return withDatabase(contactPoint, keyspace, async (database) => {
    say('Drawing the people and tweets to ask about');
    const subjects = await drawSubjects(database);
    await createFloor(database);
    try {
      const taken = await withPageServers(contactPoint, keyspace, (servers) =>
        withOwnHeaders(database, subjects.of.person, (own) =>
          measureAll(database, servers, own, subjects, { questions, brief }),
        ),
      );
      return sectionsOf(title, subjects, taken);
    } finally {
      await dropFloor(database);
    }
  });
}

function sectionsOf(title: string, { of, bounds }: Subjects, taken: readonly Taken[]): Section[] {
  const numbers = 'median / 95th percentile / most';
  const sizes = Object.entries(of).map(([what, sample]) => `${what} ${sample.length}`);
  return [
    { title: `${title} of everybody (${sizes.join(', ')}): ${numbers}`, lines: linesOfEverybody(taken) },
    {
      title: `${title} by kind of person (${describeBounds(bounds)}): ${numbers}`,
      lines: linesOfKinds(taken),
    },
    { title: `${title} by caller: ${numbers}`, lines: linesOfCallers(taken) },
  ];
}

async function measureAll(
  database: Database,
  servers: PageServers,
  own: OwnHeaders,
  { of }: Subjects,
  { questions, brief }: { readonly questions: readonly PageQuestion[]; readonly brief: boolean },
): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const question of questions) {
    const sample = of[question.of];
    say(`Explaining ${question.name} of ${sample.length}`);
    const one = await explain(database, servers, own, question, sample);
    if (one.answered.length > 0) taken.push(one);
  }
  const rounds = brief ? 1 : ROUNDS;
  for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
    say(roundNumber === 0 ? 'Warming up' : `Pages, round ${roundNumber} of ${rounds}`);
    for (const one of taken) await measure(servers, one, roundNumber > 0, brief ? 0.5 : SECONDS);
  }
  return taken;
}

/** Asks for each page as each caller, stores it for the driver alone, and checks that all of them get the same answer. */
async function explain(
  database: Database,
  servers: PageServers,
  own: OwnHeaders,
  question: PageQuestion,
  subjects: readonly Subject[],
): Promise<Taken> {
  const byCaller = new Map<(typeof callers)[number], readonly (Explained | null)[]>();
  for (const caller of callers)
    if (caller !== 'anonymous' || !question.isPrivate)
      byCaller.set(caller, await explainAs(caller, servers, own, question, subjects));
  const answered: Answered[] = [];
  for (const [n, subject] of subjects.entries()) {
    const explained = byCaller.get('service')?.[n] ?? null;
    if (explained === null) continue;
    await storePage(database, question, subject, explained.page);
    const raw = await fetch(`http://127.0.0.1:${servers.raw}${rawPath(question, subject)}`);
    const { nodes } = (await raw.json()) as { nodes: unknown };
    const same = JSON.stringify(explained.page);
    const others = [...byCaller.values()].flatMap((pages) => (pages[n] ? [pages[n].page] : []));
    for (const page of [nodes, ...others])
      if (JSON.stringify(page) !== same)
        throw new Error(
          `${question.name} of ${subject.variable} must be the same for all, but got: ${same} and ${JSON.stringify(page)}`,
        );
    answered.push({ subject, explained });
  }
  const none = (): Both => ({ ours: [], raw: [] });
  return {
    question,
    answered,
    refused: subjects.length - answered.length,
    byCaller: new Map(
      [...byCaller].map(([caller, pages]) => [caller, pages.filter((page) => page !== null)]),
    ),
    alone: none(),
    together: new Map(
      groups.filter((group) => among(answered, group).length > 0).map((group) => [group, none()]),
    ),
  };
}

/**
 * One round of a question: everybody once over one connection, then many connections for some seconds for everybody and for
 * each kind of people; ours and raw in turns.
 */
async function measure(servers: PageServers, taken: Taken, isKept: boolean, seconds: number): Promise<void> {
  const { question, answered, alone, together } = taken;
  for (const side of ['ours', 'raw'] as const) {
    const askOf = side === 'ours' ? oursAsk : rawAsk;
    const asksOf = (those: readonly Answered[]) =>
      those.map(({ subject }) => askOf(servers, question, subject));
    const single = await oneByOne(asksOf(answered));
    if (isKept) alone[side].push(single);
    for (const [group, loads] of together) {
      const asks = asksOf(among(answered, group));
      let next = 0;
      const load = await drive(0, seconds, () => asks[next++ % asks.length] ?? null);
      if (isKept) loads[side].push(load);
    }
  }
}

function oursAsk({ ours, headers }: PageServers, { source }: PageQuestion, { variable, kind }: Subject): Ask {
  const body = JSON.stringify({ query: source, variables: { of: variable } });
  return { kind: kind ?? 'everybody', port: ours, path: '/graphql', headers, body };
}

function rawAsk({ raw }: PageServers, question: PageQuestion, subject: Subject): Ask {
  return { kind: subject.kind ?? 'everybody', port: raw, path: rawPath(question, subject) };
}

function rawPath(question: PageQuestion, { variable }: Subject): string {
  return `/page/${pageQuestions.indexOf(question)}/${encodeURIComponent(variable)}`;
}
