// What relay-compiler reads. Nothing imports this file: main.ts imports what the compiler has made of it, as babel-plugin-relay would.
import { graphql } from 'relay-runtime';

void graphql`
  query documentsTimelineQuery($first: Int!) {
    viewer {
      ...documentsTimeline_user @arguments(first: $first)
    }
  }
`;

void graphql`
  fragment documentsTimeline_user on User
  @throwOnFieldError
  @refetchable(queryName: "documentsTimelinePageQuery")
  @argumentDefinitions(first: { type: "Int!" }, after: { type: "String" }) {
    timeline(first: $first, after: $after) @connection(key: "documentsTimeline_timeline") {
      edges {
        cursor
        node {
          content
        }
      }
    }
  }
`;

void graphql`
  mutation documentsPostMutation($content: String!, $idempotencyKey: String!) {
    createTweet(input: { content: $content, idempotencyKey: $idempotencyKey }) {
      tweet {
        content
      }
    }
  }
`;

void graphql`
  mutation documentsLikeMutation($id: ID!) {
    likeTweet(id: $id) {
      tweet {
        likeCount
      }
    }
  }
`;

void graphql`
  subscription documentsNewTweetSubscription($after: String) {
    timelineTweet(after: $after) {
      cursor
      node {
        content
      }
    }
  }
`;
