import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef } from 'react';
import { useCosts, type Costs } from '../api/costs';

/** What each operation of this screen has read, table by table, of what it may read. */
export function CostPanel({ costs }: { readonly costs: Costs }) {
  const client = useApolloClient();
  const operations = useCosts(costs);
  const panel = useRef<HTMLElement>(null);
  // On a narrow screen it stands below the list.
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), []);
  // Those that ran before the panel was opened say nothing, so they run again.
  useEffect(() => {
    const ask = () => void client.refetchQueries({ include: 'active' });
    costs.onMissed = ask;
    ask();
    return () => {
      costs.onMissed = () => undefined;
    };
  }, [client, costs]);
  return (
    <aside ref={panel} className="costs" aria-label="What it read">
      <h2>What it read</h2>
      {operations.length === 0 && <p className="note">Nothing yet.</p>}
      {operations.map(({ operation, bound, tables }) => (
        <table key={operation}>
          <caption>
            {operation}: {tables.reduce((sum, { partitions }) => sum + partitions, 0)} of at most {bound}{' '}
            partitions
          </caption>
          <thead>
            <tr>
              <th scope="col">Table</th>
              <th scope="col">Requests</th>
              <th scope="col">Partitions</th>
              <th scope="col">Rows</th>
            </tr>
          </thead>
          <tbody>
            {tables.map(({ table, requests, partitions, rows }) => (
              <tr key={table}>
                <th scope="row">{table}</th>
                <td>{requests}</td>
                <td>{partitions}</td>
                <td>{rows}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </aside>
  );
}
