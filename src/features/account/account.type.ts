import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Row } from '../../kit/cassandra/table';
import { DateTime } from '../../kit/input/date-time';
import type { accountExports } from './account.table';

/** The deletion of an account. */
@ObjectType({
  simpleResolvers: true,
  description:
    'The deletion of an account: from the moment of the request, the account and all it has made are hidden.',
})
export class AccountDeletion {
  @Field(() => DateTime, { description: 'When it was asked for.' })
  requestedAt: Date;

  @Field(() => DateTime, {
    description:
      'When it begins to remove what the account has made. Until then `cancelAccountDeletion` takes it back.',
  })
  startsAt: Date;
}

/** How far an export is. */
enum ExportState {
  RUNNING = 'RUNNING',
  COMPLETE = 'COMPLETE',
}
registerEnumType(ExportState, {
  name: 'ExportState',
  description: 'How far an export is.',
  valuesConfig: {
    RUNNING: { description: 'It is being written, or waits for that.' },
    COMPLETE: { description: 'All of it is written: the file is at `path`.' },
  },
});

/** An export of what a user has. */
@ObjectType({
  simpleResolvers: true,
  description: 'An export of all that a user has: a zip of JSON lines, which `npm run import` takes.',
})
export class AccountExport {
  @Field(() => DateTime, { description: 'When it was asked for.' })
  requestedAt: Date;

  @Field(() => ExportState, { description: 'Whether it is complete.' })
  state: ExportState;

  @Field(() => Int, { description: 'How many lines are written: tweets, follows, likes and so on.' })
  writtenRows: number;

  @Field(() => String, {
    nullable: true,
    description:
      "Where the file is on this server, once the export is complete: a `GET` with the user's token answers with it.",
  })
  path: string | null;

  @Field(() => DateTime, { description: 'When it is removed.' })
  expiresAt: Date;
}

/** The path of the file of an export. */
export const EXPORT_PATH = '/export';

/** Shows an export; null if there is none, or it has expired. */
export function showExport(
  row: Pick<Row<typeof accountExports>, 'requestedAt' | 'finishedAt' | 'rows' | 'expiresAt'> | null,
): { [K in keyof AccountExport]: AccountExport[K] } | null {
  if (row === null) return null;
  const { requestedAt, finishedAt, rows, expiresAt } = row;
  if (requestedAt === null || expiresAt === null || expiresAt <= new Date()) return null;
  const isComplete = finishedAt !== null;
  return {
    ...{ requestedAt, expiresAt, writtenRows: rows ?? 0 },
    state: isComplete ? ExportState.COMPLETE : ExportState.RUNNING,
    path: isComplete ? EXPORT_PATH : null,
  };
}
