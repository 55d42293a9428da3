import { setTimeout as sleep } from 'node:timers/promises';

const IMAGE = 'nats:2';
const CLIENT_PORT = 4222;

/** A container of a NATS server, at one port of this machine. */
export interface NatsContainer {
  /** Kills the server; its container keeps the data. */
  kill(): Promise<void>;
  /** Starts a killed server again, in its container. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Starts a NATS server in a container that has the given port of this machine, also after it was started again. Clients need the
 * user `user`, with the same password. The library is slow to load, so it is only loaded here.
 */
export async function startNatsContainer(
  port: number,
  user: string,
  withJetStream: boolean,
): Promise<NatsContainer> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const { NatsContainer } = await import('@testcontainers/nats');
  const description = new NatsContainer(IMAGE)
    .withUsername(user)
    .withPass(user)
    .withExposedPorts({ container: CLIENT_PORT, host: port });
  const started = await (withJetStream ? description.withJetStream() : description).start();
  // The library can only ask a container to stop.
  const container = (await getContainerRuntimeClient()).container.getById(started.getId());
  return {
    kill: async () => {
      await container.kill();
      while ((await container.inspect()).State.Running) await sleep(20);
    },
    start: async () => {
      await container.start();
    },
    remove: async () => {
      await started.stop({ timeout: 0 });
    },
  };
}
