import type { ComplexityEstimator } from 'graphql-query-complexity';
import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { badInput } from '../kit/errors';
import { Bounded } from '../kit/graphql/input-bounds';
import { Reads } from '../kit/model/reads';
import { periodOf } from '../kit/period';
import { DateTime } from '../kit/relay/date-time';
import { LANGUAGE_BOUNDS, languageNamed } from '../tweet/language';
import { frequencyOf, MOST_POINTS } from './frequency';
import { tweetFrequency, tweetsByMinute } from './frequency.table';
import { FrequencyPoint } from './frequency.type';
import { FrequencyUnit, lengths } from './unit';

/** As many points as there are ranges: in how many languages is not known before. */
const PER_POINT: ComplexityEstimator = ({ args, childComplexity }) => {
  const { from, to, unit = FrequencyUnit.MINUTE } = args as { from: Date; to: Date; unit?: FrequencyUnit };
  const ranges = Math.ceil((Number(to) - Number(from)) / lengths[unit]);
  return Math.min(Math.max(ranges || 0, 0), MOST_POINTS) * (1 + childComplexity);
};

/** How often people tweet. */
@Resolver()
export class FrequencyResolver {
  @Reads(tweetFrequency, tweetsByMinute)
  @Query(() => [FrequencyPoint], {
    complexity: PER_POINT,
    description:
      'How many tweets were posted in each minute, hour or day of a period, by language and by their own time, ranges without any included; at most 10,000 points. Costs a partition of `tweet_frequency` for each day of minutes, month of hours or year of days; where the period begins or ends within a range, up to three more at that edge, and one of `tweets_by_minute`.',
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
