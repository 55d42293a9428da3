import type { Reserve } from '../cost/reserve';
import type { ExecutionResult } from 'graphql';
import type { QueryCost } from '../cost/query-cost';
import type { Pass } from '../reads/gate';
import type { RequestLimits } from '../rate-limits/rate-limits';
import type { Load, ReadLog } from '../reads/load';

/** The part of each request's context that the kit uses; an API adds what its own resolvers use. */
export interface RequestContext {
  readonly load: Load;
  readonly pass: Pass;
  /** Identifies the caller, as the rate limits do. */
  readonly caller: string;
  /** Whether anything may be hidden from the caller. Without it, nothing is, and finding out costs nothing. */
  readonly sight?: { readonly isNobody: boolean };
  /** Present if the request asks which reads it makes, and may know. */
  readonly log?: ReadLog;
  /** Whether the request asks only for its cost: then nothing is read. */
  readonly costOnly?: boolean;
  /** Why a request that asks for its reads or its cost does not get them. One that asks only for its cost is refused. */
  readonly explainRefused?: string;
  /** How much the operation costs at most; set before anything is read, and greater when a field has reserved more. */
  cost?: QueryCost;
  /** Adds to the cost. Work of a subscription is charged for what it has read instead. */
  reserve: Reserve;
  /** The rate limits of the caller. */
  readonly limits: RequestLimits;
  /** Whether the caller may ask for the schema. */
  readonly mayIntrospect: boolean;
  /** The result of the operation, once it was begun. */
  result?: Promise<ExecutionResult>;
  /** The log entry of the request. It is an object of its own, because Apollo copies the context. */
  readonly logged: {
    operation?: string | undefined;
    /** The name of the operation, if it is of a trusted document. */
    trusted?: string | undefined;
    /** The codes of the errors in the answer, each once; undefined if Apollo has not answered. */
    codes?: readonly string[];
  };
}
