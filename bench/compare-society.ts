import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/kit/cassandra/database';
import { recentWriters } from '../src/kit/reads/recent-writers';
import { answering, startChild } from './child';
import { boundLine, measureBounds } from './compare-bounds';
import { probes } from './bounds/probes';
import { oneByOne } from './discovery/load';
import type { Ask } from './drive';
import { median, percentile, round, say, type Line, type Section } from './measure';
import { withOwnHeaders, type OwnHeaders } from './pages/callers';
import { drawSubjects, type Subject } from './pages/subjects';
import { fillBookmarks, fillConversation, fillHidden } from './society/fill';
import { questionNamed, SOCIETY_FIELDS, societyQuestions, userByName } from './society/questions';
import type { SocietyQuestion } from './society/questions';
import { environment, serving, shipped, withDatabase, type Headers, type Stage } from './stage';

/** The ports of a server that keeps nothing, and of one that explains and keeps what it has read as it does by default. */
const [PLAIN, KEEPING] = [4851, 4852];
/** Longer than a server keeps what it has read, in milliseconds. */
const FORGOTTEN_AFTER_MS = 2500;
const ROUNDS = 5;

/** What a request took: the bound that was known before, and what was read. */
interface Took {
  readonly bound: number;
  readonly partitions: number;
  readonly rows: number;
  /** Requests to Cassandra, without the one that finds out of each person whether that person has just written. */
  readonly statements: number;
  readonly names: string;
}

/** Those who ask: each has headers. */
interface Askers {
  readonly people: readonly Subject[];
  readonly own: OwnHeaders;
}

/**
 * What threads, notifications, bookmarks, searches of users and hidden people cost a sample of everybody: the bounds of their fields, the
 * statements of whole requests, and the time that a search and hiding take.
 */
export async function compareSociety(stage: Stage): Promise<Section[]> {
  const { contactPoint, brief } = stage;
  const keyspace = await stage.peopled();
  const env = environment(contactPoint, keyspace);
  return withDatabase(contactPoint, keyspace, async (database) => {
    const { of } = await drawSubjects(database);
    say('Storing bookmarks and a conversation');
    await fillBookmarks(database, of.person, of.liked);
    const conversation = await fillConversation(database, env, of.person);
    const subjects = { ...of, replied: [conversation, ...of.replied] };
    const measured = await withServers(env, shipped(contactPoint, keyspace), () =>
      withOwnHeaders(database, of.person, async (own) => {
        const askers = { people: of.person.filter(({ id }) => own.has(id)), own };
        const lines: Line[] = [];
        for (const question of societyQuestions)
          lines.push(await requestLine(question, subjects[question.of], askers));
        const searches = await compareSearches(askers, brief);
        return { lines, searches, hiding: await compareHiding(database, env, askers, brief) };
      }),
    );
    const fields = probes.filter(({ field }) => SOCIETY_FIELDS.includes(field));
    const bounds = await measureBounds(stage, keyspace, fields);
    const read = bounds.filter(({ answers }) => answers.length > 0);
    const numbers = 'median / 95th percentile / most';
    return [
      { title: `Requests of people: ${numbers}`, lines: measured.lines },
      { title: 'searchUsers beside user', lines: measured.searches },
      { title: 'A page of 25 of the timeline, by what its reader hides', lines: measured.hiding },
      { title: `Bounds of fields, and what was read: ${numbers}`, lines: read.map(boundLine) },
    ];
  });
}

