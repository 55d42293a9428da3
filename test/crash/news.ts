import { compareIds } from '../../src/kit/base/ids';
import { decodeNodeId } from '../../src/kit/graphql/global-id';
import type { Period } from './periods';

/** The part of a user that the user can change, and that articles and comments copy. */
export interface Profile {
  readonly name: string;
  readonly description: string | null;
}

/** An article, whose key is its global id. */
export interface Article {
  readonly id: string;
  readonly author: string;
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly publishedAt: string;
}

/** A comment on an article, which is given by its global id. */
export interface Comment {
  readonly id: string;
  readonly articleId: string;
  readonly author: string;
  readonly body: string;
  readonly createdAt: string;
}

/** What the API must answer about articles and comments, which go only with the accounts of their authors. All lists are newest first. */
export class News {
  /** The profiles of the actors, by username. */
  readonly profiles = new Map<string, Profile>();
  readonly articles = new Map<string, Article>();
  readonly comments = new Map<string, Comment>();

  /** Forgets a user with the articles and comments of the user, and the comments of others on these articles. */
  forget(username: string): void {
    this.profiles.delete(username);
    for (const [id, { author }] of this.articles) if (author === username) this.articles.delete(id);
    for (const [id, { author, articleId }] of this.comments)
      if (author === username || !this.articles.has(articleId)) this.comments.delete(id);
  }

  articlesOf(username: string): Article[] {
    return this.#articlesThat(({ author }) => author === username);
  }

  /** The articles of a UTC day such as `2026-10-31`. */
  articlesOfDay(day: string): Article[] {
    return this.#articlesThat(({ publishedAt }) => dayOf(publishedAt) === day);
  }

  commentsOn(article: Article): Comment[] {
    return this.#commentsThat(({ articleId }) => articleId === article.id);
  }

  authorCommentsOn(article: Article): Comment[] {
    return this.commentsOn(article).filter(({ author }) => author === article.author);
  }

  commentsWithin({ from, to }: Period): Comment[] {
    return this.#commentsThat(
      ({ createdAt }) => Date.parse(createdAt) >= Date.parse(from) && Date.parse(createdAt) < Date.parse(to),
    );
  }

  #articlesThat(fit: (article: Article) => boolean): Article[] {
    return newestFirst([...this.articles.values()].filter(fit), ({ publishedAt }) => publishedAt);
  }

  #commentsThat(fit: (comment: Comment) => boolean): Comment[] {
    return newestFirst([...this.comments.values()].filter(fit), ({ createdAt }) => createdAt);
  }
}

/** The UTC day of a moment. */
export function dayOf(moment: string): string {
  return new Date(moment).toISOString().slice(0, 10);
}

function newestFirst<T extends { readonly id: string }>(items: T[], timeOf: (item: T) => string): T[] {
  return items.sort(
    (a, b) =>
      Date.parse(timeOf(b)) - Date.parse(timeOf(a)) ||
      compareIds(decodeNodeId(b.id).id, decodeNodeId(a.id).id),
  );
}
