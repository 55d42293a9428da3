import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../context';
import { CostExample, MaxItems, Reads } from '../../kit/cost/reads';
import { periodOf } from '../../kit/base/period';
import { connectItems, showItems } from '../../kit/lists/list';
import { DateTime } from '../../kit/input/date-time';
import { ForwardArgs } from '../../kit/input/page-args';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { tweet, TweetConnection } from '../tweet/tweet.node';
import { TWEETS_POINTED_TO } from '../tweet/tweet-reads';
import { areaList } from './area-list';
import { AREA_PAGE, areaPages, CITY_IN_A_MONTH, HEATMAP, loadOfHeatmap } from './area-reads';
import { splitIntoBoxes } from './box';
import { readHeatmap, MAX_COUNTED_ROWS, MAX_SHOWN_CELLS, precisionFor } from './heatmap';
import { AreaInput, HeatmapCell } from './map.type';

/** Tweets by where they were posted. */
@Resolver()
export class MapResolver {
  @CostExample(...CITY_IN_A_MONTH)
  @Reads(...AREA_PAGE, ...TWEETS_POINTED_TO, ...SIGHT_READS)
  @Query(() => TweetConnection, {
    description:
      'The tweets of an area and a period, newest first. A page may be short or empty and yet have a next one.',
  })
  tweetsInArea(
    @Arg('area', () => AreaInput) area: AreaInput,
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period ends; this moment is not part of it.' })
    to: Date,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() context: Context,
  ) {
    const pages = areaPages(context, { area, from, to });
    const list = areaList(context.load, splitIntoBoxes(area), periodOf(from, to), pages);
    return connectItems(showItems(context, list, tweet, 'tweetId', 'SEARCH'), args);
  }

  @CostExample(...CITY_IN_A_MONTH)
  @MaxItems(() => MAX_SHOWN_CELLS)
  @Reads(...HEATMAP)
  @Query(() => [HeatmapCell], {
    description: `How many tweets of an area and a period are in each geohash, also those that are hidden from the caller; geohashes without tweets are left out. Fails with \`BAD_USER_INPUT\` for an area and a period with too many tweets to count, about ${MAX_COUNTED_ROWS.toLocaleString('en')}.`,
  })
  tweetHeatmap(
    @Arg('area', () => AreaInput) area: AreaInput,
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period ends; this moment is not part of it.' })
    to: Date,
    @Arg('precision', () => Int, {
      nullable: true,
      description:
        'How many characters a geohash has: 1 to 8. When not given, it depends on the size of the area.',
    })
    precision: number | null,
    @Ctx() context: Context,
  ) {
    const boxes = splitIntoBoxes(area);
    const shown = precisionFor(boxes, precision ?? null);
    return readHeatmap(loadOfHeatmap(context, { area, from, to }), boxes, periodOf(from, to), shown);
  }
}
