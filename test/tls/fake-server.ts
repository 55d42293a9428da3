import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Identity } from './certificates';

/** What a server that is not what it seems says to the clients that it can talk to. */
export interface Script {
  /** What it says before any encryption, as NATS does. */
  readonly greeting?: string;
  /** Answers what came. */
  answer(this: void, data: Buffer, socket: Socket): void;
}

/** A server that only listens: what clients sent to it, when they thought that it is the right one. */
export interface FakeServer {
  readonly port: number;
  /** What it read, behind the encryption if there is one. */
  received(): string;
  /** Resolves when so many clients have come and gone. */
  refusedTimes(count: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a server on this machine that identifies itself by a certificate, or speaks without encryption if there is none. With
 * `clientsOf`, it talks to clients only whose certificate this authority has signed.
 */
export async function startFakeServer(
  identity: Identity | null,
  script: Script,
  clientsOf?: string,
): Promise<FakeServer> {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  let gone = 0;
  const waiting: (() => void)[] = [];
  const listen = (socket: Socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (data: Buffer) => {
      received.push(data);
      script.answer(data, socket);
    });
  };
  // By TLS 1.3 a client that is refused takes itself for connected, and waits for an answer.
  const clients =
    clientsOf === undefined ? {} : { ca: clientsOf, requestCert: true, maxVersion: 'TLSv1.2' as const };
  const secure = identity && createTlsServer({ ...identity, ...clients }, listen);
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      gone++;
      for (const wake of waiting.splice(0)) wake();
    });
    if (script.greeting !== undefined) socket.write(script.greeting);
    if (secure === null) listen(socket);
    else secure.emit('connection', socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received: () => Buffer.concat(received).toString('latin1'),
    async refusedTimes(count) {
      while (gone < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const ERROR = 0x00;
const STARTUP = 0x01;
const AUTHENTICATE = 0x03;

function headerOf(request: Buffer, opcode: number, body: Buffer): Buffer {
  return Buffer.from([0x84, 0, request[2] ?? 0, request[3] ?? 0, opcode, 0, 0, 0, body.length]);
}

/** A node of Cassandra that asks for a user and a password (the native protocol, version 4), and refuses them. */
export const cassandra: Script = {
  answer(data, socket) {
    if (data[4] !== STARTUP) {
      const refusal = Buffer.from([0, 0, 1, 0, 0, 2, 0x6e, 0x6f]);
      socket.write(Buffer.concat([headerOf(data, ERROR, refusal), refusal]));
      return;
    }
    const name = Buffer.from('org.apache.cassandra.auth.PasswordAuthenticator');
    const body = Buffer.concat([Buffer.from([0, name.length]), name]);
    socket.write(Buffer.concat([headerOf(data, AUTHENTICATE, body), body]));
  },
};

/** A NATS server that asks for a user and a password. */
export function nats(offersTls: boolean): Script {
  const info = {
    server_id: 'fake',
    version: '2.10.0',
    proto: 1,
    max_payload: 1_048_576,
    auth_required: true,
  };
  return {
    greeting: `INFO ${JSON.stringify({ ...info, ...(offersTls && { tls_required: true }) })}\r\n`,
    answer: (_data, socket) => socket.destroy(),
  };
}

/** An issuer of tokens that publishes no keys. */
export const issuer: Script = {
  answer: (_data, socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"keys":[]}');
  },
};
