import { getOperationAST } from 'graphql';
import { asError } from '../base/errors';
import { refuseIntrospection } from './admission';
import { isLargerThan } from './answer-size';
import type { BeginOperation } from './begin-operation';
import type { DocumentStore } from './document-store';
import type { Execution, RequestedOperation } from './executor';
import type { RequestContext } from './request-context';

/** What a request asks for, with absent parts filled in. */
export interface PlainRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Answers requests for documents that are parsed, validated and compiled already. */
export interface KnownDocuments {
  /** The operation that a request asks for; undefined if it must be prepared first, or if there is none. */
  find(this: void, request: PlainRequest): RequestedOperation | undefined;
  /**
   * Runs an operation, and returns the answer as JSON; null if it has errors, no data, or too many bytes. Apollo must answer then: it finds
   * in the context what was done.
   */
  answer(this: void, requested: RequestedOperation, context: RequestContext): Promise<string | null>;
}

/** Creates the short path past Apollo, which takes longer for a request than everything else that is not the database. */
export function createKnownDocuments(
  documents: DocumentStore,
  begin: BeginOperation,
  execution: Execution,
  maxBytes: number,
): KnownDocuments {
  return {
    find({ query, operationName, variables }) {
      const known = documents.find(query);
      const operation = known && getOperationAST(known.document, operationName);
      if (!operation || !execution.isPrepared(known.hash, operation)) return undefined;
      return { document: known.document, operation, queryHash: known.hash, variables };
    },
    async answer(requested, context) {
      try {
        if (!context.mayIntrospect) refuseIntrospection(requested.document);
        begin(requested, context);
        const result = await execution.run(requested, context);
        context.attempt = { result };
        if (result.errors !== undefined || result.data == null || isLargerThan(maxBytes, result)) return null;
        context.logged.operation = requested.operation.name?.value;
        context.limits.giveBackUnused(context.pass.reads);
        return `${JSON.stringify({ data: result.data })}\n`;
      } catch (thrown) {
        context.attempt = { refusal: asError(thrown) };
        return null;
      }
    },
  };
}
