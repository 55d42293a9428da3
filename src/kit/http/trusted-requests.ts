import type { FastifyRequest } from 'fastify';
import { badInput, forbidden } from '../base/errors';
import { MAX_DOCUMENT_ID_CHARACTERS } from '../graphql/manifests';
import type { TrustedDocuments } from '../graphql/trusted-documents';

/** A request's parameter by name, read as Apollo reads it: of a POST from its body, else from the address. */
function parametersOf(request: FastifyRequest): (name: string) => unknown {
  if (request.method === 'POST') return (name) => Reflect.get(Object(request.body), name) as unknown;
  const { searchParams } = addressOf(request);
  return (name) => searchParams.get(name) ?? undefined;
}

/** The text that a request asks by, read as Apollo reads it. */
export function sourceOf(request: FastifyRequest): unknown {
  return parametersOf(request)('query');
}

/**
 * Puts the text of a trusted document in the place of the id by which a request names it: `documentId`, as GraphQL over
 * HTTP has it, or the hash that Apollo's clients send. Tells whether the request named one. Throws `BAD_USER_INPUT` where
 * no document has that id, and `FORBIDDEN` when `only` trusted documents are answered and the request names none.
 */
export function fillInDocument(
  request: FastifyRequest,
  { texts }: Pick<TrustedDocuments, 'texts'>,
  only: boolean,
): boolean {
  const parameter = parametersOf(request);
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
  // Apollo's clients send the text after an answer that their hash is unknown: that is Apollo's to give.
  const hash = hasQuery ? undefined : apolloHashOf(parameter('extensions'));
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

/** `{"persistedQuery": {"sha256Hash": …}}`, in a body as an object, in an address as JSON. */
function apolloHashOf(extensions: unknown): string | undefined {
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

/** Apollo reads the body of a POST and else the address. Extensions go: `persistedQuery` would make Apollo refuse. */
function setQuery(request: FastifyRequest, query: string): void {
  if (request.method === 'POST') {
    const { documentId: _, extensions: __, ...body } = Object(request.body) as Record<string, unknown>;
    request.body = { ...body, query };
    return;
  }
  const address = addressOf(request);
  for (const name of ['documentId', 'extensions']) address.searchParams.delete(name);
  address.searchParams.set('query', query);
  request.raw.url = `${address.pathname}${address.search}`;
}

function addressOf(request: FastifyRequest): URL {
  return new URL(request.url, 'http://localhost');
}
