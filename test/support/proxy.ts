import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A request to Cassandra: the texts of its statements, several of a batch. */
export type Request = readonly string[];

/** Stands between a server and Cassandra: sees each request, and can hold some back. */
export interface Proxy {
  /** Where it is reached, as CASSANDRA_CONTACT_POINTS says it. */
  readonly address: string;
  /** The texts of the statements that were sent on to Cassandra until now, in order; batches are `BATCH`. */
  readonly sent: readonly string[];
  /** The texts of the statements of each of these: several of a batch. */
  readonly statements: readonly Request[];
  /** The greatest number of statements on some tables that Cassandra had not answered at a moment. */
  readonly maxInFlight: () => number;
  /** Holds back requests that carry a text, or that are like this, as `sent` tells or by one of their statements, until they are released. */
  hold(what: string | RegExp): void;
  /** Resolves once so many statements are held. */
  held(count: number): Promise<void>;
  /** How many statements are held now. */
  readonly heldNow: () => number;
  release(): void;
  close(): Promise<void>;
}

/** The native protocol, version 4: a frame is 9 bytes, of which the fifth says what it is and the last four its length, and a body. */
const HEADER = 9;
const PREPARE = 0x09;
const EXECUTE = 0x0a;
const BATCH = 0x0d;
const RESULT = 0x08;
/** The flag of an answer that has warnings. */
const WARNING = 0x08;
/** The kind of a result that says the id of a prepared statement. */
const PREPARED = 4;

/** Starts a proxy in front of a node, given as `host:port`. `counted`: the statements of `maxInFlight`. */
export async function startProxy(target: string, counted = /./): Promise<Proxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let holding: string | RegExp | undefined;
  let kept: (() => void)[] = [];
  let waiting: (() => void)[] = [];
  const sent: string[] = [];
  const statements: (readonly string[])[] = [];
  const texts = new Map<string, string>();
  let most = 0;
  const inFlight = new Set<string>();
  let connections = 0;
  const server = createServer((client) => {
    const number = ++connections;
    const preparing = new Map<number, string>();
    const node = connect(Number(port), host);
    for (const socket of [client, node]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        node.destroy();
      });
    }
    eachFrame(client, (frame) => {
      if (frame[4] === PREPARE) preparing.set(frame.readInt16BE(2), frame.subarray(HEADER + 4).toString());
      if (frame[4] !== EXECUTE && frame[4] !== BATCH) {
        node.write(frame);
        return;
      }
      const textOf = (at: number) => texts.get(idIn(frame, at)) ?? '';
      const request = frame[4] === BATCH ? statementsOfBatch(frame, textOf) : [textOf(HEADER)];
      const text = frame[4] === BATCH ? 'BATCH' : (request[0] ?? '');
      const send = () => {
        sent.push(text);
        statements.push(request);
        if (counted.test(text)) inFlight.add(`${number} ${frame.readInt16BE(2)}`);
        most = Math.max(most, inFlight.size);
        node.write(frame);
      };
      const isHeld = (what: string | RegExp) =>
        typeof what === 'string'
          ? frame.includes(what)
          : what.test(text) || request.some((one) => what.test(one));
      if (holding === undefined || !isHeld(holding)) send();
      else {
        kept.push(send);
        for (const look of waiting) look();
      }
    });
    eachFrame(node, (frame) => {
      const stream = frame.readInt16BE(2);
      inFlight.delete(`${number} ${stream}`);
      const text = preparing.get(stream);
      preparing.delete(stream);
      const body = bodyOf(frame);
      if (text !== undefined && frame[4] === RESULT && frame.readInt32BE(body) === PREPARED)
        texts.set(idIn(frame, body + 4), text);
      client.write(frame);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    statements,
    maxInFlight: () => most,
    hold: (what) => void (holding = what),
    held: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (kept.length >= count) resolve();
        };
        waiting.push(look);
        look();
      }),
    heldNow: () => kept.length,
    release() {
      holding = undefined;
      waiting = [];
      const some = kept;
      kept = [];
      for (const send of some) send();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a request does with which tables. */
export function nameRequest(request: Request): string {
  const tables = new Set(
    request.map(
      (text) => /^SELECT .* FROM (\w+)|^\w+ (?:INTO |FROM )?(\w+)/s.exec(text)?.slice(1).join('') ?? '',
    ),
  );
  const does = request.some((text) => / IF /.test(text))
    ? 'transaction of'
    : request.some((text) => text.startsWith('SELECT'))
      ? 'read'
      : request.length > 1
        ? 'batch of'
        : 'write';
  return `${does} ${[...tables].sort().join(', ')}`;
}

/** Where the body of an answer begins, after the warnings that it may have. */
function bodyOf(frame: Buffer): number {
  if (((frame[1] ?? 0) & WARNING) === 0) return HEADER;
  let at = HEADER + 2;
  for (let left = frame.readUInt16BE(HEADER); left > 0; left--) at += 2 + frame.readUInt16BE(at);
  return at;
}

/** The texts of a batch of prepared statements: each is an id, and values that carry their lengths. */
function statementsOfBatch(frame: Buffer, textOf: (at: number) => string): string[] {
  const found: string[] = [];
  let at = HEADER + 3;
  for (let left = frame.readUInt16BE(HEADER + 1); left > 0; left--) {
    // After a byte that says that it is an id.
    found.push(textOf(++at));
    at += 2 + frame.readInt16BE(at);
    const values = frame.readUInt16BE(at);
    at += 2;
    for (let n = 0; n < values; n++) at += 4 + Math.max(0, frame.readInt32BE(at));
  }
  return found;
}

function idIn(frame: Buffer, at: number): string {
  return frame.subarray(at + 2, at + 2 + frame.readInt16BE(at)).toString('hex');
}

function eachFrame(socket: Socket, use: (frame: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= HEADER) {
      const length = HEADER + rest.readInt32BE(5);
      if (rest.length < length) return;
      use(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}
