import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Info, Int, Query, Resolver } from 'type-graphql';
import type { Context } from '../../context';
import { badArgument } from '../../kit/base/errors';
import { MaxItems, Reads, showing, upTo, type CostArguments } from '../../kit/cost/reads';
import { selects } from '../../kit/cost/selects';
import { Bounded } from '../../kit/input/input-bounds';
import { relations } from '../follow/follow.table';
import { cachedUser, users } from '../user/user.table';
import { User } from '../user/user.type';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { seeUser } from '../hidden/hiding';
import { MAX_CANDIDATES, rowsOfPrefix, searchUsers } from './search-users';
import { foldedSearch } from './starts';
import { followeesByName, foundByPrefix, LOOKED_AT_FOLLOWEES } from './user-search.table';

/** The most users that a search returns. */
const MAX_FOUND = 10;
/** The fields that are only read of `users` if a query selects them. */
const NOT_IN_ROWS = ['description', 'twitterAccount', 'createdAt'];

const firstOf = ({ args: { first } }: Pick<CostArguments, 'args'>) =>
  Math.min(Math.max(Number(first ?? MAX_FOUND), 0), MAX_FOUND);

const READS = [
  showing(
    foundByPrefix,
    firstOf,
    upTo(foundByPrefix, ({ args: { text } }) => ({
      reads: 2,
      rows: rowsOfPrefix(foldedSearch(String(text))) + 1,
    })),
  ),
  showing(
    followeesByName,
    firstOf,
    upTo(followeesByName, () => ({ reads: 1, rows: LOOKED_AT_FOLLOWEES })),
  ),
  upTo(relations, () => ({ reads: MAX_CANDIDATES + 1, rows: MAX_CANDIDATES + 1 })),
  upTo(users, (asked) => {
    const rows = NOT_IN_ROWS.some((field) => asked.selects('User', field)) ? firstOf(asked) : 0;
    return { reads: rows, rows };
  }),
];

/** Finding people by their names, as somebody types. */
@Resolver()
export class UserSearchResolver {
  @Reads(...READS, ...SIGHT_READS)
  @MaxItems((args) => firstOf({ args }))
  @Query(() => [User], {
    description:
      'The users whose username, or a word of whose name, begins with a text, compared as words of searches are: first the one with that username, then whom the caller follows, who follows the caller, and others by followers (1, 2 to 3, 4 to 7 and so on), then by name. A text of up to four characters looks at the 30 users with the most followers, a longer one at the 1,000 with the most who share its first four; both also at whom the caller follows, and anybody is found by the whole username.',
  })
  async searchUsers(
    @Bounded({ maxLength: 100 }) @Arg('text', () => String) text: string,
    @Arg('first', () => Int, { defaultValue: MAX_FOUND, description: 'How many users to return: 1 to 10.' })
    first: number,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Partial<User>[]> {
    if (first < 1 || first > MAX_FOUND)
      throw badArgument('first', `must be 1 to ${MAX_FOUND}, but got: ${first}`);
    const found = await searchUsers(context, text, first);
    if (!NOT_IN_ROWS.some((field) => selects(info, 'User', field)))
      return found.map(({ userId, username, name }) => ({ userId, username, name }));
    const { load } = context;
    const whole = await Promise.all(
      found.map(({ userId }) => seeUser(context, load(cachedUser, { userId }))),
    );
    return whole.filter((user) => user !== null);
  }
}
