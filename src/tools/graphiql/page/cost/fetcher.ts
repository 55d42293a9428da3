import { fetcherReturnToPromise, isAsyncIterable, isObservable } from '@graphiql/toolkit';
import type { Fetcher, FetcherOpts, FetcherParams, SyncExecutionResult } from '@graphiql/toolkit';
import { getOperationAST, OperationTypeNode, parse, type ExecutionResult } from 'graphql';
import { failureOf, reportOf, withoutCost, type Asked, type Report } from './report';
import type { CostStore } from './store';

const HEADER = 'x-explain';

type Headers = NonNullable<FetcherOpts['headers']>;

/**
 * Asks for the cost of each query, unless the visitor's own headers say otherwise, and shows it in the panel. GraphiQL gets
 * the answer without it, because only visitors who set the header themselves want to read it there.
 */
export function explainingFetcher(fetcher: Fetcher, costs: CostStore): Fetcher {
  return async (params, options) => {
    const own = ownHeader(options?.headers);
    const isAsked = own === undefined ? costs.state().isOn : own === 'true' || own === 'only';
    if (!isAsked || params.operationName === 'IntrospectionQuery' || isSubscription(params))
      return fetcher(params, options);
    const asked = askedBy(params, own === 'only');
    const take = (result: ExecutionResult) => {
      costs.show(reportOf(asked, result));
      return own === undefined ? withoutCost(result) : result;
    };
    // A header of the visitor comes last and wins.
    const headers = { ...(own === undefined && { [HEADER]: 'true' }), ...options?.headers };
    const answer = await fetcher(params, { ...options, headers });
    if (isObservable(answer)) return answer;
    return isMany(answer) ? mapped(answer, take) : take(answer as ExecutionResult);
  };
}

/** Asks for the bound of a query, without running it. */
export async function dryRun(fetcher: Fetcher, params: FetcherParams, headers: Headers): Promise<Report> {
  const asked = askedBy(params, true);
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== HEADER);
  try {
    const options = { headers: { ...Object.fromEntries(others), [HEADER]: 'only' } };
    return reportOf(asked, (await fetcherReturnToPromise(fetcher(params, options))) as ExecutionResult);
  } catch (error) {
    return failureOf(asked, error);
  }
}

function askedBy({ query, operationName }: FetcherParams, isDry: boolean): Asked {
  return { name: operationName ?? undefined, query, isDry };
}

/** Whether a subscription is begun: its events do not say what they cost. */
function isSubscription({ query, operationName }: FetcherParams): boolean {
  try {
    const operation = getOperationAST(parse(query), operationName);
    return operation?.operation === OperationTypeNode.SUBSCRIPTION;
  } catch {
    // The server says what is wrong with the document.
    return false;
  }
}

/** The visitor's own `x-explain`, if there is one. Header names are case-insensitive. */
function ownHeader(headers: Headers = {}): unknown {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER)?.[1];
}

function isMany(answer: SyncExecutionResult): answer is AsyncIterable<ExecutionResult> {
  return isAsyncIterable(answer);
}

async function* mapped<T>(values: AsyncIterable<T>, change: (value: T) => T): AsyncGenerator<T> {
  // Parts of an answer come as lists, and have no cost.
  for await (const value of values) yield Array.isArray(value) ? value : change(value);
}
