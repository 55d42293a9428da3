import { encodeNodeId } from '../src/kit/graphql/global-id';
import { withActors, type Actors } from './actors';
import { drive, lineOf, type Ask, type Driven } from './drive';
import { say, type Section } from './measure';
import { draft, remark } from './news/raw-writes';
import { headersOfUsers, withDatabase, type Headers, type Stage } from './stage';

const ROUNDS = 3;
const SECONDS = 4;

/** A mutation of a user; a comment needs an article. */
interface Act {
  readonly what: string;
  readonly by: keyof Actors;
  ask(this: void, userId: string, articleId: string, headers: Headers): Ask;
}

const publishing =
  'mutation ($input: PublishArticleInput!) { publishArticle(input: $input) { article { id } } }';
const commenting = 'mutation ($input: AddCommentInput!) { addComment(input: $input) { comment { id } } }';

const acts: readonly Act[] = [
  {
    what: 'ours: publishArticle',
    by: 'ours',
    ask: (_userId, _articleId, headers) => ourAsk(publishing, draft, headers),
  },
  {
    what: 'raw: publishArticle',
    by: 'raw',
    ask: (userId) => ({ kind: 'act', path: `/publish/${userId}` }),
  },
  {
    what: 'ours: addComment',
    by: 'ours',
    ask: (_userId, articleId, headers) =>
      ourAsk(commenting, { articleId: encodeNodeId('Article', articleId), body: remark }, headers),
  },
  {
    what: 'raw (can lose counts): addComment',
    by: 'raw',
    ask: (userId, articleId) => ({ kind: 'act', path: `/comment/${articleId}/${userId}` }),
  },
];

/** Compares publishing articles by many users, and comments by many users on many articles. */
export async function compareNews(stage: Stage): Promise<Section> {
  const { contactPoint, brief } = stage;
  const { keyspace, readers, articles } = await stage.filled();
  const taken = new Map(acts.map((act) => [act, [] as Driven[]]));
  await withDatabase(contactPoint, keyspace, (database) =>
    withActors(stage, keyspace, async (actors) => {
      const headers = [...(await headersOfUsers(database, readers))];
      const rounds = brief ? 1 : ROUNDS;
      for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
        say(
          roundNumber === 0
            ? 'Warming up articles and comments'
            : `Articles and comments, round ${roundNumber} of ${rounds}`,
        );
        for (const [act, loads] of taken) {
          let n = 0;
          const next = () => {
            const [userId = '', own = {}] = headers[n % headers.length] ?? [];
            return act.ask(userId, articles[n++ % articles.length] ?? '', own);
          };
          const load = await drive(actors[act.by], brief || roundNumber === 0 ? 1 : SECONDS, next);
          if (roundNumber > 0) loads.push(load);
        }
      }
    }),
  );
  const lines = [...taken].map(([{ what }, loads]) => ({ what, ...lineOf(loads) }));
  return { title: 'publishArticle and addComment, 32 connections', lines };
}

function ourAsk(source: string, input: object, headers: Headers): Ask {
  const body = JSON.stringify({ query: source, variables: { input } });
  return { kind: 'act', path: '/graphql', headers, body };
}
