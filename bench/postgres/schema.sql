-- The same people, follows and tweets, as users of PostgreSQL and PostGraphile would store them.

CREATE TABLE users (
  id bigint PRIMARY KEY,
  username text NOT NULL,
  name text NOT NULL
);

CREATE TABLE follows (
  follower_id bigint NOT NULL,
  followee_id bigint NOT NULL,
  PRIMARY KEY (follower_id, followee_id)
);

CREATE TABLE tweets (
  id bigint PRIMARY KEY,
  author_id bigint NOT NULL REFERENCES users,
  content text NOT NULL,
  created_at timestamptz NOT NULL,
  language text NOT NULL,
  hashtags text[] NOT NULL,
  like_count int NOT NULL,
  location point
);
