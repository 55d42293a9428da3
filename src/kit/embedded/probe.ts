import { connect } from 'node:net';

/**
 * Whether a Cassandra answers at this address: the OPTIONS request of the CQL binary protocol, v4, section 4.1.3,
 * which needs no login. Bounded by a timeout in milliseconds, as a node in distress accepts and then says nothing.
 */
export function answersCql(host: string, port: number, timeout = 2_000): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const timer = setTimeout(() => {
      end(false);
    }, timeout);
    socket.once('error', () => {
      end(false);
    });
    socket.once('close', () => {
      end(false);
    });
    socket.once('connect', () => socket.write(Uint8Array.of(0x04, 0, 0, 0, 0x05, 0, 0, 0, 0)));
    // A response of version 4 whose opcode is SUPPORTED; its five first bytes come in one piece.
    socket.once('data', (data) => {
      end(data[0] === 0x84 && data[4] === 0x06);
    });

    function end(answer: boolean): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    }
  });
}
