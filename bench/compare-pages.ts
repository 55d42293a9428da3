import { drive, type Ask, type Driven } from './drive';
import { oneByOne } from './discovery/load';
import { percentile, round, say, type Line, type Section } from './measure';
import { createFloor, dropFloor, storePage } from './pages/floor';
import { ordinaryQuestions, pageQuestions, type PageQuestion } from './pages/questions';
import { explainPage, type Explained } from './pages/explain';
import { leastStatements } from './pages/raw-reads';
import { withPageServers, type PageServers } from './pages/servers';
import { drawSubjects, type Subject } from './pages/subjects';
import { withDatabase, type Stage } from './stage';

const ROUNDS = 5;
const SECONDS = 2;

/** What was measured of a question. */
interface Taken {
  readonly question: PageQuestion;
  /** Those who are asked about: without the ones whose page was refused. */
  readonly subjects: readonly Subject[];
  readonly explained: readonly Explained[];
  readonly refused: number;
  /** Requests one at a time, and over many connections; of our server and of the driver alone. */
  readonly alone: Readonly<Record<'ours' | 'raw', Driven[]>>;
  readonly together: Readonly<Record<'ours' | 'raw', Driven[]>>;
}

/**
 * Asks for the first 25 of every list of a sample of everybody, next to the driver alone, which reads the same page from one
 * partition. The people are those of a generated network, or those of the keyspace that the run names.
 */
export function comparePages(stage: Stage): Promise<Section> {
  return compare(stage, pageQuestions, 'Pages of everybody');
}

/** The home timeline and the tweets of an author, as in `compareQueries`, but asked of a sample of everybody. */
export function compareOrdinary(stage: Stage): Promise<Section> {
  return compare(stage, ordinaryQuestions, 'Queries of a sample of everybody');
}

async function compare(stage: Stage, questions: readonly PageQuestion[], title: string): Promise<Section> {
  const { contactPoint, brief } = stage;
  const keyspace = await stage.peopled();
  return withDatabase(contactPoint, keyspace, async (database) => {
    say('Drawing the people and tweets to ask about');
    const subjects = await drawSubjects(database);
    await createFloor(database);
    try {
      return await withPageServers(contactPoint, keyspace, async (servers) => {
        const taken: Taken[] = [];
        for (const question of questions) {
          say(`Explaining ${question.name}`);
          taken.push(
            await explain(servers, question, subjects[question.of], (subject, page) =>
              storePage(database, question, subject, page),
            ),
          );
        }
        const rounds = brief ? 1 : ROUNDS;
        for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
          say(roundNumber === 0 ? 'Warming up' : `Pages, round ${roundNumber} of ${rounds}`);
          for (const one of taken) await measure(servers, one, roundNumber > 0, brief ? 0.5 : SECONDS);
        }
        const asked = taken.filter(({ explained }) => explained.length > 0);
        const sizes = `${subjects.person.length} people, ${subjects.replied.length} and ${subjects.liked.length} tweets`;
        return { title: `${title} (${sizes}): median / 95th percentile / most`, lines: asked.map(lineOf) };
      });
    } finally {
      await dropFloor(database);
    }
  });
}

/** Asks each subject once, stores its page for the driver alone, and checks that this gives the same answer. */
async function explain(
  servers: PageServers,
  question: PageQuestion,
  subjects: readonly Subject[],
  store: (subject: Subject, page: Explained['page']) => Promise<void>,
): Promise<Taken> {
  const answered: Subject[] = [];
  const explained: Explained[] = [];
  for (const subject of subjects) {
    const one = await explainPage(servers, question, subject);
    if (one === null) continue;
    await store(subject, one.page);
    const raw = await fetch(`http://127.0.0.1:${servers.raw}${rawPath(question, subject)}`);
    const { nodes } = (await raw.json()) as { nodes: unknown };
    if (JSON.stringify(nodes) !== JSON.stringify(one.page))
      throw new Error(
        `${question.name} of ${subject.variable} must be the same from both, but got: ${JSON.stringify(one.page)} and ${JSON.stringify(nodes)}`,
      );
    answered.push(subject);
    explained.push(one);
  }
  const none = () => ({ ours: [], raw: [] });
  const refused = subjects.length - answered.length;
  return { question, subjects: answered, explained, refused, alone: none(), together: none() };
}

/** One round of a question: everybody once over one connection, then many connections for some seconds; ours and raw in turns. */
async function measure(servers: PageServers, taken: Taken, isKept: boolean, seconds: number): Promise<void> {
  const { question, subjects } = taken;
  if (subjects.length === 0) return;
  const asks = {
    ours: subjects.map((subject) => oursAsk(servers, question, subject)),
    raw: subjects.map((subject) => rawAsk(servers, question, subject)),
  };
  for (const side of ['ours', 'raw'] as const) {
    const alone = await oneByOne(asks[side]);
    let next = 0;
    const together = await drive(0, seconds, () => asks[side][next++ % subjects.length] ?? null);
    if (!isKept) continue;
    taken.alone[side].push(alone);
    taken.together[side].push(together);
  }
}

function oursAsk({ ours, headers }: PageServers, { source }: PageQuestion, { variable }: Subject): Ask {
  const body = JSON.stringify({ query: source, variables: { of: variable } });
  return { kind: 'ours', port: ours, path: '/graphql', headers, body };
}

function rawAsk({ raw }: PageServers, question: PageQuestion, subject: Subject): Ask {
  return { kind: 'raw', port: raw, path: rawPath(question, subject) };
}

function rawPath(question: PageQuestion, { variable }: Subject): string {
  return `/page/${pageQuestions.indexOf(question)}/${encodeURIComponent(variable)}`;
}

function lineOf({ question, explained, refused, alone, together }: Taken): Line {
  const spread = (numbers: readonly number[]) =>
    [0.5, 0.95, 1].map((fraction) => percentile(numbers, fraction)).join(' / ');
  const times = (loads: readonly Driven[]) => loads.flatMap((load) => [...load.times.values()].flat());
  const ms = (loads: readonly Driven[], fraction: number) => round(percentile(times(loads), fraction), 1);
  const rate = (loads: readonly Driven[]) =>
    Math.round(times(loads).length / loads.reduce((sum, { seconds }) => sum + seconds, 0));
  return {
    what: question.name,
    shown: spread(explained.map(({ page }) => page.length)),
    statements: spread(explained.map(({ statements }) => statements)),
    partitions: spread(explained.map(({ partitions }) => partitions)),
    rows: spread(explained.map(({ rows }) => rows)),
    ...(refused > 0 && { refused }),
    'p50 ms': ms(alone.ours, 0.5),
    'p99 ms': ms(alone.ours, 0.99),
    '/s': rate(together.ours),
    'least statements': leastStatements(question),
    'raw p50 ms': ms(alone.raw, 0.5),
    'raw p99 ms': ms(alone.raw, 0.99),
    'raw /s': rate(together.raw),
    'ours : raw /s': round(rate(together.ours) / rate(together.raw)),
  };
}
