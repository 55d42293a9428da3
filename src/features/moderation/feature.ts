import type { Feature } from '../feature';
import { moderationActs, suspensions } from './moderation.table';

/** Moderation: what operators do against abuse. */
export const moderationFeature: Feature = {
  title: 'Moderation',
  tables: [suspensions, moderationActs],
};