/** Runs `use` with a server that keeps nothing, and one that explains. */
async function withServers<T>(
  plain: NodeJS.ProcessEnv,
  keeping: NodeJS.ProcessEnv,
  use: () => Promise<T>,
): Promise<T> {
  const servers = [
    startChild('src/main.js', [], { ...plain, PORT: String(PLAIN) }, serving),
    startChild('src/main.js', [], { ...keeping, PORT: String(KEEPING), EXPLAIN: 'everybody' }, serving),
  ];
  try {
    for (const port of [PLAIN, KEEPING]) await answering(`http://127.0.0.1:${port}/health/ready`);
    return await use();
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function askOf(
  kind: string,
  port: number,
  headers: Headers,
  question: SocietyQuestion,
  subject: Subject,
): Ask {
  const body = JSON.stringify({ query: question.source, variables: question.variables(subject) });
  return { kind, port, path: '/graphql', headers, body };
}

/** The statements and bounds of a request about each subject. People ask for what is their own; for the rest, they take turns. */
async function requestLine(
  question: SocietyQuestion,
  subjects: readonly Subject[],
  { people, own }: Askers,
): Promise<Line> {
  say(`Asking for ${question.name}`);
  const asked = question.of === 'person' ? people : subjects;
  const took = await explainAll(
    asked.map((subject, n) => ({
      subject,
      headers: own.get(question.of === 'person' ? subject.id : (people[n % people.length]?.id ?? '')) ?? {},
    })),
    question,
  );
  const three = (unit: 'partitions' | 'rows' | 'statements') => {
    const read = took.map((one) => one[unit]);
    return [median(read), percentile(read, 0.95), Math.max(...read)]
      .map((value) => round(value, 1))
      .join(' / ');
  };
  return {
    request: question.name,
    answers: took.length,
    bound: Math.max(...took.map(({ bound }) => bound)),
    partitions: three('partitions'),
    rows: three('rows'),
    statements: three('statements'),
    'at most': question.most,
    'those of the most': took.toSorted((a, b) => b.statements - a.statements)[0]?.names ?? '',
  };
}

/** Asks a server that keeps what it has read, which knows who the callers are, and nothing else. */
async function explainAll(
  asked: readonly { readonly subject: Subject; readonly headers: Headers }[],
  question: SocietyQuestion,
): Promise<Took[]> {
  const who = JSON.stringify({ query: '{ viewer { userId } }' });
  for (const { headers } of asked) await post(headers, who);
  await sleep(FORGOTTEN_AFTER_MS);
  const took: Took[] = [];
  for (const { subject, headers } of asked) {
    const variables = question.variables(subject);
    const answer = await post(headers, JSON.stringify({ query: question.source, variables }));
    const { errors, extensions } = answer;
    if (errors || !extensions?.explain || !extensions.cost)
      throw new Error(
        `${question.name} of ${subject.variable} must be answered, but got: ${JSON.stringify(answer)}`,
      );
    // An item with `cached` is no request.
    const requests = extensions.explain.filter(
      ({ cached, table }) => cached !== true && table !== recentWriters.name,
    );
    took.push({
      bound: extensions.cost.bound,
      partitions: extensions.cost.reads,
      rows: extensions.cost.rows,
      statements: requests.length,
      names: requests.map(({ statement }) => statement).join(', '),
    });
  }
  return took;
}

interface Answer {
  readonly errors?: unknown;
  readonly extensions?: {
    readonly explain?: readonly {
      readonly cached?: boolean;
      readonly statement: string;
      readonly table: string;
    }[];
    readonly cost?: { readonly bound: number; readonly reads: number; readonly rows: number };
  };
}

async function post(headers: Headers, body: string): Promise<Answer> {
  const request = { method: 'POST', headers: { ...headers, 'x-explain': 'true' }, body };
  const response = await fetch(`http://127.0.0.1:${KEEPING}/graphql`, request);
  return (await response.json()) as Answer;
}

/** Searches users beside asking for one by name, one request after another. */
async function compareSearches({ people, own }: Askers, brief: boolean): Promise<Line[]> {
  say('Searching users');
  const questions = [questionNamed('searchUsers'), userByName];
  const asks = () =>
    people.flatMap((person) =>
      questions.map((question) => askOf(question.name, PLAIN, own.get(person.id) ?? {}, question, person)),
    );
  await oneByOne(asks());
  const driven = await oneByOne(Array.from({ length: brief ? 1 : ROUNDS }, asks).flat());
  return questions.map(({ name }) => {
    const times = driven.times.get(name) ?? [];
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    return { request: name, answers: times.length, 'p50 ms': round(p50), 'p99 ms': round(p99) };
  });
}

/**
 * Asks for timelines as two halves of the people, before and after one half hides a thousand users and words. What each half takes is compared
 * with what it took before, so that it does not matter that people differ.
 */
async function compareHiding(
  database: Database,
  env: NodeJS.ProcessEnv,
  { people, own }: Askers,
  brief: boolean,
): Promise<Line[]> {
  say('Reading timelines');
  const question = questionNamed('timeline');
  const halves = { many: people.filter((_, n) => n % 2 === 0), none: people.filter((_, n) => n % 2 === 1) };
  const measureBoth = async () => {
    const asks = () =>
      [PLAIN, KEEPING].flatMap((port) =>
        people.map((person, n) =>
          askOf(`${n % 2 === 0 ? 'many' : 'none'} ${port}`, port, own.get(person.id) ?? {}, question, person),
        ),
      );
    await oneByOne(asks());
    const { times } = await oneByOne(Array.from({ length: brief ? 1 : ROUNDS * 2 }, asks).flat());
    const taken = async (half: 'many' | 'none') => ({
      statements: (
        await explainAll(
          halves[half].map((subject) => ({ subject, headers: own.get(subject.id) ?? {} })),
          question,
        )
      ).map(({ statements }) => statements),
      plain: percentile(times.get(`${half} ${PLAIN}`) ?? [], 0.5),
      keeping: percentile(times.get(`${half} ${KEEPING}`) ?? [], 0.5),
    });
    return { many: await taken('many'), none: await taken('none') };
  };
  const before = await measureBoth();
  const entries = await fillHidden(database, env, halves.many);
  await sleep(FORGOTTEN_AFTER_MS);
  const after = await measureBoth();
  const lineOf = (reader: string, { statements, plain, keeping }: typeof before.many): Line => ({
    reader,
    'statements, median': median(statements),
    'statements, most': Math.max(...statements),
    'p50 ms': round(plain),
    'p50 ms, kept for 2 s': round(keeping),
  });
  const ratio = (of: 'plain' | 'keeping') =>
    round(after.many[of] / before.many[of] / (after.none[of] / before.none[of]));
  return [
    lineOf('one half, which hides nothing', before.many),
    lineOf(`the same half, which hides ${entries}`, after.many),
    lineOf('the other half, which hides nothing, before', before.none),
    lineOf('the other half, after', after.none),
    {
      reader: 'time with what is hidden : without',
      'p50 ms': ratio('plain'),
      'p50 ms, kept for 2 s': ratio('keeping'),
    },
  ];
}
