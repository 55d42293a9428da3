import { Field, ID, InputType } from 'type-graphql';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { KEY_BOUNDS } from '../../kit/data/idempotency';
import { written } from '../../kit/input/input-text';

export const MAX_TITLE_GRAPHEMES = 200;
export const MAX_BODY_GRAPHEMES = 50_000;
export const MAX_TAGS = 20;
export const MAX_TAG_GRAPHEMES = 50;
export const MAX_COMMENT_GRAPHEMES = 5000;

/** A new article. */
@InputType()
export class PublishArticleInput {
  @Bounded(written(MAX_TITLE_GRAPHEMES))
  @Field(() => String, { description: 'The title, not empty.' })
  title: string;

  @Bounded(written(MAX_BODY_GRAPHEMES))
  @Field(() => String, { description: 'The text, not empty.' })
  body: string;

  @Bounded({ maxItems: MAX_TAGS, ...written(MAX_TAG_GRAPHEMES) })
  @Field(() => [String], { nullable: true, description: 'None is empty; the same one counts once.' })
  tags?: string[] | null;

  @Bounded(KEY_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description:
      "The caller's own, not empty, good for seven days: a repetition with the same key and content answers as the first call did.",
  })
  idempotencyKey?: string | null;
}

/** A new comment. */
@InputType()
export class AddCommentInput {
  @Bounded(ID_BOUNDS)
  @Field(() => ID, { description: 'The article that it is about.' })
  articleId: string;

  @Bounded(written(MAX_COMMENT_GRAPHEMES))
  @Field(() => String, { description: 'The text, not empty.' })
  body: string;

  @Bounded(KEY_BOUNDS)
  @Field(() => String, {
    nullable: true,
    description:
      "The caller's own, not empty, good for seven days: a repetition with the same key and content answers as the first call did.",
  })
  idempotencyKey?: string | null;
}
