import type { Headers } from '../stage';
import { graphql, send, type Call, type Outcome } from './send';

/** The server that is attacked, and what an attacker knows about it. */
export interface Target {
  readonly port: number;
  /** Headers of a request by a person who follows 2,000 others. */
  readonly person: Headers;
  /** Headers of a request by a service, which may read every timeline. */
  readonly service: Headers;
  /** The global id of the person who follows 2,000 others. */
  readonly personId: string;
  /** Global ids of 100 users, the most followed first. */
  readonly userIds: readonly string[];
  /** Global ids of 100 tweets, the newest first. */
  readonly tweetIds: readonly string[];
  /** Words of the tweets, the most common first. */
  readonly words: readonly string[];
  /** The moment of the last tweet. */
  readonly end: Date;
}

/** A way to harm a server. */
export interface Attack {
  readonly what: string;
  /** Attacks once. If that takes several requests, resolves to the slowest outcome. */
  run(target: Target): Promise<Outcome>;
}

/** An attack by one request, which `call` builds from what the attacker knows. */
export function attack(what: string, call: (target: Target) => Omit<Call, 'port'>): Attack {
  return { what, run: (target) => send({ ...call(target), port: target.port }) };
}

/** An attack by several requests at once. */
export function flood(
  what: string,
  count: number,
  call: (target: Target, n: number) => Omit<Call, 'port'>,
): Attack {
  return {
    what,
    run: async (target) =>
      worstOf(
        await Promise.all(
          Array.from({ length: count }, (_, n) => send({ ...call(target, n), port: target.port })),
        ),
      ),
  };
}

/** The slowest outcome, with the bytes of all. */
export function worstOf(outcomes: readonly Outcome[]): Outcome {
  const slowest = outcomes.reduce((a, b) => (b.milliseconds > a.milliseconds ? b : a));
  return { ...slowest, bytes: outcomes.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/**
 * An attack by the most expensive request of a kind that the server does not refuse. `make` builds the request of a size
 * from 1 to `max`; larger ones are more expensive. Dry runs find the size.
 */
export function dearest(
  what: string,
  max: number,
  make: (size: number, target: Target) => Omit<Call, 'port'>,
): Attack {
  let found: Omit<Call, 'port'> | null = null;
  return {
    what,
    async run(target) {
      found ??= await dearestOf(target, max, (size) => make(size, target));
      return send({ ...found, port: target.port });
    },
  };
}

async function dearestOf(
  { port }: Target,
  max: number,
  make: (size: number) => Omit<Call, 'port'>,
): Promise<Omit<Call, 'port'>> {
  let [passes, refused] = [1, max + 1];
  while (refused - passes > 1) {
    const middle = (passes + refused) >> 1;
    const call = make(middle);
    if (await isAllowed({ ...call, port, headers: { ...call.headers, 'x-explain': 'only' } }))
      passes = middle;
    else refused = middle;
  }
  return make(passes);
}

/** Whether a dry run stays within the limits on reads, rows, bytes, nodes and values. */
async function isAllowed(call: Call): Promise<boolean> {
  const { text } = await send(call);
  const { extensions } = JSON.parse(text) as { readonly extensions?: { readonly cost?: DryCost } };
  const cost = extensions?.cost;
  return (
    cost !== undefined &&
    cost.bound <= cost.limit &&
    cost.boundOfRows <= cost.limitOfRows &&
    cost.boundOfBytes <= cost.limitOfBytes &&
    cost.boundOfNodes <= cost.limitOfNodes &&
    cost.boundOfValues <= cost.limitOfValues
  );
}

interface DryCost {
  readonly bound: number;
  readonly boundOfRows: number;
  readonly boundOfBytes: number;
  readonly boundOfNodes: number;
  readonly boundOfValues: number;
  readonly limit: number;
  readonly limitOfRows: number;
  readonly limitOfBytes: number;
  readonly limitOfNodes: number;
  readonly limitOfValues: number;
}

/** The body of a GraphQL request that asks for one field `count` times, by aliases. */
export function aliases(
  count: number,
  field: string,
  variables: Readonly<Record<string, unknown>> = {},
  declared = '',
): string {
  const fields = Array.from({ length: count }, (_, n) => `a${n}: ${field}`);
  return graphql(`query ${declared} { ${fields.join(' ')} }`, variables);
}
