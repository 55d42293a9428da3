import { likesByUser } from '../../features/like/like.lists';
import { exportList, type ExportedPart } from '../exported';

/** What a person likes. */
export const likeExported: readonly ExportedPart[] = [
  exportList('likes', likesByUser, (_, rows) => rows.map(({ tweetId, likedAt }) => ({ tweetId, likedAt }))),
];
