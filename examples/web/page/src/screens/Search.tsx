import { useQuery } from '@apollo/client/react';
import { useDeferredValue, useEffect, useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { describeError } from '../api/client';
import { More, Waiting } from '../components/More';
import { Avatar, PersonName } from '../components/Person';
import { TweetCard } from '../components/TweetCard';
import { graphql } from '../gql';

const PEOPLE = graphql(`
  query FindPeople($text: String!) {
    searchUsers(text: $text, first: 6) {
      id
      ...Person
    }
  }
`);

const TWEETS = graphql(`
  query FindTweets($words: [String!]!, $after: String) {
    searchTweets(words: $words, order: NEWEST, first: 20, after: $after) {
      edges {
        cursor
        node {
          id
          ...TweetCard
        }
      }
      pageInfo {
        endCursor
        hasNextPage
      }
    }
  }
`);

const TRENDS = graphql(`
  query Trends {
    trendingHashtags(window: WEEK, first: 8) {
      count
      hashtag {
        name
      }
    }
  }
`);

const TYPING_PAUSE_MS = 150;

/** People as somebody types, and tweets with the words once they are sent. */
export function Search({ words = '' }: { readonly words?: string }) {
  const [text, setText] = useState(words);
  const [, navigate] = useLocation();
  useEffect(() => setText(words), [words]);
  return (
    <section aria-labelledby="search">
      <h1 id="search">Search</h1>
      <form
        role="search"
        className="search"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (text.trim() !== '') navigate(`/search/${encodeURIComponent(text.trim())}`);
        }}
      >
        <label htmlFor="words">People, words or hashtags</label>
        <input
          id="words"
          type="search"
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit">Search</button>
      </form>
      <People text={usePause(text.trim())} />
      {words === '' ? <Trends /> : <Tweets key={words} words={words} />}
    </section>
  );
}

/** A text once somebody pauses in typing it. */
function usePause(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return useDeferredValue(paused);
}

function People({ text }: { readonly text: string }) {
  // Those found before stay until the next ones are there.
  const { data, previousData } = useQuery(PEOPLE, { variables: { text }, skip: text === '' });
  const found = text === '' ? [] : ((data ?? previousData)?.searchUsers ?? []);
  return (
    <div aria-live="polite">
      {text !== '' && <h2>People</h2>}
      <ul className="people">
        {found.map((person) => (
          <li key={person.id}>
            <Avatar person={person} /> <PersonName person={person} />
          </li>
        ))}
      </ul>
      {text !== '' && data?.searchUsers.length === 0 && <p className="note">Nobody is called so.</p>}
    </div>
  );
}

function Tweets({ words }: { readonly words: string }) {
  const { data, loading, error, fetchMore } = useQuery(TWEETS, {
    variables: { words: [words] },
    notifyOnNetworkStatusChange: true,
  });
  const list = data?.searchTweets;
  return (
    <>
      <h2>Tweets</h2>
      {list ? (
        <>
          {list.edges.map(({ node }) => (
            <TweetCard key={node.id} tweet={node} />
          ))}
          <More
            hasMore={list.pageInfo.hasNextPage}
            isLoading={loading}
            load={() => void fetchMore({ variables: { after: list.pageInfo.endCursor } })}
          />
        </>
      ) : (
        <Waiting error={error && describeError(error)} />
      )}
    </>
  );
}

function Trends() {
  const { data } = useQuery(TRENDS);
  const trends = data?.trendingHashtags ?? [];
  if (trends.length === 0) return null;
  return (
    <>
      <h2>Trending this week</h2>
      <ul className="trends">
        {trends.map(({ count, hashtag: { name } }) => (
          <li key={name}>
            <Link href={`/search/${encodeURIComponent(`#${name}`)}`} dir="auto">
              #{name}
            </Link>{' '}
            <span className="note">
              {count.toLocaleString('en')} {count === 1 ? 'author' : 'authors'}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
