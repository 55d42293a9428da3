import { createHash } from 'node:crypto';
import { decodeCursor, encodeCursor } from '../../src/kit/lists/cursor';

/** A cursor as a client could make it up: its checksum is no secret. */
function made(list: string, ...words: readonly string[]): string {
  const body = words.join(' ');
  const checksum = createHash('sha256').update(`${list}\0${body}`).digest('base64url').slice(0, 8);
  return Buffer.from(`${body} ${checksum}`).toString('base64url');
}

test('a made up cursor is taken if its values can be those of a row', () => {
  const position = { bucket: 3, key: [new Date(5), '7'] };
  expect(made('rooms', '1', '3', 't5', '7')).toBe(encodeCursor('rooms', position));
  expect(decodeCursor('rooms', made('rooms', '1', '3', 't5', '7'))).toEqual(position);
});

test('a cursor with a number of milliseconds that is no moment is refused', () => {
  for (const sign of ['', '-'])
    expect(() => decodeCursor('rooms', made('rooms', '1', '3', `t${sign}8640000000000001`, '7'))).toThrow(
      'A cursor must be one that this list returned',
    );
});
