import { forbidden, type ClientError } from '../../kit/base/errors';
import { HiddenReason } from './hidden.enums';

/** `FORBIDDEN` with the reason `BLOCKED`: the caller wants to do something to somebody, and one of the two blocks the other. */
export function blockedBetween(): ClientError {
  return forbidden('One of the two users blocks the other.', HiddenReason.BLOCKED);
}
