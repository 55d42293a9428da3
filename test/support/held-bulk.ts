import type { WriteServices } from '../../src/write/write-services';

/** Writers that store nothing until they are released. */
interface HeldBulk extends Pick<WriteServices, 'bulk'> {
  /** Resolves when somebody takes a writer: all that is read before rows are stored was read. */
  readonly taken: Promise<null>;
  release(this: void): void;
}

/** Creates writers that wait until they are released. */
export function holdBulk({ bulk }: Pick<WriteServices, 'bulk'>): HeldBulk {
  const taken = Promise.withResolvers<null>();
  const released = Promise.withResolvers<null>();
  return {
    taken: taken.promise,
    release: () => {
      released.resolve(null);
    },
    bulk() {
      const writer = bulk();
      taken.resolve(null);
      return {
        ...writer,
        async flush() {
          await released.promise;
          await writer.flush();
        },
      };
    },
  };
}
