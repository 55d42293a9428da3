import { ClientError } from '../../src/kit/base/errors';

/** The code of an error that a client may see; throws any other. */
export function codeOf(error: unknown): string {
  if (!(error instanceof ClientError)) throw error;
  return String(error.extensions['code']);
}
