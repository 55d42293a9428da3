import type { Client } from './client';
import { createTweet, deleteTweet, reactionOperation } from './operations';
import { must } from './violation';
import type { World } from './world';

/** How many deleted tweets are probed. */
const MAX_PROBED = 3;

/** Checks, when everything has settled, that deleted tweets cannot be liked, shared or replied to, and can be deleted again. */
export async function probeWhatIsGone(world: World, callers: ReadonlyMap<string, Client>): Promise<void> {
  const gone = [...world.ever.values()].filter(
    (target) => target.sharer === null && !world.isThere(target) && !world.left.has(target.original.author),
  );
  const [[, other] = []] = [...callers].filter(([username]) => !world.left.has(username));
  for (const { id, original } of gone.slice(-MAX_PROBED)) {
    const author = callers.get(original.author);
    if (author === undefined || other === undefined) continue;
    const answers = [
      await other.settle(reactionOperation('likeTweet'), { id }),
      await other.settle(reactionOperation('shareTweet'), { id }),
      await other.settle(createTweet, {
        input: { content: 'Too late', inReplyTo: id, idempotencyKey: `late ${id}` },
      }),
    ];
    for (const answer of answers) {
      const isRight =
        answer.kind === 'refusal' && (answer.code === 'NOT_FOUND' || answer.code === 'BAD_USER_INPUT');
      must('A deleted tweet must not be found by mutations', isRight, { id, answer });
    }
    const again = await author.ask(deleteTweet, { id });
    must('Deleting a tweet again must succeed', again === id, { id, again });
  }
}
