import { visit, type FieldNode, type OperationDefinitionNode } from 'graphql';

/** The coerced values of an operation's variables. */
export type Variables = Readonly<Record<string, unknown>>;

/** The arguments of a field. */
type Arguments = Readonly<Record<string, unknown>>;

/** The names of the variables in each argument of a field. */
const variablesOf = new WeakMap<FieldNode, ReadonlyMap<string, readonly string[]>>();

/** Notes the variables that a computation looks at, so that its result may be used for others that have the same values. */
export class UsedVariables {
  readonly #names = new Set<string>();
  /** The variables, to coerce arguments with: it does not matter that these are looked at. */
  readonly values: Variables;
  /** The same, to decide with: those that are looked at are noted. */
  readonly watched: Variables;

  constructor(values: Variables) {
    this.values = values;
    this.watched = watched(values, (name) => this.#names.add(name));
  }

  /** The variables that were looked at. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** Returns the same arguments of a field, and notes the variables in those that are looked at. Other variables do not matter. */
  watchArguments(node: FieldNode, args: Arguments): Arguments {
    const variables = variablesIn(node);
    if (variables.size === 0) return args;
    return watched(args, (name) => {
      for (const variable of variables.get(name) ?? []) this.#names.add(variable);
    });
  }
}

/** Returns a copy of an object that calls `look` with the name of each property that is looked at. */
function watched(object: Arguments, look: (name: string) => void): Arguments {
  const lookAt = (name: string | symbol) => {
    if (typeof name === 'string') look(name);
  };
  return new Proxy(object, {
    get(target, name, receiver): unknown {
      lookAt(name);
      return Reflect.get(target, name, receiver);
    },
    has(target, name) {
      lookAt(name);
      return Reflect.has(target, name);
    },
    getOwnPropertyDescriptor(target, name) {
      lookAt(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

function variablesIn(node: FieldNode): ReadonlyMap<string, readonly string[]> {
  let variables = variablesOf.get(node);
  if (variables === undefined) {
    const found = new Map<string, string[]>();
    for (const argument of node.arguments ?? []) {
      const names: string[] = [];
      visit(argument, { Variable: ({ name }) => void names.push(name.value) });
      if (names.length > 0) found.set(argument.name.value, names);
    }
    variablesOf.set(node, (variables = found));
  }
  return variables;
}

/** The most values of variables for which an operation remembers results. */
const MAX_RESULTS = 200;
/** The longest text, and the most items, that are compared. The cost of few queries depends on longer ones. */
const MAX_TEXT_LENGTH = 100;
const MAX_ITEMS = 8;
/** The most characters of all values together: a query may have thousands of variables. */
const MAX_KEY_LENGTH = 500;

/** Remembers the results of a computation by the values of the variables that any of them has looked at. */
export class ResultsByVariables<Result> {
  readonly #declared: readonly string[];
  readonly #used = new Set<string>();
  readonly #results = new Map<string, Result>();

  constructor({ variableDefinitions = [] }: Pick<OperationDefinitionNode, 'variableDefinitions'>) {
    this.#declared = variableDefinitions.map(({ variable }) => variable.name.value);
  }

  /** Whether there is a result from before for these variables. */
  has(variables: Variables): boolean {
    const key = this.#keyOf(variables);
    return key !== null && this.#results.has(key);
  }

  /** The result of the computation with these variables: from before, or computed now. An error is thrown each time. */
  get(variables: Variables, compute: (used: UsedVariables) => Result): { result: Result; isKnown: boolean } {
    const key = this.#keyOf(variables);
    const known = key === null ? undefined : this.#results.get(key);
    if (known !== undefined) return { result: known, isKnown: true };
    const used = new UsedVariables(variables);
    const result = compute(used);
    this.#remember(used, variables, result);
    return { result, isKnown: false };
  }

  #remember({ names }: UsedVariables, variables: Variables, result: Result): void {
    const before = this.#used.size;
    for (const name of names) this.#used.add(name);
    // Their keys lack values that now matter.
    if (this.#used.size > before) this.#results.clear();
    const key = this.#keyOf(variables);
    if (key === null) return;
    const [oldest] = this.#results.keys();
    if (oldest !== undefined && this.#results.size >= MAX_RESULTS) this.#results.delete(oldest);
    this.#results.set(key, result);
  }

  /**
   * Returns the values that the result depends on; null if they are too large to be compared. Whether a variable is null also matters where
   * its value does not.
   */
  #keyOf(variables: Variables): string | null {
    if (this.#declared.length > MAX_KEY_LENGTH) return null;
    let key = '';
    for (const name of this.#declared) {
      const value = variables[name];
      key += value === undefined ? 'u' : value === null ? 'n' : 'v';
    }
    for (const name of this.#used) {
      const text = textOf(variables[name]);
      if (text === null || key.length + text.length > MAX_KEY_LENGTH) return null;
      key += text;
    }
    return key;
  }
}

/** A text by which a value is compared; null for one that is too large. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH ? null : JSON.stringify(value);
  if (value instanceof Date) return ` ${Number(value)}`;
  if (typeof value !== 'object' || value === null) return ` ${String(value)}`;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.entries(value).flat();
  if (items.length > (Array.isArray(value) ? 1 : 2) * MAX_ITEMS) return null;
  const texts = items.map(textOf);
  return texts.includes(null) ? null : `[${texts.join()}]`;
}
