import { connect } from 'node:net';

/**
 * Whether a Cassandra answers at this address. There is a timeout, in milliseconds, because a node in trouble may accept the
 * connection and then never answer.
 */
export function answersCql(host: string, port: number, timeout = 2_000): Promise<boolean> {
  return converse(host, port, [options], timeout);
}

/**
 * Whether this node knows all other nodes of its ring and considers them alive, so that it can read from all of them. It reads a
 * table that every ring has; in a ring that `startRing` started, every node is a replica of it.
 */
export function seesAllNodes(host: string, port: number, timeout = 5_000): Promise<boolean> {
  return converse(host, port, [startup, readFromAll], timeout);
}

/** A user and a password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Whether a node lets only clients in that have a password. */
export function asksForPassword(host: string, port: number, timeout = 5_000): Promise<boolean> {
  return converse(host, port, [startupWithPassword], timeout);
}

/** Whether a node lets a client with these credentials in, and does what a statement says. */
export function signsIn(
  host: string,
  port: number,
  credentials: Credentials,
  statement?: string,
  timeout = 5_000,
): Promise<boolean> {
  const exchanges = [startupWithPassword, authenticate(credentials)];
  if (statement !== undefined) exchanges.push(query(statement, ONE));
  return converse(host, port, exchanges, timeout);
}

/** A request of the CQL binary protocol, version 4, and the opcode of the expected answer. */
interface Exchange {
  readonly request: Buffer;
  readonly answer: number;
}

const version = 0x04;
const headerLength = 9;

/** OPTIONS, section 4.1.3, which needs no login. */
const options: Exchange = { request: frame(0x05, Buffer.alloc(0)), answer: 0x06 };

/** STARTUP, section 4.1.1: a map of one string to another. */
const startup: Exchange = {
  request: frame(0x01, Buffer.concat([short(1), string('CQL_VERSION'), string('3.0.0')])),
  answer: 0x02,
};

/** The same for a node that asks for a password. */
const startupWithPassword: Exchange = { ...startup, answer: 0x03 };

/** AUTH_RESPONSE, section 4.1.2, with what `PasswordAuthenticator` expects (RFC 4616). */
function authenticate({ username, password }: Credentials): Exchange {
  const token = Buffer.from(`\0${username}\0${password}`);
  return { request: frame(0x0f, Buffer.concat([long(token.length), token])), answer: 0x10 };
}

/** Consistencies, section 3. */
const ONE = 0x0001;
const ALL = 0x0005;

/** QUERY, section 4.1.4, without flags. */
function query(statement: string, consistency: number): Exchange {
  const text = Buffer.from(statement);
  const body = Buffer.concat([long(text.length), text, short(consistency), Buffer.of(0)]);
  return { request: frame(0x07, body), answer: 0x08 };
}

const readFromAll = query(
  "SELECT host_id FROM system_distributed.view_build_status WHERE keyspace_name = '-' AND view_name = '-'",
  ALL,
);

/** Sends one request after the other, as long as the answers are the expected ones. */
function converse(host: string, port: number, exchanges: Exchange[], timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => {
      end(false);
    }, timeout);
    let received = Buffer.alloc(0);
    let step = 0;
    socket.once('error', () => {
      end(false);
    });
    socket.once('close', () => {
      end(false);
    });
    socket.once('connect', ask);
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      if (received.length < headerLength) return;
      const length = headerLength + received.readUInt32BE(5);
      if (received.length < length) return;
      if (received[0] !== (version | 0x80) || received[4] !== exchanges[step]?.answer) {
        end(false);
        return;
      }
      received = received.subarray(length);
      step++;
      ask();
    });

    function ask(): void {
      const exchange = exchanges[step];
      if (exchange === undefined) end(true);
      else socket.write(exchange.request);
    }

    function end(answer: boolean): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    }
  });
}

function frame(opcode: number, body: Buffer): Buffer {
  const header = Buffer.from([version, 0, 0, 0, opcode, 0, 0, 0, 0]);
  header.writeUInt32BE(body.length, 5);
  return Buffer.concat([header, body]);
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function short(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff);
}

function string(text: string): Buffer {
  return Buffer.concat([short(text.length), Buffer.from(text)]);
}
