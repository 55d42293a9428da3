import editorWorker from 'monaco-editor/esm/vs/editor/editor.worker.js?worker&url';
import jsonWorker from 'monaco-editor/esm/vs/language/json/json.worker.js?worker&url';
import graphqlWorker from 'monaco-graphql/esm/graphql.worker.js?worker&url';

const workers: Record<string, string> = { json: jsonWorker, graphql: graphqlWorker };

/** Without its workers Monaco parses on the main thread, logs errors and has no completion. */
window.MonacoEnvironment = {
  getWorker: (_moduleId, label) => new Worker(workers[label] ?? editorWorker, { name: label }),
};
