import type { Feature } from '../feature';
import { LiveResolver } from './live.resolver';

/** Subscriptions. They read the tables of other features. */
export const liveFeature: Feature = { title: 'Subscriptions', tables: [], resolvers: [LiveResolver] };
