import { Field, ID, InputType } from 'type-graphql';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { KEY_BOUNDS } from '../../kit/writes/idempotency';
import { written } from '../../kit/input/input-text';
import {
  MAX_BODY_BYTES,
  MAX_COMMENT_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  MAX_TITLE_BYTES,
} from '../../features/news/news.table';

/** The bounds of the title of an article. */
export const TITLE = written(200, MAX_TITLE_BYTES);
/** The bounds of the text of an article. */
export const BODY = written(50_000, MAX_BODY_BYTES);
/** The bounds of a tag. */
export const TAG = written(50, MAX_TAG_BYTES);
/** The bounds of the text of a comment. */
export const COMMENT = written(5000, MAX_COMMENT_BYTES);

/** A new article. */
@InputType()
export class PublishArticleInput {
  @Bounded(TITLE)
  @Field(() => String, { description: 'The title, not blank.' })
  title: string;

  @Bounded(BODY)
  @Field(() => String, { description: 'The text, not blank.' })
  body: string;

  @Bounded({ maxItems: MAX_TAGS, ...TAG })
  @Field(() => [String], { nullable: true, description: 'Tags, none empty; duplicates count once.' })
  tags?: string[] | null;

  @Bounded(KEY_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description:
      'Makes the call safe to repeat: within seven days, the same key with the same content returns what the first call created. Chosen by the caller, not empty.',
  })
  idempotencyKey?: string | null;
}

/** A new comment. */
@InputType()
export class AddCommentInput {
  @Bounded(ID_BOUNDS)
  @Field(() => ID, { description: 'The article to comment on.' })
  articleId: string;

  @Bounded(COMMENT)
  @Field(() => String, { description: 'The text, not blank.' })
  body: string;

  @Bounded(KEY_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description:
      'Makes the call safe to repeat: within seven days, the same key with the same content returns what the first call created. Chosen by the caller, not empty.',
  })
  idempotencyKey?: string | null;
}
