import type { Place } from './entry';

/** Sorts places, and yields them in groups of the size of a segment. Holds 16 bytes of memory for each. */
export async function* groupsInOrder(
  places: AsyncIterable<Place>,
  groupEntries: number,
): AsyncIterable<Place[]> {
  const ids = new Map<number, { values: BigInt64Array; length: number }>();
  for await (const { rank, id } of places) {
    const ofRank = ids.get(rank) ?? { values: new BigInt64Array(1024), length: 0 };
    ids.set(rank, ofRank);
    if (ofRank.length === ofRank.values.length) {
      const larger = new BigInt64Array(2 * ofRank.length);
      larger.set(ofRank.values);
      ofRank.values = larger;
    }
    ofRank.values[ofRank.length++] = BigInt(id);
  }
  let group: Place[] = [];
  for (const [rank, { values, length }] of [...ids].sort(([a], [b]) => b - a))
    for (const id of values.subarray(0, length).sort().reverse()) {
      group.push({ rank, id: String(id) });
      if (group.length < groupEntries) continue;
      yield group;
      group = [];
    }
  if (group.length > 0) yield group;
}
