import { followWrites } from './write/follow/write-feature';
import { likeWrites } from './write/like/write-feature';
import { newsWrites } from './write/news/write-feature';
import { shareWrites } from './write/share/write-feature';
import { timelineWrites } from './write/timeline/write-feature';
import { tweetWrites } from './write/tweet/write-feature';
import { userWrites } from './write/user/write-feature';
import type { WriteFeature } from './write/write-feature';

/** The write half of every feature. */
export const writeFeatures: readonly WriteFeature[] = [
  userWrites,
  followWrites,
  tweetWrites,
  timelineWrites,
  likeWrites,
  shareWrites,
  newsWrites,
];
