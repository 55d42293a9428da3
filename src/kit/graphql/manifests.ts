import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../config/config';

/** The maximum length of a document's id. */
export const MAX_DOCUMENT_ID_CHARACTERS = 200;

/** A document of a manifest, and the ids by which clients name it. */
export interface ListedDocument {
  /** SHA-256 of the text, in hexadecimal. */
  readonly hash: string;
  readonly text: string;
  /** The first is the one that messages show. */
  readonly ids: readonly string[];
  readonly file: string;
}

const id = z.string().min(1).max(MAX_DOCUMENT_ID_CHARACTERS);

/** The format that Apollo's `generate-persisted-query-manifest` writes. */
const apolloManifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z.array(z.object({ id, body: z.string() })),
});

/** The format that the Relay compiler and GraphQL Code Generator write: text by id. */
const textsById = z.record(id, z.string());

/**
 * Reads the documents of a file, or of all files in a folder and its subfolders: manifests (`.json`) of Relay, GraphQL Code
 * Generator and Apollo, and documents (`.graphql`, `.gql`), whose id is the file name without its extension. Each document
 * also has the id `sha256:<hash>` (GraphQL over HTTP, appendix on persisted documents). Throws `ConfigError`.
 */
export function readManifests(path: string): ListedDocument[] {
  const documents = findFiles(path).flatMap((file) =>
    extname(file) === '.json' ? readManifest(file) : [readDocument(file)],
  );
  if (documents.length === 0) throw unusable(path, 'must hold documents, but holds none');
  return documents;
}

/** Creates a `ConfigError` about a file or folder of trusted documents. */
export function unusable(file: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(`TRUSTED_DOCUMENTS is not usable: ${file} ${message}`, { cause });
}

function findFiles(path: string): string[] {
  const isDocumentFile = (name: string) => /\.(json|graphql|gql)$/.test(name);
  try {
    if (statSync(path).isDirectory())
      return readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter(isDocumentFile)
        .sort()
        .map((name) => join(path, name));
  } catch (cause) {
    throw unusable(path, 'must be a readable file or folder', cause);
  }
  if (!isDocumentFile(path)) throw unusable(path, 'must end in .json, .graphql or .gql');
  return [path];
}

function readManifest(file: string): ListedDocument[] {
  const json = parseJson(file, read(file));
  const isApollo = typeof json === 'object' && json !== null && 'format' in json && 'operations' in json;
  const manifest = isApollo ? apolloManifest.safeParse(json) : textsById.safeParse(json);
  if (!manifest.success) {
    const [issue] = manifest.error.issues;
    const at = issue?.path.map(String).join('.') ?? '';
    throw unusable(file, `must be a manifest of documents, but ${at || 'it'}: ${issue?.message ?? ''}`);
  }
  const entries = isApolloManifest(manifest.data)
    ? manifest.data.operations.map((operation) => [operation.id, operation.body] as const)
    : Object.entries(manifest.data);
  return entries.map(([name, text]) => listed(file, text, name));
}

function isApolloManifest(
  manifest: z.infer<typeof apolloManifest> | z.infer<typeof textsById>,
): manifest is z.infer<typeof apolloManifest> {
  return Array.isArray(manifest['operations']);
}

function readDocument(file: string): ListedDocument {
  const name = basename(file, extname(file));
  // The characters that the appendix allows in an id that is not a hash.
  return listed(file, read(file), /^[\w.~-]+$/.test(name) ? name : null);
}

function listed(file: string, text: string, name: string | null): ListedDocument {
  const hash = createHash('sha256').update(text).digest('hex');
  const byHash = `sha256:${hash}`;
  if (name?.startsWith('sha256:') && name !== byHash)
    throw unusable(file, `must give each document the hash of its text, but ${name} has ${byHash}`);
  return { hash, text, file, ids: name === null || name === byHash ? [byHash] : [name, byHash] };
}

function read(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    throw unusable(file, 'must be readable, in UTF-8', cause);
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unusable(file, `must be JSON: ${cause instanceof Error ? cause.message : ''}`, cause);
  }
}
