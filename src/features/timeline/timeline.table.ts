import { idOf, int, label, optional, timestamp } from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';

/** Whether the tweets of an author are pushed or pulled; see `Mode`. */
export const fanoutModes = table(
  'fanout_modes',
  {
    authorId: idOf('User'),
    mode: optional(label),
    version: optional(int),
    shedUntil: optional(timestamp),
    pulledAt: optional(timestamp),
  },
  {
    role: { kind: 'truth', why: 'it decides whose tweets are pushed' },
    writeLoad: {
      rows: { follow: 0.0001 },
      transactions: { follow: 0.0001 },
      bytes: 40,
      spread: { over: 'acts' },
    },
    partition: ['authorId'],
  },
);
