import { createHash } from 'node:crypto';
import { GraphQLError, parse, specifiedRules, validate, type GraphQLSchema } from 'graphql';
import { detailsIn, refused } from '../base/errors';
import { checkBeforeValidation } from './check-before-validation';
import type { DocumentStore, StoredDocument } from './document-store';
import { checkSource, limitRules } from './limits';

/** The rules and limits that documents are checked against. */
interface Checked {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentStore;
  readonly limits: { readonly tokens: number; readonly depth: number; readonly aliases: number };
}

/** Checks the length and shape of a document that is not stored, before it is parsed. Throws `QUERY_TOO_LARGE` or a syntax error. */
export function checkNewDocument(
  schema: GraphQLSchema,
  limits: { readonly tokens: number },
  source: string,
): void {
  checkSource(source, limits.tokens);
  checkBeforeValidation(schema, source);
}

/**
 * Parses and validates a document as Apollo does, and stores it. Its length and shape were checked. Throws the first error, with the
 * code `BAD_USER_INPUT` unless it has one.
 */
export async function validDocument(
  { schema, documents, limits }: Checked,
  source: string,
): Promise<StoredDocument> {
  const stored = documents.find(source);
  if (stored) return stored;
  const document = parsed(source);
  const [error] = validate(schema, document, [...specifiedRules, ...limitRules(limits)]);
  if (error)
    throw error.extensions['code'] === undefined
      ? refused(error.message, 'BAD_USER_INPUT', detailsIn(error.extensions))
      : error;
  const hash = createHash('sha256').update(source).digest('hex');
  await documents.set(hash, document);
  return { document, hash };
}

function parsed(source: string) {
  try {
    return parse(source);
  } catch (error) {
    throw error instanceof GraphQLError ? refused(error.message) : error;
  }
}
