import type { ApolloServerOptions } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** The documents that a server need not parse and validate. */
export interface DocumentStore extends NonNullable<ApolloServerOptions<object>['documentStore']> {
  /** Whether the document of a text is at hand. */
  has(text: string): boolean;
}

/** Bytes of parsed documents that are kept. Of queries with 60 tokens that is some hundreds. */
const MAX_DOCUMENT_BYTES = 20_000_000;

/** How many documents are kept at least: one that takes more than this part of the room is not, lest it drives out all others. */
export const MIN_CACHED_ENTRIES = 20;

/** Heap that a parsed token and a character of the text take at most, as measured; a comment counts by its characters. */
const MAX_TOKEN_BYTES = 400;
const MAX_CHARACTER_BYTES = 45;

/** About how much heap a parsed document takes, with the tokens and the text that it refers to. */
export function documentBytes({ tokenCount = 0, loc }: DocumentNode): number {
  return 1 + tokenCount * MAX_TOKEN_BYTES + (loc?.source.body.length ?? 0) * MAX_CHARACTER_BYTES;
}

/**
 * Apollo's cache of parsed and valid documents, bounded by the heap that they take: its own measures their JSON, in
 * which comments are missing, at the cost of writing it. Trusted documents, by the hash of their text, stay for good.
 */
export function createDocumentStore(trusted: ReadonlyMap<string, DocumentNode>): DocumentStore {
  const texts = new Set([...trusted.values()].map(textOf));
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_DOCUMENT_BYTES,
    maxEntrySize: MAX_DOCUMENT_BYTES / MIN_CACHED_ENTRIES,
    sizeCalculation: documentBytes,
    dispose: (document) => texts.delete(textOf(document)),
  });
  return {
    has: (text) => texts.has(text),
    async get(key) {
      // A key is the schema's hash, a colon, and the hash of the text.
      return Promise.resolve(trusted.get(key.slice(key.lastIndexOf(':') + 1)) ?? documents.get(key));
    },
    async set(key, document) {
      documents.set(key, document);
      if (documents.has(key)) texts.add(textOf(document));
      return Promise.resolve();
    },
    async delete(key) {
      return Promise.resolve(documents.delete(key));
    },
  };
}

function textOf({ loc }: DocumentNode): string {
  return loc?.source.body ?? '';
}
