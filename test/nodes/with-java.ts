import { findJava } from '../../src/tools/embedded/java';

const lacksJava = 'instead' in findJava();

/** Tests that start nodes of their own. They are skipped without Java, where a container is the only Cassandra. */
export const describeWithJava = lacksJava ? describe.skip : describe;
export const testWithJava = lacksJava ? test.skip : test;
