// Reads a timeline page by page, posts, meets an error by its code, and waits for a new tweet. Prints a line of JSON for each.
import { randomUUID } from 'node:crypto';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { initGraphQLTada } from 'gql.tada';
import { createClient } from 'graphql-ws';
import type { introspection } from './graphql-env.d.ts';

const graphql = initGraphQLTada<{ introspection: introspection; scalars: { DateTime: string } }>();

const timeline = graphql(`
  query Timeline($first: Int!, $after: String) {
    viewer {
      timeline(first: $first, after: $after) {
        edges {
          cursor
          node {
            content
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

const post = graphql(`
  mutation Post($content: String!, $idempotencyKey: String!) {
    createTweet(input: { content: $content, idempotencyKey: $idempotencyKey }) {
      tweet {
        content
      }
    }
  }
`);

const like = graphql(`
  mutation Like($id: ID!) {
    likeTweet(id: $id) {
      tweet {
        likeCount
      }
    }
  }
`);

const newTweet = graphql(`
  subscription NewTweet($after: String) {
    timelineTweet(after: $after) {
      cursor
      node {
        content
      }
    }
  }
`);

const { API_URL: url = '', TOKEN: token = '' } = process.env;
const headers = { authorization: `Bearer ${token}` };
const sockets = createClient({ url: url.replace('http', 'ws'), connectionParams: headers });
const client = new Client({
  url,
  fetchOptions: { headers },
  preferGetMethod: false,
  exchanges: [
    fetchExchange,
    subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: (sink) => ({ unsubscribe: sockets.subscribe({ query, variables }, sink) }),
      }),
    }),
  ],
});

function tell(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}

async function readPage(after: string | null) {
  const { data, error } = await client.query(timeline, { first: 2, after });
  if (error) throw error;
  if (!data?.viewer?.timeline) throw new Error('The token must be of a user.');
  return data.viewer.timeline;
}

let page = await readPage(null);
const newest = page.edges[0]?.cursor;
const contents = page.edges.map(({ node }) => node.content);
while (page.pageInfo.hasNextPage) {
  page = await readPage(page.pageInfo.endCursor);
  contents.push(...page.edges.map(({ node }) => node.content));
}
tell({ timeline: contents });

const posted = await client.mutation(post, { content: 'Hello from urql', idempotencyKey: randomUUID() });
tell({ posted: posted.data?.createTweet?.tweet.content });

const liked = await client.mutation(like, { id: 'nothing' });
tell({ code: liked.error?.graphQLErrors[0]?.extensions['code'] });

tell({ listening: true });
const { unsubscribe } = client.subscription(newTweet, { after: newest }).subscribe(({ data, error }) => {
  if (error) throw error;
  tell({ event: data?.timelineTweet.node.content });
  unsubscribe();
  void sockets.dispose();
});
