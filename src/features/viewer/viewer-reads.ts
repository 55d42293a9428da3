import { ofCaller, rowsOf } from '../../kit/cost/reads';
import { users } from '../user/user.table';
import { usersByIdentity } from './viewer.table';

/** The reads that find the caller's user: the user that a token of this server names, else that of the token's identity. */
export const VIEWER_READS = [ofCaller(rowsOf(usersByIdentity)), ofCaller(rowsOf(users, 2))] as const;
