import { Arg, Args, Ctx, FieldResolver, Float, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import {
  badInput,
  bucketReads,
  Bounded,
  connect,
  connectNodes,
  CostExample,
  DateTime,
  dayOf,
  ID_BOUNDS,
  idIn,
  MaxItems,
  ONE_PARTITION,
  PageArgs,
  pageOf,
  pagesOf,
  partitionList,
  periodList,
  periodOf,
  Reads,
  rowsOf,
  upTo,
  type Chronology,
  type SmallContext as Context,
} from 'murmuration/kit';
import { addReadings } from './add-readings';
import { latestByRegion, readingsByStation, stations, summariesByStation, type ReadingRow } from './tables';
import {
  AddReadingsPayload,
  ReadingConnection,
  ReadingInput,
  Station,
  StationConnection,
  Summary,
} from './types';
import { Unit, units } from './units';

const MAX_READINGS = 1000;
const MAX_SUMMARIES = 1000;

const chronology: Chronology<ReadingRow> = {
  bucketOf: dayOf,
  keyOf: ({ at }) => at,
  firstKeyAt: (moment) => moment,
  timeOf: ({ at }) => at,
};

type Given = Readonly<Record<string, unknown>>;

/** How many minutes, hours or days a period has, and at most `MAX_SUMMARIES`. */
function summariesIn(args: Given): number {
  const { unit, from, to } = args as { unit: Unit; from: Date; to: Date };
  return Math.min(MAX_SUMMARIES, Math.ceil((Number(to) - Number(from)) / units[unit].length));
}

/** The cost of reading the partitions (days, months or years) that a period touches. */
function summariesCost({ args }: { readonly args: Given }) {
  const { unit, from, to } = args as { unit: Unit; from: Date; to: Date };
  periodOf(from, to);
  const reads = units[unit].bucketOf(to) - units[unit].bucketOf(from) + 1;
  return { reads, rows: reads * (MAX_SUMMARIES + 1) };
}

/** Stations, and what they measure. */
@Resolver(() => Station)
export class StationResolver {
  @Reads(rowsOf(stations))
  @Query(() => Station, {
    nullable: true,
    description: 'The station with this id; null if there is none.',
  })
  station(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: Context) {
    return load(stations.get, { stationId: idIn('Station', id) });
  }

  @Reads(pagesOf(latestByRegion, ONE_PARTITION))
  @Query(() => StationConnection, {
    description: 'The stations of a region, each with its latest reading.',
  })
  stationsOfRegion(
    @Bounded({ maxLength: 100 }) @Arg('region', () => String) region: string,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    const list = partitionList(load, latestByRegion, { region });
    return connect(
      list,
      pageOf(list.name, args),
      (node, cursor) => ({ cursor, node, latest: node }),
      (node) => node,
    );
  }

  @Reads(pagesOf(readingsByStation), bucketReads())
  @FieldResolver(() => ReadingConnection, {
    description: 'What the station measured in a period, newest first.',
  })
  readings(
    @Root() { stationId }: Station,
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period has ended.' }) to: Date,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    const list = periodList(load, readingsByStation, { stationId }, chronology, periodOf(from, to));
    return connectNodes(list, args);
  }

  @CostExample('a day by hours', {
    unit: Unit.HOUR,
    from: new Date('2026-10-30'),
    to: new Date('2026-10-31'),
  })
  @MaxItems(summariesIn)
  @Reads(upTo(summariesByStation, summariesCost))
  @FieldResolver(() => [Summary], {
    description: `How warm it was in each minute, hour or day that began in a period and has readings, oldest first. Fails with \`BAD_USER_INPUT\` if the period has more than ${MAX_SUMMARIES} of them.`,
  })
  async summaries(
    @Root() { stationId }: Station,
    @Arg('unit', () => Unit, { description: 'Minutes, hours or days.' }) unit: Unit,
    @Arg('from', () => DateTime, { description: 'When the period begins.' }) from: Date,
    @Arg('to', () => DateTime, { description: 'When the period has ended.' }) to: Date,
    @Ctx() { load }: Context,
  ) {
    periodOf(from, to);
    const { length, bucketOf } = units[unit];
    const count = (Number(to) - Number(from)) / length;
    if (count > MAX_SUMMARIES)
      throw badInput(
        `A period may have at most ${MAX_SUMMARIES} of unit ${unit}, but this one has ${Math.ceil(count)}.`,
      );
    const [first, last] = [bucketOf(from), bucketOf(to)];
    const buckets = Array.from({ length: last - first + 1 }, (_, n) => last - n);
    const read = await Promise.all(
      buckets.map((bucket) =>
        load(summariesByStation.page, { stationId, unit, bucket, after: [to], limit: MAX_SUMMARIES + 1 }),
      ),
    );
    return read
      .flat()
      .filter(({ at }) => at >= from)
      .reverse();
  }

  @Reads(rowsOf(readingsByStation), rowsOf(summariesByStation), rowsOf(stations))
  @Mutation(() => AddReadingsPayload, {
    nullable: true,
    description:
      'Stores readings; of one station and moment, the first one stays. Fails with `BAD_USER_INPUT` if a value is out of its range or the time is more than a day ahead.',
  })
  async addReadings(
    @Bounded({ maxItems: MAX_READINGS })
    @Arg('input', () => [ReadingInput])
    input: ReadingInput[],
    @Ctx() { database, bulk }: Context,
  ) {
    const readings = input.map(readingOf);
    return { stored: await addReadings(database, bulk, readings) };
  }
}

/** How far the time of a reading may be ahead of the server's clock. */
const MAX_AHEAD_MS = 86_400_000;

/** Checks a reading. Throws `BAD_USER_INPUT` for values that no station measures and for times more than a day ahead. */
function readingOf({ stationId, at, temperature, humidity, wind }: ReadingInput) {
  if (Number(at) > Date.now() + MAX_AHEAD_MS)
    throw badInput(`at must be at most a day ahead, but got: ${at.toISOString()}`);
  for (const [name, value, least, greatest] of [
    ['temperature', temperature, -100, 100],
    ['humidity', humidity, 0, 100],
    ['wind', wind, 0, 150],
  ] as const)
    if (!(value >= least && value <= greatest))
      throw badInput(`${name} must be ${least} to ${greatest}, but got: ${value}`);
  return { stationId: idIn('Station', stationId), at, temperature, humidity, wind };
}

/** The mean of a summary. */
@Resolver(() => Summary)
export class SummaryResolver {
  @FieldResolver(() => Float, { description: 'The mean temperature, in degrees Celsius.' })
  mean(@Root() { total, readings }: Summary) {
    return total / readings;
  }
}
