import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { DocumentTool } from './document-tools';

/** The server to which operations are sent, and how. */
interface Endpoint {
  /** The address of GraphQL. */
  readonly url: string;
  /** The token for which the agent acts; without one it acts for nobody. */
  readonly token?: string | undefined;
  /** Sends the ids of documents instead of their texts, to a server that answers only those that it trusts. */
  readonly byId?: boolean;
}

/** A tool as an agent lists it. */
type ListedTool = DocumentTool & {
  /** The most that it reads, in a sentence. */
  readonly bound: string;
};

/** The longest answer in characters. A longer one would fill the context of most models. */
const MAX_ANSWER_CHARACTERS = 100_000;
const MAX_WAIT_MS = 60_000;
/** How many characters are shown of an answer that is not GraphQL's. */
const MAX_SHOWN_CHARACTERS = 200;

/** Creates an MCP server whose tools are operations of a GraphQL API. */
export function createMcpServer(
  tools: readonly ListedTool[],
  endpoint: Endpoint,
  version: string,
): McpServer {
  const server = new McpServer({ name: 'murmuration', version });
  for (const tool of tools) {
    const { name, description, bound, inputSchema, example, isMutation } = tool;
    server.registerTool(
      name,
      {
        description: `${description} ${bound} For example: ${JSON.stringify(example)}`,
        inputSchema: fromJsonSchema<Record<string, unknown>>(inputSchema as never),
        annotations: { readOnlyHint: !isMutation, openWorldHint: true },
      },
      async (variables) => answerTo(tool, withDefaults(tool, variables), endpoint),
    );
  }
  return server;
}

/** The variables to send: null stands for the default where the document has one. Elsewhere it means what the API says. */
function withDefaults(
  { operation }: DocumentTool,
  variables: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const defaults = (operation.variableDefinitions ?? []).filter(({ defaultValue }) => defaultValue);
  const names = new Set(defaults.map(({ variable }) => variable.name.value));
  return Object.fromEntries(
    Object.entries(variables).filter(([name, value]) => value !== null || !names.has(name)),
  );
}

async function answerTo(
  { text, name }: DocumentTool,
  variables: Readonly<Record<string, unknown>>,
  { url, token, byId = false }: Endpoint,
) {
  const said = (answer: string, isError: boolean) => ({
    content: [{ type: 'text' as const, text: answer }],
    isError,
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json;q=0.9',
        ...(token !== undefined && token !== '' && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ ...(byId ? { documentId: name } : { query: text }), variables }),
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    });
    // Errors tell their codes, and after how many seconds to try again.
    const answer = await response.text();
    if (answer.length > MAX_ANSWER_CHARACTERS)
      return said(
        `The answer has ${answer.length} characters, and at most ${MAX_ANSWER_CHARACTERS} are passed on: ask for a smaller page.`,
        true,
      );
    const type = response.headers.get('content-type') ?? '';
    // A proxy may answer in place of the server.
    if (!type.includes('json'))
      return said(
        `The server at ${url} answered ${response.status}: ${answer.slice(0, MAX_SHOWN_CHARACTERS)}`,
        true,
      );
    return said(answer.trim(), 'errors' in (JSON.parse(answer) as object));
  } catch (error) {
    return said(`The server at ${url} did not answer: ${error instanceof Error ? error.message : ''}`, true);
  }
}
