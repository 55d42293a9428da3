import { ask } from '../support/mutations';
import { everyone, PEOPLE, timelineIn, tweetsIn, type Deed, type Model } from './model';
import { walk, type Stage } from './stages';

/** What must be so at the next read, whatever is still under way. */
export async function checkAtOnce(stage: Stage, model: Model, { kind, who, to }: Deed): Promise<void> {
  expect(await walk(stage, 'tweets', who, 'first', 4)).toEqual(tweetsIn(model, who));
  const other = (who + 1 + (to % (PEOPLE - 1))) % PEOPLE;
  const timelines = await Promise.all(
    everyone.map(async (reader) => ({ reader, now: await walk(stage, 'timeline', reader, 'first', 100) })),
  );
  for (const { reader, now } of timelines) {
    const due = timelineIn(model, reader);
    // A tweet may still be on its way; what is deleted or of somebody not followed never is.
    const extra = now.filter((text) => !due.includes(text));
    expect({ limit: stage.limit, kind, who, other, reader, extra }).toEqual({
      limit: stage.limit,
      kind,
      who,
      other,
      reader,
      extra: [],
    });
    const ofFollowed = (text: string) => text.startsWith(`${other} `);
    if (kind === 'follow' && reader === who) expect(now.filter(ofFollowed)).toEqual(due.filter(ofFollowed));
  }
}

/** What must be so when no server has anything left to do. */
export async function checkAll(stages: readonly Stage[], model: Model, size: number): Promise<void> {
  for (const stage of stages) {
    for (const n of everyone) {
      const due = timelineIn(model, n);
      expect(await walk(stage, 'timeline', n, 'first', size)).toEqual(due);
      expect(await walk(stage, 'timeline', n, 'last', size)).toEqual(due);
    }
    const counts = 'tweetCount followerCount followingCount';
    const asked = everyone.map((n) => `u${n}: user(username: "${stage.username(n)}") { ${counts} }`);
    const related = (isOne: (from: number, to: number) => boolean) =>
      [...model.follows].filter((pair) => {
        const [from = '', to = ''] = pair.split(' ');
        return isOne(Number(from), Number(to));
      }).length;
    expect(await ask(stage.server, `{ ${asked.join(' ')} }`)).toEqual(
      Object.fromEntries(
        everyone.map((n) => [
          `u${n}`,
          {
            tweetCount: tweetsIn(model, n).length,
            followerCount: related((_, to) => to === n),
            followingCount: related((from) => from === n),
          },
        ]),
      ),
    );
  }
}
