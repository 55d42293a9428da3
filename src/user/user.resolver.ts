import { Arg, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import type { Load } from '../kit/load';
import { isId } from '../kit/relay/node';
import { userCounts, users, usersByTwitterAccount, usersByUsername } from './user.table';
import { User } from './user.type';

/** People, and their counts. */
@Resolver(() => User)
export class UserResolver {
  @Query(() => User, {
    nullable: true,
    description:
      'The user of this name, irrespective of case; null when there is none. Costs one partition of `users_by_username` and one of `users`.',
  })
  async user(@Arg('username', () => String) username: string, @Ctx() { load }: Context) {
    if (!isLookup(username)) return null;
    const usernameFolded = username.toLowerCase();
    const found = await load(usersByUsername.get, { usernameFolded });
    const user = found && (await load(users.get, found));
    // A sign-up that was cut off may have claimed the name for a user who has another one since.
    if (user?.username.toLowerCase() === usernameFolded) return user;
    // A user known by number only has that number for a name, and no row of `users_by_username`.
    const numbered = isId(username) ? await load(users.get, { userId: username }) : null;
    return numbered?.username === username ? numbered : null;
  }

  @Query(() => User, {
    nullable: true,
    description:
      'The user of this Twitter account, irrespective of case; null when there is none. Costs one partition of `users_by_twitter_account` and one of `users`.',
  })
  async userByTwitterAccount(@Arg('twitterAccount', () => String) account: string, @Ctx() { load }: Context) {
    if (!isLookup(account)) return null;
    const found = await load(usersByTwitterAccount.get, { accountFolded: account.toLowerCase() });
    const user = found && (await load(users.get, found));
    // An account that was given up may still be on its way out.
    return user?.twitterAccount?.toLowerCase() === account.toLowerCase() ? user : null;
  }

  @FieldResolver(() => Int, {
    description: 'Costs one partition of `user_counts`, shared by the three counts.',
  })
  followerCount(@Root() user: User, @Ctx() { load }: Context) {
    return count(load, user, 'followerCount', 'followers');
  }

  @FieldResolver(() => Int, {
    description: 'Costs one partition of `user_counts`, shared by the three counts.',
  })
  followingCount(@Root() user: User, @Ctx() { load }: Context) {
    return count(load, user, 'followingCount', 'following');
  }

  @FieldResolver(() => Int, {
    description:
      'Tweets, replies, quotes and shares. Costs one partition of `user_counts`, shared by the three counts.',
  })
  tweetCount(@Root() user: User, @Ctx() { load }: Context) {
    return count(load, user, 'tweetCount', 'tweets');
  }
}

async function count(
  load: Load,
  { userId }: User,
  imported: 'followerCount' | 'followingCount' | 'tweetCount',
  acts: 'followers' | 'following' | 'tweets',
) {
  const counts = await load(userCounts.get, { userId });
  return (counts?.[imported] ?? 0) + (counts?.[acts] ?? 0);
}

/** Cassandra takes no empty partition key and none over 64 KiB; no name is that long. */
function isLookup(name: string): boolean {
  return name.length > 0 && name.length <= 500;
}
