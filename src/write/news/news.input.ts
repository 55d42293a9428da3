import { Field, ID, InputType } from 'type-graphql';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { KEY_BOUNDS } from '../../kit/writes/idempotency';
import { written } from '../../kit/input/input-text';
import { MAX_BODY_BYTES, MAX_TAG_BYTES, MAX_TAGS, MAX_TITLE_BYTES } from '../../features/news/news.table';

/** The longest title of an article, in graphemes. */
export const MAX_TITLE_GRAPHEMES = 200;
/** The longest text of an article, in graphemes. The greatest sizes in bytes are those of the columns: see `news.table.ts`. */
export const MAX_BODY_GRAPHEMES = 50_000;
/** The longest tag, in graphemes. */
export const MAX_TAG_GRAPHEMES = 50;
/** The longest text of a comment, in graphemes. */
export const MAX_COMMENT_GRAPHEMES = 5000;

/** A new article. */
@InputType()
export class PublishArticleInput {
  @Bounded(written(MAX_TITLE_GRAPHEMES, MAX_TITLE_BYTES))
  @Field(() => String, { description: 'The title, not blank.' })
  title: string;

  @Bounded(written(MAX_BODY_GRAPHEMES, MAX_BODY_BYTES))
  @Field(() => String, { description: 'The text, not blank.' })
  body: string;

  @Bounded({ maxItems: MAX_TAGS, ...written(MAX_TAG_GRAPHEMES, MAX_TAG_BYTES) })
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

  @Bounded(written(MAX_COMMENT_GRAPHEMES))
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
