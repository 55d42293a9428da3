import { follow } from './follow/feature';
import { frequency } from './frequency/feature';
import { hashtag } from './hashtag/feature';
import { like } from './like/feature';
import { live } from './live/feature';
import { map } from './map/feature';
import { news } from './news/feature';
import { ranking } from './ranking/feature';
import { search } from './search/feature';
import { share } from './share/feature';
import { timeline } from './timeline/feature';
import { tweet } from './tweet/feature';
import { user } from './user/feature';
import { viewer } from './viewer/feature';
import type { Feature } from './feature';

/** Every feature, in the order of the data model. */
export const features: readonly Feature[] = [
  user,
  viewer,
  follow,
  timeline,
  tweet,
  like,
  share,
  search,
  hashtag,
  ranking,
  frequency,
  map,
  news,
  live,
];
