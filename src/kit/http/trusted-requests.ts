import { isUtf8 } from 'node:buffer';
import { badInput, forbidden } from '../base/errors';
import { MAX_DOCUMENT_ID_CHARACTERS } from '../graphql/manifests';
import type { TrustedDocuments } from '../graphql/trusted-documents';

/** The parts of a request that name its document. */
interface DocumentRequest {
  readonly method: string;
  readonly url: string;
  body: unknown;
  /** The raw request, for a request by GET, whose parameters are in its address. */
  readonly raw?: { url?: string | undefined };
}

/**
 * The parameters of a request by name, read where Apollo reads them: in the body of a POST, else in the URL. Throws `BAD_USER_INPUT`
 * if a URL holds bytes that are not UTF-8, which would be read as U+FFFD.
 */
export function readParameters(request: DocumentRequest): (name: string) => unknown {
  if (request.method === 'POST') return (name) => Reflect.get(Object(request.body), name) as unknown;
  const { search, searchParams } = parseUrl(request);
  if (!isUtf8(bytesIn(search)))
    throw badInput('The parameters of an address must be UTF-8, but have other bytes.');
  return (name) => searchParams.get(name) ?? undefined;
}

/** The parameters for which an empty text counts as absent, because some clients send that. */
const OPTIONAL = ['operationName', 'variables', 'extensions', 'documentId'];
/** The parameters that are JSON in an address, where `null` is text. */
const JSON_IN_ADDRESS = ['variables', 'extensions'];

/** Takes the optional parameters that are empty out of a request, and an empty hash. */
export function omitEmptyParameters(request: DocumentRequest): void {
  const parameter = readParameters(request);
  const isInAddress = request.method !== 'POST';
  const isEmpty = (name: string) =>
    parameter(name) === '' || (isInAddress && parameter(name) === 'null' && JSON_IN_ADDRESS.includes(name));
  // Apollo refuses a parameter that is given several times.
  const isSingle = (name: string) => !isInAddress || parseUrl(request).searchParams.getAll(name).length === 1;
  const empty = OPTIONAL.filter((name) => isEmpty(name) && isSingle(name));
  if (readApolloHash(parameter('extensions')) === '') empty.push('extensions');
  if (empty.length > 0) omit(request, empty);
}

/** The text of a request's query, read where Apollo reads it. */
export function readQueryText(request: DocumentRequest): unknown {
  return readParameters(request)('query');
}

/**
 * If a request names a trusted document by an id, replaces the id by the document's text. The id is the `documentId` of GraphQL
 * over HTTP or the hash that Apollo's clients send. Returns whether the request named a trusted document. Throws
 * `BAD_USER_INPUT` if no document has the `documentId`, and `FORBIDDEN` if `only` trusted documents are answered and the request
 * names none.
 */
export function fillInDocument(
  request: DocumentRequest,
  { texts }: Pick<TrustedDocuments, 'texts'>,
  only: boolean,
): boolean {
  const parameter = readParameters(request);
  const hasQuery = Boolean(parameter('query'));
  const documentId = parameter('documentId') ?? undefined;
  if (documentId !== undefined) {
    const text = texts.get(checkId(documentId));
    if (hasQuery) throw badInput('A request has documentId or query, but this one has both.');
    if (text === undefined)
      throw badInput(`documentId must name a trusted document, but got: ${JSON.stringify(documentId)}`);
    setQuery(request, text);
    return true;
  }
  // An unknown hash is left to Apollo: its answer makes Apollo's clients send the text.
  const hash = hasQuery ? undefined : readApolloHash(parameter('extensions'));
  const text = hash === undefined ? undefined : (texts.get(hash) ?? texts.get(`sha256:${hash}`));
  if (text !== undefined) {
    setQuery(request, text);
    return true;
  }
  if (only) throw forbidden('This server answers trusted documents only, named by documentId.');
  return false;
}

function checkId(id: unknown): string {
  if (typeof id !== 'string') throw badInput(`documentId must be text, but got: ${typeof id}`);
  if (id.length > MAX_DOCUMENT_ID_CHARACTERS)
    throw badInput(
      `documentId must have at most ${MAX_DOCUMENT_ID_CHARACTERS} characters, but got: ${id.length}`,
    );
  return id;
}

/** The hash in `{"persistedQuery": {"sha256Hash": …}}`, which is an object in a body and JSON text in a URL. */
function readApolloHash(extensions: unknown): string | undefined {
  let value = extensions;
  if (typeof value === 'string') {
    try {
      value = JSON.parse(value);
    } catch {
      return undefined;
    }
  }
  const hash: unknown = Reflect.get(Object(Reflect.get(Object(value), 'persistedQuery')), 'sha256Hash');
  return typeof hash === 'string' && hash.length <= MAX_DOCUMENT_ID_CHARACTERS ? hash : undefined;
}

/** Puts the text where Apollo reads it. Removes `extensions`, because Apollo would refuse a `persistedQuery` in them. */
function setQuery(request: DocumentRequest, query: string): void {
  omit(request, ['documentId', 'extensions'], { query });
}

/** Takes parameters out of a request, and puts others in. */
function omit(
  request: DocumentRequest,
  names: readonly string[],
  added: Readonly<Record<string, string>> = {},
): void {
  if (request.method === 'POST') {
    const kept = Object.entries(Object(request.body) as object).filter(([name]) => !names.includes(name));
    request.body = { ...Object.fromEntries(kept), ...added };
    return;
  }
  const url = parseUrl(request);
  for (const name of names) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(added)) url.searchParams.set(name, value);
  if (request.raw) request.raw.url = `${url.pathname}${url.search}`;
}

/** The bytes that the percent-encoding of an address stands for. */
function bytesIn(encoded: string): Buffer {
  const decoded = encoded.replace(/%([0-9a-f]{2})/gi, (_, byte: string) =>
    String.fromCharCode(Number.parseInt(byte, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

function parseUrl(request: DocumentRequest): URL {
  return new URL(request.url, 'http://localhost');
}
