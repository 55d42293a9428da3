import {
  Kind,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/config';
import { countFields } from './count-fields';
import { MAX_FIELDS } from '../cost/query-cost';
import { checkSource, limitRules } from './limits';
import { refuseConditionalSubscriptions } from './refuse-conditional-subscriptions';
import { readManifests, unusable, type ListedDocument } from './manifests';

/** An operation of a trusted document. */
export interface TrustedOperation {
  /** SHA-256 of the document's text, in hexadecimal. */
  readonly hash: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** The documents that clients may name by an id instead of sending them. */
export interface TrustedDocuments {
  /** The texts of the documents, by id. */
  readonly texts: ReadonlyMap<string, string>;
  /** The parsed documents, by the hash of their text. */
  readonly documents: ReadonlyMap<string, DocumentNode>;
  readonly operations: readonly TrustedOperation[];
}

/** No documents: every id is unknown. */
const noTrustedDocuments: TrustedDocuments = {
  texts: new Map(),
  documents: new Map(),
  operations: [],
};

/**
 * Computes how much an operation may cost at most, for the log. Throws a `GraphQLError` if that is more than the server allows. The part
 * that depends on variables is not known yet.
 */
type CheckOperation = (document: DocumentNode, operation: OperationDefinitionNode) => unknown;

/**
 * Reads the documents of `TRUSTED_DOCUMENTS` and checks them against the schema and the limits. Throws `ConfigError`, with
 * file, id and error, for the first that cannot be answered, so that the operator notices before a client does.
 */
export function openTrustedDocuments(
  schema: GraphQLSchema,
  { trusted: { path }, limits }: Pick<ServerConfig, 'trusted' | 'limits'>,
  logger: Logger,
  check?: CheckOperation,
): TrustedDocuments {
  if (path === null) return noTrustedDocuments;
  const texts = new Map<string, string>();
  const files = new Map<string, string>();
  const documents = new Map<string, DocumentNode>();
  for (const listed of readManifests(path)) {
    for (const id of listed.ids) {
      if (texts.has(id) && texts.get(id) !== listed.text)
        throw unusable(listed.file, `must give ${id} the text that it has in ${files.get(id) ?? ''}`);
      texts.set(id, listed.text);
      files.set(id, listed.file);
    }
    if (!documents.has(listed.hash)) documents.set(listed.hash, parseTrusted(schema, limits, listed, check));
  }
  const operations = [...documents].flatMap(([hash, document]) =>
    listOperations(document).map((operation) => ({ hash, document, operation })),
  );
  logger.info({ documents: documents.size, operations: operations.length }, 'trusted documents');
  for (const { hash, document, operation } of check ? operations : []) {
    const cost = check?.(document, operation);
    logger.info(
      { id: `sha256:${hash}`, operation: operation.name?.value ?? null, cost },
      'trusted operation',
    );
  }
  return { texts, documents, operations };
}

/** Parses a document. Throws `ConfigError` if the schema or a limit refuses it. */
function parseTrusted(
  schema: GraphQLSchema,
  limits: ServerConfig['limits'],
  { text, file, ids }: ListedDocument,
  check: CheckOperation | undefined,
): DocumentNode {
  const refuse = (message: string, cause?: unknown) =>
    unusable(file, `has a document ${ids[0] ?? ''} that cannot be answered: ${message}`, cause);
  const orRefuse = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw refuse(error instanceof Error ? error.message : String(error), error);
    }
  };
  const document = orRefuse(() => {
    checkSource(text, limits.tokens);
    return parse(text);
  });
  // The first rule refuses what makes the others throw.
  for (const rules of [[refuseConditionalSubscriptions], [...specifiedRules, ...limitRules(limits)]]) {
    const [error] = validate(schema, document, rules);
    if (error) throw refuse(error.message, error);
  }
  const operations = listOperations(document);
  if (operations.length === 0) throw refuse('It must have an operation.');
  for (const operation of operations) {
    if (!schema.getRootType(operation.operation)) throw refuse(`This API has no ${operation.operation}s.`);
    const fields = countFields(document, operation);
    if (fields > MAX_FIELDS)
      throw refuse(
        `A query may have ${MAX_FIELDS} fields with all its fragments filled in, but this one has ${fields}.`,
      );
    orRefuse(() => check?.(document, operation));
  }
  return document;
}

function listOperations(document: DocumentNode): OperationDefinitionNode[] {
  return document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}
