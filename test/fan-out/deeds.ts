import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { act, post } from '../support/mutations';
import { isShown, PEOPLE, type Deed, type Item, type Model } from './model';
import type { Stage } from './stages';

/** What a deed is to the model and to a server; null when there is nothing that it can be done to. */
export function deedIn(
  model: Model,
  { kind, who, to }: Deed,
): { readonly on: (stage: Stage) => Promise<unknown>; readonly change: () => void } | null {
  const other = (who + 1 + (to % (PEOPLE - 1))) % PEOPLE;
  const relation = `${who} ${other}`;
  const nth = (items: readonly Item[]) => (items.length === 0 ? null : (items[to % items.length] ?? null));
  const content = `${kind} ${model.items.length}`;
  const item = (original: Item | null) => ({
    author: who,
    content: original?.content ?? content,
    original,
    isDeleted: false,
  });
  const idOf = ({ ids }: Stage, { content: text }: Item) => ids.get(text) ?? '';
  const originals = model.items.filter((one) => isShown(one) && one.original === null);
  const target = nth(originals);
  switch (kind) {
    case 'follow':
    case 'unfollow':
      return {
        on: ({ server, userId }) =>
          act(server, userId(who), `${kind}User`, { id: encodeNodeId('User', userId(other)) }),
        change: () => (kind === 'follow' ? model.follows.add(relation) : model.follows.delete(relation)),
      };
    case 'tweet':
    case 'reply':
      if (kind === 'reply' && target === null) return null;
      return {
        async on(stage) {
          const inReplyTo = kind === 'reply' && target ? idOf(stage, target) : null;
          stage.ids.set(content, (await post(stage.server, stage.userId(who), { content, inReplyTo })).id);
        },
        change: () => model.items.push(item(null)),
      };
    case 'share':
    case 'unshare': {
      if (target === null) return null;
      const share = model.items.find((one) => isShown(one) && one.original === target && one.author === who);
      return {
        on: (stage) => act(stage.server, stage.userId(who), `${kind}Tweet`, { id: idOf(stage, target) }),
        change() {
          if (kind === 'share' && !share) model.items.push(item(target));
          if (kind === 'unshare' && share) share.isDeleted = true;
        },
      };
    }
    case 'delete': {
      const own = nth(originals.filter(({ author }) => author === who));
      if (own === null) return null;
      return {
        on: (stage) => act(stage.server, stage.userId(who), 'deleteTweet', { id: idOf(stage, own) }),
        change: () => (own.isDeleted = true),
      };
    }
  }
}
