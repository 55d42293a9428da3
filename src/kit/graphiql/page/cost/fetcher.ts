import { fetcherReturnToPromise, isAsyncIterable, isObservable } from '@graphiql/toolkit';
import type { Fetcher, FetcherOpts, FetcherParams, SyncExecutionResult } from '@graphiql/toolkit';
import type { ExecutionResult } from 'graphql';
import { failureOf, reportOf, withoutCost, type Asked, type Report } from './report';
import type { CostStore } from './store';

const HEADER = 'x-explain';

type Headers = NonNullable<FetcherOpts['headers']>;

/**
 * Asks for the cost of each query, unless the visitor's own headers say otherwise, and shows it in the panel. GraphiQL
 * gets the answer without it: only who asks by a header of their own wants to read it there.
 */
export function explainingFetcher(fetcher: Fetcher, costs: CostStore): Fetcher {
  return async (params, options) => {
    const own = ownHeader(options?.headers);
    const isAsked = own === undefined ? costs.state().isOn : own === 'true' || own === 'only';
    if (!isAsked || params.operationName === 'IntrospectionQuery') return fetcher(params, options);
    const asked = askedBy(params, own === 'only');
    const take = (result: ExecutionResult) => {
      costs.show(reportOf(asked, result));
      return own === undefined ? withoutCost(result) : result;
    };
    // One of the visitor's own comes last, and wins.
    const headers = { ...(own === undefined && { [HEADER]: 'true' }), ...options?.headers };
    const answer = await fetcher(params, { ...options, headers });
    if (isObservable(answer)) return answer;
    return isMany(answer) ? mapped(answer, take) : take(answer);
  };
}

/** Asks for the bound of a query, which the server then does not run. */
export async function dryRun(fetcher: Fetcher, params: FetcherParams, headers: Headers): Promise<Report> {
  const asked = askedBy(params, true);
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== HEADER);
  try {
    const options = { headers: { ...Object.fromEntries(others), [HEADER]: 'only' } };
    return reportOf(asked, await fetcherReturnToPromise(fetcher(params, options)));
  } catch (error) {
    return failureOf(asked, error);
  }
}

function askedBy({ query, operationName }: FetcherParams, isDry: boolean): Asked {
  return { name: operationName ?? undefined, query, isDry };
}

/** Names of headers have no case. */
function ownHeader(headers: Headers = {}): unknown {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER)?.[1];
}

function isMany(answer: SyncExecutionResult): answer is AsyncIterable<ExecutionResult> {
  return isAsyncIterable(answer);
}

async function* mapped<T>(values: AsyncIterable<T>, change: (value: T) => T): AsyncGenerator<T> {
  // Parts of an answer come as lists; they have no cost.
  for await (const value of values) yield Array.isArray(value) ? value : change(value);
}
