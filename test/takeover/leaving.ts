import pino from 'pino';
import { openWriteServices, type WriteServices } from '../../src/write/write-services';
import { follow, type Harness, person, startHarness, tweet } from '../support/harness';

/** The server that takes over what others leave, with five people, two of whom follow the first. */
export let server: Harness;

beforeAll(async () => {
  server = await startHarness();
  await server.store([
    ...['1', '2', '3', '4', '5'].map((id) => person(id, `user${id}`)),
    follow('2', '1'),
    follow('3', '1'),
    tweet('100', '1', 1),
  ]);
});

afterAll(() => server.close());

/** Lets a server begin something and then end: it finishes no work after the answers of its mutations. */
export async function leave<T>(begin: (writeServices: WriteServices) => Promise<T>): Promise<T> {
  const writeServices = await openWriteServices(server.database, server.config, pino({ level: 'silent' }));
  try {
    return await begin(writeServices);
  } finally {
    await writeServices.close();
  }
}

/** Writes down what a server is about to do. */
export async function intend(
  { database, outbox }: WriteServices,
  kind: string,
  payload: Readonly<Record<string, string>>,
): Promise<void> {
  const { write } = await outbox.prepareTask(kind, payload);
  await database.write(write.query, write.params);
}
