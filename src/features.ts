import { followFeature } from './features/follow/feature';
import { frequencyFeature } from './features/frequency/feature';
import { hashtagFeature } from './features/hashtag/feature';
import { likeFeature } from './features/like/feature';
import { liveFeature } from './features/live/feature';
import { mapFeature } from './features/map/feature';
import { newsFeature } from './features/news/feature';
import { rankingFeature } from './features/ranking/feature';
import { searchFeature } from './features/search/feature';
import { shareFeature } from './features/share/feature';
import { timelineFeature } from './features/timeline/feature';
import { tweetFeature } from './features/tweet/feature';
import { userFeature } from './features/user/feature';
import { viewerFeature } from './features/viewer/feature';
import type { Feature } from './features/feature';

/** Every feature, in the order of the data model. */
export const features: readonly Feature[] = [
  userFeature,
  viewerFeature,
  followFeature,
  timelineFeature,
  tweetFeature,
  likeFeature,
  shareFeature,
  searchFeature,
  hashtagFeature,
  rankingFeature,
  frequencyFeature,
  mapFeature,
  newsFeature,
  liveFeature,
];
