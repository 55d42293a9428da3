import pino from 'pino';
import { taskHandlers } from '../app';
import type { Config } from '../config';
import type { Database } from '../kit/cassandra/database';
import { openWriteServices, type WriteServices } from '../write/write-services';

/** Runs work that acts as servers do, and waits until what it leaves to tasks is done. It takes no tasks of others, which might last for hours. */
export async function withWriteServices(
  database: Database,
  config: Config,
  work: (services: WriteServices) => Promise<unknown>,
): Promise<void> {
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const services = await openWriteServices(database, config, logger, { isAlone: true });
  try {
    services.outbox.start(taskHandlers(services));
    await work(services);
    await services.outbox.idle();
  } finally {
    await services.close();
  }
}
