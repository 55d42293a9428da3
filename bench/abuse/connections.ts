import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { graphql, send, type Outcome } from './send';
import { aliases, type Attack, type Target } from './target';

/** For how long connections are held, in milliseconds. */
const HELD_MS = 5000;

/** Clients that hold connections, or leave before they are answered. */
export const connectionAttacks: readonly Attack[] = [
  { what: '1,000 idle connections', run: (target) => hold(target, 1000, () => undefined) },
  { what: '500 connections that send a header a byte a second', run: (target) => hold(target, 500, dribble) },
  { what: '50 clients that do not read their 600 kB', run: (target) => hold(target, 50, readSlowly(target)) },
  { what: '200 expensive requests whose clients leave after 50 ms', run: abandon },
  { what: '200 requests whose bodies never arrive', run: (target) => hold(target, 200, promiseBody) },
  { what: '1,000 connections opened and closed', run: (target) => churn(target, 1000) },
  { what: 'following and unfollowing one person, 50 times', run: seesaw },
];

/** Opens connections, calls `begin` with each, and holds them. The outcome is that of a request made while they are held. */
async function hold(
  { port }: Target,
  count: number,
  begin: (socket: Socket) => (() => void) | undefined,
): Promise<Outcome> {
  const started = performance.now();
  const ends: (() => void)[] = [];
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.once('connect', () => {
      const end = begin(socket);
      if (end) ends.push(end);
    });
    return socket;
  });
  await sleep(HELD_MS);
  const outcome = await send({ port, body: graphql('{ __typename }') });
  for (const end of ends) end();
  for (const socket of sockets) socket.destroy();
  return { ...outcome, milliseconds: performance.now() - started };
}

function dribble(socket: Socket): () => void {
  socket.write('POST /graphql HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
  const timer = setInterval(() => socket.write('a'), 1000);
  return () => {
    clearInterval(timer);
  };
}

function promiseBody(socket: Socket): undefined {
  socket.write(
    'POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{',
  );
}

/** Requests a long answer and never reads it. */
function readSlowly({ end }: Target): (socket: Socket) => undefined {
  const from = new Date(Number(end) - 9000 * 60_000);
  const body = aliases(
    1,
    'tweetFrequency(from: $f, to: $t, unit: MINUTE, language: "en") { at language count }',
    { f: from, t: end },
    '($f: DateTime!, $t: DateTime!)',
  );
  const head = `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return (socket) => {
    socket.pause();
    socket.write(head + body);
  };
}

async function abandon({ port, person, personId }: Target): Promise<Outcome> {
  const body = graphql(
    `{ node(id: "${personId}") { ... on User { timeline(first: 100, order: MOST_LIKED) { nodes { id } } } } }`,
  );
  await Promise.all(
    Array.from({ length: 200 }, () => send({ port, headers: person, body, signal: AbortSignal.timeout(50) })),
  );
  return send({ port, body: graphql('{ __typename }') });
}

async function churn({ port }: Target, count: number): Promise<Outcome> {
  for (let n = 0; n < count; n++) {
    const socket = connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve).once('error', resolve));
    socket.destroy();
  }
  return send({ port, body: graphql('{ __typename }') });
}

async function seesaw({ port, person, userIds }: Target): Promise<Outcome> {
  const started = performance.now();
  let outcome: Outcome | undefined;
  for (let n = 0; n < 100; n++) {
    const field = n % 2 === 0 ? 'unfollowUser' : 'followUser';
    const body = graphql(`mutation ($id: ID!) { ${field}(id: $id) { followee { id } } }`, { id: userIds[5] });
    outcome = await send({ port, headers: person, body });
  }
  return { ...(outcome as Outcome), milliseconds: performance.now() - started };
}
