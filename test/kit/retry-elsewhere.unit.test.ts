import { errors, types, type policies } from 'cassandra-driver';
import { RetryElsewhere } from '../../src/kit/cassandra/client-options';

const { localQuorum } = types.consistencies;
const info = {
  nbRetry: 0,
  query: '',
  executionOptions: { getConsistency: () => localQuorum },
} as unknown as policies.retry.OperationInfo;

const failures: readonly [string, boolean, (policy: RetryElsewhere) => policies.retry.DecisionInfo][] = [
  ['too few replicas, before anything is done', false, (policy) => policy.onUnavailable(info)],
  ['a write timeout', true, (policy) => policy.onWriteTimeout(info)],
  ['a read timeout', true, (policy) => policy.onReadTimeout(info)],
  [
    'no answer in time',
    true,
    (policy) => policy.onRequestError(info, localQuorum, new errors.OperationTimedOutError('late', 'node')),
  ],
  [
    'a lost connection',
    true,
    (policy) => policy.onRequestError(info, localQuorum, new Error('the socket was closed')),
  ],
];

test.each(failures)(
  '%s: the next node is asked, and the first may have done it: %s',
  (_, mayBeDone, fail) => {
    const policy = new RetryElsewhere();
    expect(policy.mayBeDone).toBe(false);
    expect(fail(policy)).toMatchObject({ decision: 1, useCurrentHost: false });
    expect(policy.mayBeDone).toBe(mayBeDone);
  },
);
