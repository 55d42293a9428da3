import { followFeature } from './follow/feature';
import { frequencyFeature } from './frequency/feature';
import { hashtagFeature } from './hashtag/feature';
import { likeFeature } from './like/feature';
import { liveFeature } from './live/feature';
import { mapFeature } from './map/feature';
import { newsFeature } from './news/feature';
import { rankingFeature } from './ranking/feature';
import { searchFeature } from './search/feature';
import { shareFeature } from './share/feature';
import { timelineFeature } from './timeline/feature';
import { tweetFeature } from './tweet/feature';
import { userFeature } from './user/feature';
import { viewerFeature } from './viewer/feature';
import type { Feature } from './feature';

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
