import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { Bounded } from '../../kit/input/input-bounds';
import { DateTime } from '../../kit/input/date-time';
import { PageArgs } from '../../kit/input/page-args';
import { PageInfo } from '../../kit/lists/connection-types';
import { HiddenReason } from '../hidden/hidden.enums';
import { Tweet } from '../tweet/tweet.type';
import { FOLDER_BOUNDS } from './folders';

/** A bookmark. It stays when its tweet is gone, until it is removed. */
@ObjectType({ simpleResolvers: true })
class BookmarkEdge {
  @Field(() => String, {
    description: 'The position of the bookmark in this list, for `after` and `before`.',
  })
  cursor: string;

  @Field(() => String, { description: 'The id of the tweet, whether it is shown or not.' })
  tweetId: string;

  @Field(() => ID, { description: 'What `node.id` is, or would be: `removeBookmark` takes it.' })
  nodeId: string;

  @Field(() => Tweet, {
    nullable: true,
    description: 'The tweet; null where a placeholder stands for it: see `hiddenReason`.',
  })
  node: Tweet | null;

  @Field(() => HiddenReason, {
    nullable: true,
    description: 'Why `node` is null. The bookmark stays until it is removed.',
  })
  hiddenReason: HiddenReason | null;

  @Field(() => DateTime, {
    description: 'When the tweet was bookmarked. Moving it to another folder does not change this.',
  })
  bookmarkedAt: Date;

  @Field(() => String, { nullable: true, description: 'The folder that it is in; null if it is in none.' })
  folder: string | null;
}

/** A page of bookmarks. */
@ObjectType({ simpleResolvers: true })
export class BookmarkConnection {
  @Field(() => [BookmarkEdge], { description: 'The bookmarks of the page with their cursors.' })
  edges: BookmarkEdge[];

  @Field(() => [Tweet], {
    nullable: 'items',
    description: 'The tweets of the page; null where a placeholder stands.',
  })
  nodes: (Tweet | null)[];

  @Field(() => PageInfo, { description: 'Where the page is in its list.' })
  pageInfo: PageInfo;
}

/** The folder of the bookmarks, and the page of them. */
@ArgsType()
export class BookmarkArgs extends PageArgs {
  @Bounded(FOLDER_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description: 'Only those in this folder, ignoring case; by default all, whether in a folder or not.',
  })
  folder?: string | null;
}

/** A folder of bookmarks. */
@ObjectType({
  simpleResolvers: true,
  description: 'A folder of bookmarks. It exists as long as it has some.',
})
export class BookmarkFolder {
  @Field(() => String, {
    description: 'Its name, as it was given first. Names differ in more than the case of letters.',
  })
  name: string;

  @Field(() => Int, {
    description: 'How many bookmarks it has, whether their tweets are still there or not.',
  })
  count: number;
}
