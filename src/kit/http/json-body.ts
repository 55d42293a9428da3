import { isUtf8 } from 'node:buffer';
import { MIMEType, promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Readable } from 'node:stream';

/** How many chunks a body may have that are smaller than `MIN_CHUNK_BYTES` on average: each takes more memory than its bytes. */
const FREE_CHUNKS = 1000;
const MIN_CHUNK_BYTES = 64;
/** How many brackets and commas a body may have. Each stands for a value that takes up to 64 bytes of memory, whatever it is for. */
const MAX_SIGNS = 100_000;
const [BRACKET, BRACE, COMMA] = Buffer.from('[{,');

type Decode = (encoded: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

/** The encodings of bodies, by their names in `content-encoding`. */
const decoders: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Reads the bodies of requests, which must be JSON in UTF-8 and may be compressed. Other bytes are refused: to decode them would
 * replace what the client has written by U+FFFD. A byte order mark at the beginning is left out (RFC 8259, section 8.1). Fastify's own parser keeps each chunk of a body apart, and
 * the plugin for compressed bodies goes on after a body was refused, so a small request could take all memory or time of a server.
 */
export function parseJsonBodies(app: FastifyInstance, maxBytes: number): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const charset = readCharset(request.headers['content-type']);
    if (charset !== null && !isNameOfUtf8(charset)) {
      done(withStatus(415, `The charset of a body must be utf-8, but got: ${JSON.stringify(charset)}`));
      return;
    }
    const decode = createDecoder(request.headers['content-encoding']);
    const read = async () => {
      if (Number(request.headers['content-length']) > maxBytes) throw tooLong(maxBytes);
      const encoded = await collect(payload, maxBytes);
      const body = decode ? await decoded(encoded, decode, maxBytes) : encoded;
      if (hasTooManySigns(body))
        throw withStatus(
          413,
          `The body of a request must have at most ${MAX_SIGNS} brackets and commas, but it has more.`,
        );
      if (!isUtf8(body)) throw withStatus(400, 'The body of a request must be UTF-8, but has other bytes.');
      return body.toString();
    };
    if (decode === undefined) {
      done(unsupportedEncoding());
      return;
    }
    read().then(
      (text) => void parse(request, text, done),
      (error: unknown) => {
        done(error as Error);
      },
    );
  });
}

/** The `charset` of a media type; null if it has none. */
function readCharset(type = ''): string | null {
  try {
    return new MIMEType(type).params.get('charset');
  } catch {
    return null;
  }
}

/** Whether a charset is a name of UTF-8 in the Encoding Standard, such as `UTF-8` or `utf8`. */
function isNameOfUtf8(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding === 'utf-8';
  } catch {
    return false;
  }
}

/** Creates the decoder of a body; null if it is not encoded, undefined if its encoding is not known. */
function createDecoder(encoding = 'identity'): Decode | null | undefined {
  const name = encoding.trim().toLowerCase();
  return name === 'identity' || name === ''
    ? null
    : Object.hasOwn(decoders, name)
      ? decoders[name]
      : undefined;
}

/** Collects a body in one buffer, whatever its chunks are. */
function collect(payload: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let collected = Buffer.alloc(0);
    let [length, chunks] = [0, 0];
    const settle = (error: Error | null) => {
      payload.off('data', take).off('end', end).off('error', leave).off('close', leave);
      if (error) reject(error);
      else resolve(collected.subarray(0, length));
    };
    const take = (chunk: Buffer) => {
      if (length + chunk.length > maxBytes) {
        settle(tooLong(maxBytes));
        return;
      }
      if (++chunks > FREE_CHUNKS && length < MIN_CHUNK_BYTES * chunks) {
        settle(
          withStatus(400, `The chunks of a body must have ${MIN_CHUNK_BYTES} bytes or more on average.`),
        );
        return;
      }
      if (length + chunk.length > collected.length) {
        const larger = Buffer.allocUnsafe(Math.min(maxBytes, 2 * (length + chunk.length)));
        collected.copy(larger, 0, 0, length);
        collected = larger;
      }
      length += chunk.copy(collected, length);
    };
    const end = () => {
      settle(null);
    };
    const leave = () => {
      settle(withStatus(400, 'The body of a request must be whole, but its client has left.'));
    };
    payload.on('data', take).on('end', end).on('error', leave).on('close', leave);
  });
}

async function decoded(encoded: Buffer, decode: Decode, maxBytes: number): Promise<Buffer> {
  try {
    return await decode(encoded, { maxOutputLength: maxBytes });
  } catch (error) {
    throw Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE'
      ? tooLong(maxBytes)
      : withStatus(400, 'The body of a request must be compressed as content-encoding says, but is not.');
  }
}

/** Whether JSON has so many brackets and commas that it would become very many values. */
export function hasTooManySigns(json: Buffer): boolean {
  if (json.length <= MAX_SIGNS) return false;
  let signs = 0;
  for (let n = 0; n < json.length; n++) {
    const byte = json[n];
    if (byte === COMMA || byte === BRACE || byte === BRACKET) signs++;
  }
  return signs > MAX_SIGNS;
}

/** An error with a status, which the error handler reads. */
function withStatus(statusCode: number, message: string): Error {
  return Object.assign(new Error(message), { statusCode });
}

function tooLong(maxBytes: number): Error {
  return withStatus(413, `The body of a request must have at most ${maxBytes} bytes, but it has more.`);
}

function unsupportedEncoding(): Error {
  return withStatus(
    400,
    `The content-encoding of a request must be ${Object.keys(decoders).join(', ')} or identity.`,
  );
}
