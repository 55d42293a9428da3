import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  OperationTypeNode,
  parse,
  print,
  specifiedRules,
  typeFromAST,
  TypeInfo,
  validate,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { asError } from '../../kit/base/errors';

/** A JSON Schema of an object. */
interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** A JSON Schema. */
interface JsonSchema {
  readonly type: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: object;
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** An operation that an agent may call as a tool. */
export interface DocumentTool {
  /** The name of the operation, and of its file. */
  readonly name: string;
  /** The text of the comments before the operation. */
  readonly description: string;
  /** The schema of its variables. */
  readonly inputSchema: ObjectSchema;
  /** The variables that its comments give as an example. */
  readonly example: Readonly<Record<string, unknown>>;
  readonly isMutation: boolean;
  /** The text of the document. */
  readonly text: string;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** Something is wrong with a document; the message names its file. */
class DocumentError extends Error {}

const ENDING = '.graphql';
const EXAMPLE = /^Example: (\{.*\})$/;

/**
 * Reads a folder of `.graphql` files, each of one operation with the name of the file after comments that say what it is for. The last comment is
 * `# Example: {…}`, with variables. Throws `DocumentError` for a file that is not so, or does not fit the schema.
 */
export function readDocumentTools(folder: string, schema: GraphQLSchema): readonly DocumentTool[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(ENDING))
    .sort()
    .map((file) => {
      try {
        return readTool(file.slice(0, -ENDING.length), readFileSync(join(folder, file), 'utf8'), schema);
      } catch (error) {
        throw new DocumentError(`${file}: ${asError(error).message}`);
      }
    });
}

function readTool(name: string, text: string, schema: GraphQLSchema): DocumentTool {
  const document = parse(text);
  const [error] = validate(schema, document, specifiedRules);
  if (error) throw error;
  const operation = getOperationAST(document);
  if (!operation || operation.name?.value !== name)
    throw new DocumentError('It must have one operation, with the name of the file.');
  if (operation.operation === OperationTypeNode.SUBSCRIPTION)
    throw new DocumentError('It must be a query or a mutation.');
  const comments = text
    .slice(0, text.search(/^[^#\s]/m))
    .split('\n')
    .map((line) => line.replace(/^#\s?/, '').trim())
    .filter((line) => line !== '');
  const example = EXAMPLE.exec(comments.at(-1) ?? '')?.[1];
  if (comments.length < 2 || example === undefined)
    throw new DocumentError('It must begin with what it is for, and then "# Example: {…}".');
  return {
    name,
    description: comments.slice(0, -1).join(' '),
    inputSchema: inputSchemaOf(schema, document, operation),
    example: JSON.parse(example) as Record<string, unknown>,
    isMutation: operation.operation === OperationTypeNode.MUTATION,
    text,
    document,
    operation,
  };
}

function inputSchemaOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ObjectSchema {
  const uses = describeUses(schema, document);
  const properties: Record<string, object> = {};
  const required: string[] = [];
  for (const { variable, type: node, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as never) as GraphQLInputType;
    const use = uses.get(name);
    // The default of the argument may differ from the default in the document.
    const description = use && defaultValue ? `${use} Here ${print(defaultValue)} by default.` : use;
    const isRequired = isNonNullType(type) && !defaultValue;
    properties[name] = {
      ...(isRequired ? jsonSchemaOf(type) : orNull(jsonSchemaOf(type))),
      ...(description !== undefined && { description }),
      ...(defaultValue && { default: valueFromASTUntyped(defaultValue) }),
    };
    if (isRequired) required.push(name);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Describes the uses of variables: the descriptions of the arguments and fields that take them, by the names of the variables. */
function describeUses(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, string> {
  const uses = new Map<string, string>();
  const typeInfo = new TypeInfo(schema);
  const describe = (name: string, description: string | null | undefined) => {
    if (description != null && !uses.has(name)) uses.set(name, description.replaceAll(/\s+/g, ' '));
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument({ value }) {
        if (value.kind === Kind.VARIABLE) describe(value.name.value, typeInfo.getArgument()?.description);
      },
      ObjectField({ name, value }) {
        if (value.kind === Kind.VARIABLE)
          describe(value.name.value, describeField(typeInfo.getParentInputType(), name.value));
      },
    }),
  );
  return uses;
}

function describeField(input: unknown, name: string): string | null | undefined {
  const type: unknown = isNonNullType(input) ? input.ofType : input;
  return isInputObjectType(type) ? type.getFields()[name]?.description : null;
}

const scalars: Readonly<Record<string, string>> = { Int: 'integer', Float: 'number', Boolean: 'boolean' };

/** The schema of a value that may be null: many models give null for what they leave out. */
function orNull(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum && { enum: [...schema.enum, null] }),
  };
}

function jsonSchemaOf(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return jsonSchemaOf(type.ofType);
  if (isListType(type)) return { type: 'array', items: jsonSchemaOf(type.ofType) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) return { type: scalars[type.name] ?? 'string' };
  const fields = Object.values(type.getFields());
  const described = fields.map(({ name, type: of, description }) => [
    name,
    { ...jsonSchemaOf(of), ...(description != null && { description }) },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(described) as object,
    required: fields.filter(isRequiredInputField).map(({ name }) => name),
    additionalProperties: false,
  };
}
