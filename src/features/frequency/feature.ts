import type { Feature } from '../feature';
import { tweetFrequency, tweetsByMinute } from './frequency.table';
import { FrequencyResolver } from './frequency.resolver';

/** Frequency: tables, resolvers. */
export const frequencyFeature: Feature = {
  title: 'Frequency',
  tables: [tweetFrequency, tweetsByMinute],
  resolvers: [FrequencyResolver],
};
