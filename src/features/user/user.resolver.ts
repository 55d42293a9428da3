import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { Bounded } from '../../kit/input/input-bounds';
import { isBare } from '../../kit/lists/node';
import type { Load } from '../../kit/reads/load';
import { Reads, rowsOf, sharedByObject } from '../../kit/cost/reads';
import { seeUser } from '../hidden/hiding';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { isLookup, NAME_BOUNDS, shownUser, userByUsername } from './user-by-username';
import { profilesByUsername, cachedUserCounts, userCounts, users, usersByTwitterAccount } from './user.table';
import { User } from './user.type';

const COUNTS = sharedByObject(rowsOf(userCounts));

/** Users by their names, and their counts. */
@Resolver(() => User)
export class UserResolver {
  @Reads(rowsOf(profilesByUsername), rowsOf(users), ...SIGHT_READS)
  @Query(() => User, {
    nullable: true,
    description: 'The user with this username, ignoring case; null when there is none.',
  })
  user(@Bounded(NAME_BOUNDS) @Arg('username', () => String) username: string, @Ctx() context: Context) {
    return seeUser(context, userByUsername(context.load, username));
  }

  @Reads(rowsOf(usersByTwitterAccount), rowsOf(users), ...SIGHT_READS)
  @Query(() => User, {
    nullable: true,
    description: 'The user with this Twitter account, ignoring case; null when there is none.',
  })
  async userByTwitterAccount(
    @Bounded(NAME_BOUNDS) @Arg('twitterAccount', () => String) account: string,
    @Ctx() context: Context,
  ) {
    const { load } = context;
    if (!isLookup(account)) return null;
    const found = await load(usersByTwitterAccount.get, { accountFolded: account.toLowerCase() });
    const user = found && shownUser(load, await load(users.get, found));
    // The row of an account that the user has given up may not be removed yet.
    return user?.twitterAccount?.toLowerCase() === account.toLowerCase() ? seeUser(context, user) : null;
  }

  @Reads(COUNTS)
  @FieldResolver(() => Int, { description: 'How many users follow this one.' })
  followerCount(@Root() user: User, @Ctx() { load }: Context) {
    return count(load, user, 'importedFollowers', 'followers');
  }

  @Reads(COUNTS)
  @FieldResolver(() => Int, { description: 'How many users this one follows.' })
  followingCount(@Root() user: User, @Ctx() { load }: Context) {
    return count(load, user, 'importedFollowing', 'following');
  }

  @Reads(COUNTS)
  @FieldResolver(() => Int, {
    description: 'How many tweets, replies, quotes and shares the user has posted.',
  })
  tweetCount(@Root() user: User, @Ctx() { load }: Context) {
    return count(load, user, 'importedTweets', 'tweets');
  }
}

async function count(
  load: Load,
  user: User,
  imported: 'importedFollowers' | 'importedFollowing' | 'importedTweets',
  added: 'followers' | 'following' | 'tweets',
) {
  if (isBare(user)) return 0;
  const counts = await load(cachedUserCounts, user);
  return (counts?.[imported] ?? 0) + (counts?.[added] ?? 0);
}
