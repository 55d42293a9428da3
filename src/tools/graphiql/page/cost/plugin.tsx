import { Button, tryParseJSONC, useGraphiQL, useOperationsEditorState } from '@graphiql/react';
import type { GraphiQLPlugin } from '@graphiql/react';
import type { Fetcher } from '@graphiql/toolkit';
import { useEffect, useState } from 'react';
import { dryRun } from './fetcher';
import { FieldTree } from './field-tree';
import { failureOf, isExplained, type Report } from './report';
import { useCosts, type CostStore } from './store';
import { Summary } from './summary';
import { treeOf } from './tree';

/** The title of the panel, by which GraphiQL knows it. */
export const COST = 'Cost';

/** Creates a panel that shows what the last query read, or what a query would read at most. `fetcher` sends the dry runs. */
export function costPlugin(fetcher: Fetcher, costs: CostStore): GraphiQLPlugin {
  return { title: COST, icon: CostIcon, content: () => <CostPanel fetcher={fetcher} costs={costs} /> };
}

function CostPanel({ fetcher, costs }: { fetcher: Fetcher; costs: CostStore }) {
  const { isOn, report } = useCosts(costs);
  const { run, isReady, isRunning } = useDryRun(fetcher, costs);
  const [query] = useOperationsEditorState();
  const isWaiting = report === undefined && isReady && query.trim() !== '';
  // When the panel is opened, it shows at once how much the query in the editor may read.
  useEffect(() => {
    if (isWaiting) void run();
  }, [isWaiting]);
  return (
    <section className="cost" aria-label="Cost">
      <div className="cost-header">
        Cost
        <Button
          type="button"
          onClick={run}
          disabled={isRunning}
          title="Shows what the query may read, without running it"
        >
          Dry run
        </Button>
      </div>
      <label className="cost-switch">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          onChange={({ target }) => costs.setOn(target.checked)}
        />
        Explain each query
      </label>
      <div role="status">{report && <Answer report={report} isOfEditor={report.query === query} />}</div>
      {report ? (
        <FieldTree fields={treeOf(report)} hasRun={!report.isDry} name={nameOf(report)} />
      ) : (
        <p className="cost-note">
          Run a query to see what it reads, field by field, or press “Dry run” to see what it may read at
          most.
        </p>
      )}
    </section>
  );
}

function Answer({ report, isOfEditor }: { report: Report; isOfEditor: boolean }) {
  return (
    <>
      {report.errors.map((message) => (
        <p key={message} className="cost-refused">
          {message}
        </p>
      ))}
      {isExplained(report) ? (
        <Summary report={report} name={nameOf(report)} />
      ) : (
        report.errors.length === 0 && <NotExplained hasRun={report.hasData || !report.isDry} />
      )}
      {!isOfEditor && (
        <p className="cost-note">
          This is about {nameOf(report)} as it was sent. The editor has changed since then.
        </p>
      )}
    </>
  );
}

function NotExplained({ hasRun }: { hasRun: boolean }) {
  return (
    <p className="cost-note">
      The server {hasRun ? 'ran the query, but ' : ''}does not tell you what it costs. With{' '}
      <code>EXPLAIN=true</code> it tells services, whose token must be under Headers; with{' '}
      <code>EXPLAIN=everybody</code> it tells everybody.
    </p>
  );
}

/** Sends the contents of the editors, as GraphiQL's own button does. */
function useDryRun(fetcher: Fetcher, costs: CostStore) {
  const [isRunning, setIsRunning] = useState(false);
  const editors = useGraphiQL(
    ({ queryEditor, variableEditor, headerEditor, operationName, overrideOperationName }) => ({
      queryEditor,
      variableEditor,
      headerEditor,
      operationName: overrideOperationName ?? operationName,
    }),
  );
  const ask = (query: string): Promise<Report> | Report => {
    const { operationName, variableEditor, headerEditor } = editors;
    try {
      const variables = parsed('Variables', variableEditor?.getValue());
      const headers = parsed('Headers', headerEditor?.getValue()) ?? {};
      const params = { query, ...(operationName !== undefined && { operationName }), variables };
      return dryRun(fetcher, params, headers);
    } catch (error) {
      return failureOf({ name: operationName, query, isDry: true }, error);
    }
  };
  const run = async () => {
    setIsRunning(true);
    costs.show(await ask(editors.queryEditor?.getValue() ?? ''));
    setIsRunning(false);
  };
  const isReady = [editors.queryEditor, editors.variableEditor, editors.headerEditor].every(Boolean);
  return { run, isReady, isRunning };
}

function parsed(what: string, text: string | undefined): Record<string, unknown> | undefined {
  try {
    return tryParseJSONC(text);
  } catch (error) {
    throw new Error(`${what} ${error instanceof Error ? error.message : String(error)}`);
  }
}

function nameOf({ name }: Report): string {
  return name ?? 'The query';
}

/** A gauge. */
function CostIcon() {
  return (
    <svg
      height="1em"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M4.5 19a10 10 0 1 1 15 0" />
      <path d="M12 12.5 16 8" />
      <circle cx="12" cy="12.5" r="1.5" />
      <path d="M8.5 19h7" />
    </svg>
  );
}
