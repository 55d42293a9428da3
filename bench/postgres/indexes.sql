-- Created after the rows are loaded, which is faster.

CREATE INDEX ON follows (followee_id);
ALTER TABLE follows ADD FOREIGN KEY (follower_id) REFERENCES users, ADD FOREIGN KEY (followee_id) REFERENCES users;
CREATE INDEX ON tweets (author_id, id);
CREATE INDEX ON tweets (created_at);
CREATE INDEX ON tweets USING brin (created_at);
CREATE INDEX ON tweets USING gin (to_tsvector('simple', content));
CREATE INDEX ON tweets USING gin (hashtags);
CREATE INDEX ON tweets USING gist (location);

CREATE FUNCTION search_newest(words text) RETURNS SETOF tweets LANGUAGE sql STABLE AS $$
  SELECT * FROM tweets
  WHERE to_tsvector('simple', content) @@ plainto_tsquery('simple', words)
  ORDER BY id DESC
$$;

CREATE FUNCTION search_most_liked(words text) RETURNS SETOF tweets LANGUAGE sql STABLE AS $$
  SELECT * FROM tweets
  WHERE to_tsvector('simple', content) @@ plainto_tsquery('simple', words)
  ORDER BY like_count DESC, id DESC
$$;

CREATE FUNCTION tweets_of_hashtag(name text) RETURNS SETOF tweets LANGUAGE sql STABLE AS $$
  SELECT * FROM tweets WHERE hashtags @> ARRAY[name] ORDER BY id DESC
$$;

CREATE FUNCTION most_liked_of_hashtag(name text) RETURNS SETOF tweets LANGUAGE sql STABLE AS $$
  SELECT * FROM tweets WHERE hashtags @> ARRAY[name] ORDER BY like_count DESC, id DESC
$$;

CREATE FUNCTION tweets_in_area(
  south float8, west float8, north float8, east float8, from_time timestamptz, to_time timestamptz
) RETURNS SETOF tweets LANGUAGE sql STABLE AS $$
  SELECT * FROM tweets
  WHERE location <@ box(point(west, south), point(east, north)) AND created_at >= from_time AND created_at < to_time
  ORDER BY created_at DESC, id DESC
$$;

CREATE FUNCTION home_timeline(reader bigint) RETURNS SETOF tweets LANGUAGE sql STABLE AS $$
  SELECT newest.* FROM follows
  CROSS JOIN LATERAL (
    SELECT * FROM tweets WHERE author_id = follows.followee_id ORDER BY id DESC LIMIT 25
  ) newest
  WHERE follower_id = reader
  ORDER BY id DESC LIMIT 25
$$;

CREATE TYPE ranked_account AS (score bigint, id bigint, username text, name text);

CREATE FUNCTION top_accounts() RETURNS SETOF ranked_account LANGUAGE sql STABLE AS $$
  SELECT score, id, username, name FROM users
  JOIN (SELECT followee_id, count(*) AS score FROM follows GROUP BY followee_id) counted ON followee_id = id
  ORDER BY score DESC, username LIMIT 100
$$;

-- Beside the current count, a view that is refreshed every hour, like the rankings of our server.
CREATE MATERIALIZED VIEW kept_top_accounts AS SELECT * FROM top_accounts();
CREATE FUNCTION kept_accounts() RETURNS SETOF ranked_account LANGUAGE sql STABLE AS $$
  SELECT score, id, username, name FROM kept_top_accounts ORDER BY score DESC, username
$$;

CREATE TYPE frequency_point AS (at timestamptz, language text, count bigint);

CREATE FUNCTION tweet_frequency(from_time timestamptz, to_time timestamptz)
RETURNS SETOF frequency_point LANGUAGE sql STABLE AS $$
  SELECT date_trunc('hour', created_at), language, count(*) FROM tweets
  WHERE created_at >= from_time AND created_at < to_time
  GROUP BY 1, 2 ORDER BY 1, 2
$$;

CREATE TYPE trending_hashtag AS (name text, count bigint);

CREATE FUNCTION trending_hashtags(since timestamptz) RETURNS SETOF trending_hashtag LANGUAGE sql STABLE AS $$
  SELECT name, count(DISTINCT author_id) FROM tweets CROSS JOIN LATERAL unnest(hashtags) AS name
  WHERE created_at >= since
  GROUP BY name ORDER BY 2 DESC, name LIMIT 10
$$;

CREATE TYPE heatmap_cell AS (latitude float8, longitude float8, count bigint);

-- Cells of 0.044 degrees, the size of geohashes of five characters.
CREATE FUNCTION tweet_heatmap(
  south float8, west float8, north float8, east float8, from_time timestamptz, to_time timestamptz
) RETURNS SETOF heatmap_cell LANGUAGE sql STABLE AS $$
  SELECT floor(location[1] * 4096 / 180) * 180 / 4096, floor(location[0] * 8192 / 360) * 360 / 8192, count(*)
  FROM tweets
  WHERE location <@ box(point(west, south), point(east, north)) AND created_at >= from_time AND created_at < to_time
  GROUP BY 1, 2
$$;
