import { likesByUser } from '../../features/like/like.lists';
import { exportList, type ExportedPart } from '../exported';

/** The likes of a person. */
export const likeExported: readonly ExportedPart[] = [
  exportList('likes', likesByUser, (_, rows) => rows.map(({ tweetId, likedAt }) => ({ tweetId, likedAt }))),
];
