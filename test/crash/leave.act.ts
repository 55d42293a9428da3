import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/kit/base/random';
import type { Actor } from './actor';
import { answered } from './client';
import { cancelAccountDeletion, deleteAccount } from './hide.operations';
import { lookAround } from './look';
import { between } from './random';
import { must } from './violation';

/** How many accounts are deleted for good in a round at most. */
const MAX_LEFT = 2;
/** How long it takes until all servers know that a deletion was taken back, in milliseconds. The API promises two seconds. */
const MAX_UNKNOWN_MS = 6_000;

/** Deletes the actor's account: for good, or, in rounds where that can be taken back, for a moment. */
export async function leave(actor: Actor, random: Random): Promise<void> {
  const { world, person, client } = actor;
  const { username } = person;
  if (!world.mayCancel && world.left.size >= MAX_LEFT) return;
  if (!world.mayCancel) world.left.add(username);
  world.absences.begin(username);
  const variables = { confirm: username };
  const asked = answered(deleteAccount, variables, await client.settle(deleteAccount, variables));
  world.absences.hold(username);
  world.noteAct(username, 'deleteAccount', asked);
  if (!world.mayCancel) return;
  await sleep(between(random, 0, 4_000));
  world.absences.beginToEnd(username);
  const settled = await client.settle(cancelAccountDeletion);
  const { data } = answered(cancelAccountDeletion, {}, settled);
  world.absences.end(username);
  world.noteAct(username, 'cancelAccountDeletion', settled);
  must('The payload must have the user who stays', data === username, settled);
  await sleep(MAX_UNKNOWN_MS);
  await lookAround(actor);
}
