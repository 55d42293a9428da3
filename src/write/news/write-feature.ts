import { newsExported } from './exported';
import { newsDeletionParts } from './account-deletion';
import type { WriteFeature } from '../write-feature';
import { newsTables } from './derived';
import { commentHandler } from './add-comment';
import { articleHandler } from './publish-article';
import { NewsMutations } from './news.mutations';
import { copiesHandler } from './update-copies';

/** The mutations of news, and the tasks that they enqueue. */
export const newsWrites: WriteFeature = {
  mutations: [NewsMutations],
  tasks: { article: articleHandler, comment: commentHandler, copies: copiesHandler },
  derived: newsTables,
  accountDeletion: newsDeletionParts,
  exported: newsExported,
};
