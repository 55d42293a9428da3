import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { badInput } from '../kit/base/errors';
import { CostExample, MaxItems, Reads } from '../kit/cost/reads';
import { periodOf } from '../kit/base/period';
import { DateTime } from '../kit/relay/date-time';
import { frequencyOf } from './frequency';
import { FREQUENCY_READS, rangesIn } from './frequency-reads';
import { Bounded } from '../kit/input/input-bounds';
import { LANGUAGE_BOUNDS, languageNamed } from '../tweet/language';
import { FrequencyPoint } from './frequency.type';
import { FrequencyUnit } from './unit';

/** How many tweets are posted over time. */
@Resolver()
export class FrequencyResolver {
  @CostExample('a day by minutes', { from: new Date('2026-10-30'), to: new Date('2026-10-31') })
  @MaxItems(rangesIn)
  @Reads(...FREQUENCY_READS)
  @Query(() => [FrequencyPoint], {
    description:
      'How many tweets were posted in each minute, hour or day of a period, by language. Ranges without tweets are included; at most 10,000 points. A partition has the minutes of a day, the hours of a month or the days of a year. If the period begins or ends within a range, smaller ranges are read there.',
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
        'A BCP 47 tag, or `und` for unknown. When not given, every language with tweets in the period.',
    })
    language: string | null | undefined,
    @Ctx() { load }: Context,
  ) {
    const named = language == null ? null : languageNamed(language);
    if (named === undefined)
      throw badInput(`language must be a BCP 47 tag, but got: ${JSON.stringify(language)}`);
    return frequencyOf(load, periodOf(from, to), unit, named);
  }
}
