/** How many people a story has. */
export const PEOPLE = 5;

/** All of them, by number. */
export const everyone = Array.from({ length: PEOPLE }, (_, n) => n);

/** Something that somebody does; what it is done to is the nth of what is there. */
export interface Deed {
  readonly kind: 'follow' | 'unfollow' | 'tweet' | 'reply' | 'share' | 'unshare' | 'delete';
  readonly who: number;
  readonly to: number;
}

/** A tweet, reply or share as everybody should see it. */
export interface Item {
  readonly author: number;
  readonly content: string;
  readonly original: Item | null;
  isDeleted: boolean;
}

/** What the acts mean: everything that is shown is computed from this. */
export interface Model {
  readonly follows: Set<string>;
  readonly items: Item[];
}

/** Whether neither an item nor what it shares is deleted. */
export const isShown = ({ isDeleted, original }: Item) => !isDeleted && original?.isDeleted !== true;
const shown = ({ items }: Model, isWanted: (item: Item) => boolean) =>
  items
    .filter((item) => isShown(item) && isWanted(item))
    .map(({ author, content }) => `${author} ${content}`)
    .reverse();

/** What a reader's timeline shows, newest first. */
export const timelineIn = (model: Model, reader: number) =>
  shown(model, ({ author }) => model.follows.has(`${reader} ${author}`));

/** What an author's list of tweets shows, newest first. */
export const tweetsIn = (model: Model, author: number) => shown(model, (item) => item.author === author);
