import { createCommand } from './commands/command';
import { readConfig } from './config';
import { fillWhenEmpty, forgetBegunFill } from './demo/fill';
import { isOneOfSeveral } from './kit/base/each-process';
import { runServer } from './kit/server/run-server';
import { openDatabase } from './open';
import { scheduleSealing } from './kit/postings/schedule-sealing';
import { scheduleDeletions } from './jobs/schedule-deletions';
import { scheduleRankings } from './jobs/rankings/schedule';
import { createLogger } from './kit/server/logger';
import { tweetIndexesIn } from './features/search/tweet-index';
import { createServer } from './server';
import { taskHandlers } from './app';
import { findWarnings } from './warnings';
import { loadDetector } from './features/tweet/language';
import { openWriteServices } from './write/write-services';

runServer(() => {
  const command = createCommand('npm start --')
    .description('Serves GraphQL, on an embedded Cassandra unless CASSANDRA_CONTACT_POINTS names a cluster.')
    .option('--empty', 'leave an empty embedded database empty, without the demo network')
    .parse();
  const { empty } = command.opts<{ empty?: true }>();
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  if (!isOneOfSeveral) for (const warning of findWarnings(config)) logger.warn(warning);
  return {
    config,
    logger,
    open: () => openDatabase(config, logger),
    async prepare({ embedded, database }) {
      if (!embedded) return;
      if (empty) return forgetBegunFill(database);
      await fillWhenEmpty(database, config, (line) => {
        logger.info(line);
      });
    },
    async serve(opened, onEnd) {
      const writeServices = await openWriteServices(opened.database, config, logger);
      onEnd(writeServices.close);
      writeServices.outbox.start(taskHandlers(writeServices));
      onEnd(scheduleRankings(opened.database, config.rankingsEveryMinutes, logger).stop);
      onEnd(scheduleDeletions(writeServices, logger).stop);
      onEnd(
        scheduleSealing(Object.values(tweetIndexesIn(opened.database)), config.sealAfterSeconds, logger).stop,
      );
      // Without this, the first tweet would wait for the detector.
      await loadDetector();
      return createServer(writeServices, config, logger, opened);
    },
  };
});
