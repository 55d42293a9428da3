import type { Cost } from '../../kit/cost/cost';
import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../../context';
import { badArgument } from '../../kit/base/errors';
import { CostExample, MaxItems, Reads } from '../../kit/cost/reads';
import { periodOf } from '../../kit/base/period';
import { DateTime } from '../../kit/input/date-time';
import { readFrequency } from './frequency';
import { FREQUENCY_READS, pointsIn, frequencyBase } from './frequency-reads';
import { Bounded } from '../../kit/input/input-bounds';
import { LANGUAGE_BOUNDS, languageNamed } from '../tweet/language';
import { tweetFrequency } from './frequency.table';
import { FrequencyPoint } from './frequency.type';
import { FrequencyUnit } from './unit';

/** How many tweets are posted over time. */
@Resolver()
export class FrequencyResolver {
  @CostExample('a day by minutes', { from: new Date('2026-10-30'), to: new Date('2026-10-31') })
  @MaxItems(pointsIn)
  @Reads(...FREQUENCY_READS)
  @Query(() => [FrequencyPoint], {
    description:
      'How many tweets were posted in each minute, hour or day of a period, by language or of all languages, zeros included; of more than 200 languages those with the fewest tweets in the period are left out. More than 10,000 points are `BAD_USER_INPUT`, which says which unit fits.',
  })
  tweetFrequency(
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period ends; this moment is not part of it.' })
    to: Date,
    @Arg('unit', () => FrequencyUnit, {
      defaultValue: FrequencyUnit.MINUTE,
      description: 'How long a range is.',
    })
    unit: FrequencyUnit,
    @Bounded(LANGUAGE_BOUNDS)
    @Arg('language', () => String, {
      nullable: true,
      description:
        'A BCP 47 tag, of which only the language counts, or `und` for unknown. When not given, every language with tweets in the period.',
    })
    language: string | null | undefined,
    @Arg('byLanguage', () => Boolean, {
      defaultValue: true,
      description:
        'Whether each language has points of its own; otherwise there is one point for each range, with `language` null. Makes no difference if `language` is given.',
    })
    byLanguage: boolean,
    @Ctx() { load, reserve }: Context,
  ) {
    const named = language == null ? null : languageNamed(language);
    if (named === undefined)
      throw badArgument(
        'language',
        `must be a BCP 47 tag of a language that IANA has registered, but got: ${JSON.stringify(language)}`,
      );
    const counted = named !== null ? { language: named } : byLanguage ? 'each' : 'all';
    const period = periodOf(from, to);
    const add = (more: Cost) => reserve({ field: 'Query.tweetFrequency', table: tweetFrequency.name }, more);
    return readFrequency(load, period, unit, counted, { from: frequencyBase(period, unit), add });
  }
}
