import type { Settled } from './client';
import { must } from './violation';
import type { World } from './world';

/**
 * Whether an act on what another user has made was refused because of a block between the two. Throws a `Violation` if it was refused
 * so without a block, or done in spite of one.
 */
export function isBlocked(
  world: World,
  one: string,
  other: string,
  settled: Settled<unknown>,
): settled is Extract<Settled<unknown>, { kind: 'refusal' }> {
  const isRefused = settled.kind === 'refusal' && settled.code === 'FORBIDDEN';
  if (isRefused)
    must(
      'Only who is blocked may be refused',
      one !== other && world.mayBeBlocked(one, other, settled.from),
      settled,
    );
  // Of several attempts, the first may have been before the block.
  else if (settled.kind === 'answer' && settled.tried.length === 1)
    must('Nobody may act across a block', one === other || !world.isBlocked(one, other, settled.from), {
      ...{ one, other },
      settled,
    });
  return isRefused;
}
