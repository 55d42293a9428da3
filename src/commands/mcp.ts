import { join } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createSchema } from '../app';
import { asError } from '../kit/base/errors';
import { createCosting } from '../kit/cost/check-cost';
import { readVersion } from '../kit/cassandra/migration-files';
import { readDocumentTools, type DocumentTool } from '../tools/mcp/document-tools';
import { createMcpServer } from '../tools/mcp/mcp-server';
import { createCommand } from './command';

/** Settings as options: no secret is among them, because others see the arguments of a process. */
interface Options {
  readonly url: string;
  readonly documents: string;
  readonly write?: true;
  readonly byId?: true;
}

const command = createCommand('npm run --silent mcp --')
  .description(
    'Serves agents over standard input and output by the Model Context Protocol: each document of a folder is a tool. MCP_TOKEN is the token of the person for whom the agent acts.',
  )
  .option('--url <address>', 'the address of GraphQL', 'http://localhost:4000/graphql')
  .option('--documents <folder>', 'a folder of .graphql files', join('examples', 'agents'))
  .option('--write', 'also offer mutations')
  .option('--by-id', 'send the names of the files, to a server that trusts these documents')
  .parse();

const { url, documents, write = false, byId = false } = command.opts<Options>();
try {
  const schema = createSchema();
  const { costOf } = createCosting(schema);
  const boundOf = ({ document, operation, example: variables }: DocumentTool) => {
    const { reads, rows } = costOf({ document, operation, variables, isForPeople: true });
    return `Reads at most ${reads} partitions with ${rows} rows for the example.`;
  };
  const tools = readDocumentTools(documents, schema)
    .filter(({ isMutation }) => write || !isMutation)
    .map((tool) => ({ ...tool, bound: boundOf(tool) }));
  const token = process.env['MCP_TOKEN'];
  // The message of a failed request would tell the agent what the token is.
  if (token !== undefined && !/^[\x21-\x7e]*$/.test(token))
    throw new Error('MCP_TOKEN must be a token without spaces and line breaks.');
  const version = readVersion(__dirname);
  serveStdio(() => createMcpServer(tools, { url, token, byId }, version));
} catch (error) {
  process.stderr.write(`${documents} cannot be served. ${asError(error).message}\n`);
  process.exitCode = 1;
}
