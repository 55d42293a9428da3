import { useMutation } from '@apollo/client/react';
import { useId, useRef, useState, type FormEvent } from 'react';
import { codeOf, describeError } from '../api/client';
import { graphql } from '../gql';
import type { PostMutation } from '../gql/graphql';

const POST = graphql(`
  mutation Post($content: String!, $inReplyTo: ID, $idempotencyKey: String!) {
    createTweet(input: { content: $content, inReplyTo: $inReplyTo, idempotencyKey: $idempotencyKey }) {
      tweet {
        id
        createdAt
        ...TweetCard
        inReplyTo {
          id
          replyCount
        }
      }
    }
  }
`);

/** The graphemes that a tweet may have. */
const MAX_GRAPHEMES = 500;
const segmenter = new Intl.Segmenter();

export type Posted = NonNullable<PostMutation['createTweet']>['tweet'];

interface ComposerProps {
  /** The id of the tweet that is replied to. */
  readonly inReplyTo?: string;
  readonly label: string;
  onPosted?(tweet: Posted): void;
}

/** Where somebody writes a tweet or a reply. */
export function Composer({ inReplyTo, label, onPosted }: ComposerProps) {
  const id = useId();
  const [content, setContent] = useState('');
  // One key for one draft: whatever is sent again, by a click or by the network, makes one tweet.
  const key = useRef(crypto.randomUUID());
  const [post, { loading, error }] = useMutation(POST);
  const left = MAX_GRAPHEMES - [...segmenter.segment(content)].length;

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const { data } = await post({
        variables: { content, inReplyTo: inReplyTo ?? null, idempotencyKey: key.current },
      });
      const tweet = data?.createTweet?.tweet;
      if (!tweet) return;
      key.current = crypto.randomUUID();
      setContent('');
      onPosted?.(tweet);
    } catch (failure) {
      // The key belongs to what was sent first. Other words are another tweet.
      if (codeOf(failure) === 'CONFLICT') key.current = crypto.randomUUID();
    }
  }

  return (
    <form className="composer" onSubmit={(event) => void send(event)}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        dir="auto"
        rows={content === '' ? 2 : 4}
        value={content}
        aria-describedby={`${id}-left`}
        onChange={(event) => setContent(event.target.value)}
      />
      <div className="composer-end">
        <span id={`${id}-left`} className={left < 0 ? 'left over' : 'left'}>
          {left} left
        </span>
        <button type="submit" disabled={loading || content.trim() === '' || left < 0}>
          {loading ? 'Posting…' : 'Post'}
        </button>
      </div>
      {error && (
        <p className="error" role="alert">
          {describeError(error)}
        </p>
      )}
    </form>
  );
}
