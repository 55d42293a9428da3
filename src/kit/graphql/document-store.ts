import type { ApolloServerOptions } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Kept } from '../base/kept';

/** The documents that a server has parsed and validated already. */
export interface DocumentStore extends NonNullable<ApolloServerOptions<object>['documentStore']> {
  /** Whether the document with this text is stored. */
  has(text: string): boolean;
  /** The document with this text, and the hash of the text; undefined if it is not stored. */
  find(text: string): StoredDocument | undefined;
  /** Without the trusted documents. */
  readonly kept: Kept;
}

/** A document that was parsed and validated. */
export interface StoredDocument {
  readonly document: DocumentNode;
  /** SHA-256 of its text, in hexadecimal. */
  readonly hash: string;
}

/** The maximum size of the cached documents in bytes of heap: some hundred queries of 60 tokens. */
const MAX_DOCUMENT_BYTES = 20_000_000;

/** How many entries a full cache has at least: an entry above 1/8 of the cache's size is not kept, so that it cannot evict the rest. */
export const MIN_CACHED_ENTRIES = 8;

/** Bytes of heap that a parsed token and a character of the text take at most, as measured. A comment counts by its characters. */
const MAX_TOKEN_BYTES = 400;
const MAX_CHARACTER_BYTES = 45;

/** About how many bytes of heap a parsed document takes, with the tokens and the text that it refers to. */
export function documentBytes({ tokenCount = 0, loc }: DocumentNode): number {
  return 1 + tokenCount * MAX_TOKEN_BYTES + (loc?.source.body.length ?? 0) * MAX_CHARACTER_BYTES;
}

/**
 * Creates Apollo's cache of parsed and validated documents, bounded by the heap that they take. Apollo's own cache would write
 * each document as JSON to measure it, and JSON lacks the comments. Trusted documents, by the hash of their text, are never
 * evicted.
 */
export function createDocumentStore(trusted: ReadonlyMap<string, DocumentNode>): DocumentStore {
  // The hashes of the texts.
  const hashes = new Map([...trusted].map(([hash, document]) => [sourceText(document), hash]));
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_DOCUMENT_BYTES,
    maxEntrySize: MAX_DOCUMENT_BYTES / MIN_CACHED_ENTRIES,
    sizeCalculation: documentBytes,
    dispose: (document) => hashes.delete(sourceText(document)),
  });
  const documentOf = (hash: string) => trusted.get(hash) ?? documents.get(hash);
  return {
    has: (text) => hashes.has(text),
    kept: { entries: () => documents.size, bytes: () => documents.calculatedSize },
    find(text) {
      const hash = hashes.get(text);
      const document = hash === undefined ? undefined : documentOf(hash);
      return hash === undefined || document === undefined ? undefined : { document, hash };
    },
    async get(key) {
      return Promise.resolve(documentOf(hashIn(key)));
    },
    async set(key, document) {
      const hash = hashIn(key);
      documents.set(hash, document);
      if (documents.has(hash)) hashes.set(sourceText(document), hash);
      return Promise.resolve();
    },
    async delete(key) {
      return Promise.resolve(documents.delete(hashIn(key)));
    },
  };
}

/** A key is the schema's hash, a colon, and the hash of the text. */
function hashIn(key: string): string {
  return key.slice(key.lastIndexOf(':') + 1);
}

function sourceText({ loc }: DocumentNode): string {
  return loc?.source.body ?? '';
}
