import { type DocumentNode, type ExecutionResult, type OperationDefinitionNode, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import { refused } from '../base/errors';
import { rootFieldsIn } from './count-fields';
import type { RequestedOperation } from './executor';

/** The fields that return the schema. `__typename` belongs to the data. */
const INTROSPECTION_FIELDS: readonly string[] = ['__schema', '__type'];

/** The points of an answer about the schema that must be made: that of common tools takes as long as so many reads. */
const INTROSPECTION_POINTS = 500;

/** The maximum size of the kept answers in characters, some tenfold in memory. The one that common tools ask for has some 200,000. */
const MAX_KEPT_CHARACTERS = 2_000_000;

interface FoundAnswer {
  readonly kept?: ExecutionResult | undefined;
  readonly key: string;
  readonly points: number;
}

const NOTHING: FoundAnswer = { key: '', points: 0 };

/** The answers about the schema. It stays the same, so they are kept. */
interface Introspection {
  /** The kept answer of an operation; else, if it asks for the schema, what its answer costs, and a key that equal ones share. */
  find(this: void, requested: RequestedOperation): FoundAnswer;
  /** Keeps the answer of an operation that asks for nothing but the schema. */
  keep(this: void, requested: RequestedOperation, answer: ExecutionResult): void;
  /** A kept answer as JSON. */
  textOf(this: void, answer: ExecutionResult): string | undefined;
}

/** Creates the answers about a server's schema. */
export function createIntrospection(): Introspection {
  const found = new WeakMap<OperationDefinitionNode, Asked>();
  const askedBy = ({ document, operation }: RequestedOperation): Asked => {
    let asked = found.get(operation);
    if (asked === undefined) found.set(operation, (asked = findAsked(document, operation)));
    return asked;
  };
  const texts = new WeakMap<ExecutionResult, string>();
  const answers = new LRUCache<string, ExecutionResult>({
    maxSize: MAX_KEPT_CHARACTERS,
    sizeCalculation: (answer, key) => key.length + (texts.get(answer)?.length ?? 1),
  });
  return {
    find(requested) {
      const { schema, data } = askedBy(requested);
      if (!schema) return NOTHING;
      const key = keyOf(requested);
      const kept = data ? undefined : answers.get(key);
      return { kept, key, points: kept === undefined ? INTROSPECTION_POINTS : 0 };
    },
    keep(requested, answer) {
      const { schema, data } = askedBy(requested);
      if (!schema || data || answer.data == null || answer.errors !== undefined) return;
      texts.set(answer, `${JSON.stringify({ data: answer.data })}\n`);
      answers.set(keyOf(requested), answer);
    },
    textOf: (answer) => texts.get(answer),
  };
}

/** Identifies what is asked for: the operation, and the values of its own variables. */
function keyOf({ queryHash, operation, variables }: RequestedOperation): string {
  const { name, variableDefinitions = [] } = operation;
  const given = variableDefinitions.map(({ variable }) => {
    const value = variables[variable.name.value];
    return value === undefined ? [] : [value];
  });
  return `${queryHash} ${name?.value ?? ''} ${JSON.stringify(given)}`;
}

/** Whether an operation asks for the schema, and whether for anything else. Directives are not regarded. */
interface Asked {
  readonly schema: boolean;
  readonly data: boolean;
}

function findAsked(document: DocumentNode, operation: OperationDefinitionNode): Asked {
  const names = rootFieldsIn(document, operation).map(({ name }) => name.value);
  return {
    schema: names.some((name) => INTROSPECTION_FIELDS.includes(name)),
    data: names.some((name) => name !== '__typename' && !INTROSPECTION_FIELDS.includes(name)),
  };
}

/** Documents that do not ask for the schema, so that each is searched once. */
const harmless = new WeakSet<DocumentNode>();

/** Throws `FORBIDDEN` if any operation of a document asks for the schema. */
export function refuseIntrospection(document: DocumentNode): void {
  if (harmless.has(document)) return;
  visit(document, {
    Field({ name }) {
      if (INTROSPECTION_FIELDS.includes(name.value))
        throw refused(
          'Introspection is turned off on this server (INTROSPECTION), except for services.',
          'FORBIDDEN',
        );
    },
  });
  harmless.add(document);
}
