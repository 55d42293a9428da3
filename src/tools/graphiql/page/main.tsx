import './workers';
import { explorerPlugin } from '@graphiql/plugin-explorer';
import { createGraphiQLFetcher, StorageAPI } from '@graphiql/toolkit';
import { GraphiQL, HISTORY_PLUGIN } from 'graphiql';
import { createRoot } from 'react-dom/client';
import { explainingFetcher } from './cost/fetcher';
import { COST, costPlugin } from './cost/plugin';
import { createCostStore } from './cost/store';
import { givenHeaders, renewKeptTokens } from './headers';
import { givenPage } from './given-page';

const fetcher = createGraphiQLFetcher({
  url: '/graphql',
  // Subscriptions go over WebSocket, with the headers as the payload of `connection_init`.
  subscriptionUrl: `${window.location.origin.replace(/^http/, 'ws')}/graphql`,
});
const storage = new StorageAPI();
const costs = createCostStore(storage);
const plugins = [HISTORY_PLUGIN, explorerPlugin({ showAttribution: false }), costPlugin(fetcher, costs)];

const { title, tabs, emptyTab } = await givenPage();
document.title = title;
rememberFirstVisit();
const headers = await givenHeaders();
if (headers !== undefined) renewKeptTokens(headers);

createRoot(document.getElementById('graphiql')!).render(
  <GraphiQL
    fetcher={explainingFetcher(fetcher, costs)}
    plugins={plugins}
    defaultTabs={tabs}
    defaultQuery={emptyTab}
    defaultEditorToolsVisibility="variables"
    {...(headers !== undefined && { defaultHeaders: headers })}
    // Headers contain tokens, so they are stored only if the visitor has chosen that in the settings.
    shouldPersistHeaders={storage.get('shouldPersistHeaders') === 'true'}
    showPersistHeadersSettings
    schemaDescription
    inputValueDeprecation
  >
    <GraphiQL.Logo>
      <span className="title">{title}</span>
    </GraphiQL.Logo>
  </GraphiQL>,
);

/**
 * On the first visit GraphiQL shows the query of the first default tab but not its variables, which it only takes from
 * storage, under these names, as it does the panel that is open. Later visits find there what the visitor left.
 */
function rememberFirstVisit(): void {
  if (storage.get('tabState') !== null) return;
  storage.set('visiblePlugin', COST);
  const [first] = tabs;
  if (first === undefined) return;
  storage.set('query', first.query);
  storage.set('variables', first.variables);
}
