import { Field, ID, InputType } from 'type-graphql';

/** A new article. */
@InputType()
export class PublishArticleInput {
  @Field(() => String, { description: 'The title: 1 to 200 graphemes.' })
  title: string;

  @Field(() => String, { description: 'The text: 1 to 50,000 graphemes.' })
  body: string;

  @Field(() => [String], {
    nullable: true,
    description: 'At most 20, each of 1 to 50 graphemes; the same one counts once.',
  })
  tags?: string[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The caller's own, 1 to 100 characters, good for seven days: a repetition with the same key and content answers as the first call did.",
  })
  idempotencyKey?: string | null;
}

/** A new comment. */
@InputType()
export class AddCommentInput {
  @Field(() => ID, { description: 'The article that it is about.' })
  articleId: string;

  @Field(() => String, { description: 'The text: 1 to 5,000 graphemes.' })
  body: string;

  @Field(() => String, {
    nullable: true,
    description:
      "The caller's own, 1 to 100 characters, good for seven days: a repetition with the same key and content answers as the first call did.",
  })
  idempotencyKey?: string | null;
}
