import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { CostExample, MaxItems, Reads } from '../kit/cost/reads';
import { periodOf } from '../kit/base/period';
import { connect } from '../kit/relay/connection';
import { DateTime } from '../kit/relay/date-time';
import { ForwardArgs, pageOf } from '../kit/relay/page';
import { pointedTweets } from '../tweet/tweet-list';
import { TweetConnection } from '../tweet/tweet.type';
import { TWEETS_POINTED_TO } from '../tweet/tweet-reads';
import { areaList } from './area-list';
import { AREA_PAGE, CITY_IN_A_MONTH, HEATMAP } from './area-reads';
import { boxesOf } from './box';
import { MAX_CELLS } from './cells';
import { heatmapOf, MAX_COUNTED_ROWS, MAX_PARTITIONS, MAX_SHOWN_CELLS, precisionFor } from './heatmap';
import { AreaInput } from './map.input';
import { HeatmapCell } from './map.type';

/** Where tweets were posted. */
@Resolver()
export class MapResolver {
  @CostExample(...CITY_IN_A_MONTH)
  @Reads(...AREA_PAGE, ...TWEETS_POINTED_TO)
  @Query(() => TweetConnection, {
    description: `The tweets of an area and a period, newest first. The area is read from at most ${MAX_CELLS} cells of a grid, the finest that will do. A cell has a partition a month or, of areas that 64 cells of 0.35° × 0.7° do not cover, a day. A page that is short of tweets and yet has a next one has come to its bound on partitions.`,
  })
  tweetsInArea(
    @Arg('area', () => AreaInput) area: AreaInput,
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period has ended.' }) to: Date,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() { load }: Context,
  ) {
    const list = areaList(load, boxesOf(area), periodOf(from, to));
    const { shown, tweetOf } = pointedTweets(load);
    return connect(
      { ...list, shown },
      pageOf(list.name, args),
      (row, cursor) => ({ cursor, node: tweetOf(row) }),
      tweetOf,
    );
  }

  @CostExample(...CITY_IN_A_MONTH)
  @MaxItems(() => MAX_SHOWN_CELLS)
  @Reads(...HEATMAP)
  @Query(() => [HeatmapCell], {
    description: `How many tweets of an area and a period are in each geohash that has some. \`BAD_USER_INPUT\` where more than ${MAX_PARTITIONS} partitions or ${MAX_COUNTED_ROWS} tweets are to be looked at.`,
  })
  tweetHeatmap(
    @Arg('area', () => AreaInput) area: AreaInput,
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period has ended.' }) to: Date,
    @Arg('precision', () => Int, {
      nullable: true,
      description: 'How many characters a geohash has: 1 to 8; when not given, as many as fit the area.',
    })
    precision: number | null,
    @Ctx() { load }: Context,
  ) {
    const boxes = boxesOf(area);
    return heatmapOf(load, boxes, periodOf(from, to), precisionFor(boxes, precision ?? null));
  }
}
