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

/** How often people tweet. */
@Resolver()
export class FrequencyResolver {
  @CostExample('a day by minutes', { from: new Date('2026-10-30'), to: new Date('2026-10-31') })
  @MaxItems(rangesIn)
  @Reads(...FREQUENCY_READS)
  @Query(() => [FrequencyPoint], {
    description:
      'How many tweets were posted in each minute, hour or day of a period, by language and by their own time, ranges without any included; at most 10,000 points. A partition holds a day of minutes, a month of hours or a year of days; where the period begins or ends within a range, smaller ranges are read there.',
  })
  tweetFrequency(
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period has ended.' }) to: Date,
    @Arg('unit', () => FrequencyUnit, {
      defaultValue: FrequencyUnit.MINUTE,
      description: 'How long a range is.',
    })
    unit: FrequencyUnit,
    @Bounded(LANGUAGE_BOUNDS)
    @Arg('language', () => String, {
      nullable: true,
      description: 'A BCP 47 tag, or `und`; each that was seen when not given.',
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
