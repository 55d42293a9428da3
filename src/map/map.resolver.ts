import { Arg, Args, Ctx, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { Reads } from '../kit/model/reads';
import { periodOf } from '../kit/period';
import { buckets } from '../kit/relay/buckets';
import { connect } from '../kit/relay/connection';
import { DateTime } from '../kit/relay/date-time';
import { ForwardArgs, pageOf } from '../kit/relay/page';
import { pointedTweets } from '../tweet/tweet-list';
import { deletedTweets, tweets } from '../tweet/tweet.table';
import { TweetConnection } from '../tweet/tweet.type';
import { areaList } from './area-list';
import { boxesOf } from './box';
import { MOST_CELLS } from './cells';
import { heatmapOf, MOST_CELLS_SHOWN, MOST_COUNTED, MOST_PARTITIONS, precisionFor } from './heatmap';
import { AreaInput } from './map.input';
import { tweetsByArea } from './map.table';
import { HeatmapCell } from './map.type';

/** Where tweets were posted. */
@Resolver()
export class MapResolver {
  @Reads(tweetsByArea, tweets, deletedTweets, buckets)
  @Query(() => TweetConnection, {
    description: `The tweets of an area and a period, newest first. The area is read from at most ${MOST_CELLS} cells of a grid, the finest that will do. Costs a partition of \`buckets\` a cell and, per month walked (of areas that 64 cells of 0.35° × 0.7° do not cover: per day), one of \`tweets_by_area\` a cell, at most 64 months or days a page; and one of \`tweets\` for each tweet. Each partition is read up to 5,000 rows a page: a page that is short of tweets and yet has a next one ends there.`,
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

  @Reads(tweetsByArea, buckets)
  @Query(() => [HeatmapCell], {
    complexity: ({ childComplexity }) => MOST_CELLS_SHOWN * (1 + childComplexity),
    description: `How many tweets of an area and a period are in each geohash that has some. Costs what all pages of \`tweetsInArea\` cost, the tweets themselves left out; \`BAD_USER_INPUT\` where that is more than ${MOST_PARTITIONS} partitions or ${MOST_COUNTED} tweets to look at.`,
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
