import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFairSemaphore } from '../../src/kit/base/fair-semaphore';

/** A lane: a room of which one person has half. And the names of the tasks that were let in. */
function watchedLane(size: number) {
  const lane = createFairSemaphore(size, Math.max(1, Math.floor(size / 2)));
  const entered: string[] = [];
  return {
    lane,
    entered,
    take: async (name: string, person?: string) => {
      void lane.take({ person }).then(() => entered.push(name));
      await nextTurn();
    },
    release: async (person?: string) => {
      lane.release({ person });
      await nextTurn();
    },
  };
}

test('tasks of nobody are let in as they come, as many as there is room for', async () => {
  const { entered, lane, take, release } = watchedLane(2);
  for (const name of ['one', 'two', 'three', 'four']) await take(name);
  expect(entered).toEqual(['one', 'two']);
  await release();
  expect(entered).toEqual(['one', 'two', 'three']);
  await release();
  await release();
  expect([entered.at(-1), lane.free()]).toEqual(['four', 1]);
});

test('the tasks of one person take half of a lane, and others pass those that wait', async () => {
  const { entered, lane, take, release } = watchedLane(4);
  for (const name of ['ada 1', 'ada 2', 'ada 3', 'ada 4']) await take(name, 'ada');
  expect([entered, lane.free()]).toEqual([['ada 1', 'ada 2'], 2]);
  await take('bob 1', 'bob');
  await take('nobody 1');
  await take('bob 2', 'bob');
  expect(entered.slice(2)).toEqual(['bob 1', 'nobody 1']);
  await release();
  expect(entered.slice(4)).toEqual(['bob 2']);
  await release('ada');
  expect(entered.slice(5)).toEqual(['ada 3']);
});

test('people take turns, in whatever order their tasks came, and the tasks of each keep their order', async () => {
  const { entered, take, release } = watchedLane(2);
  await take('running', 'zoe');
  await take('running 2', 'yan');
  for (let n = 1; n <= 4; n++) await take(`ada ${n}`, 'ada');
  for (let n = 1; n <= 2; n++) await take(`bob ${n}`, 'bob');
  await take('nobody 1');
  await take('cleo 1', 'cleo');
  await take('nobody 2');
  for (const person of ['zoe', 'ada', 'bob', undefined, 'cleo', 'ada', 'bob', undefined])
    await release(person);
  const turns = ['ada 1', 'bob 1', 'nobody 1', 'cleo 1', 'ada 2', 'bob 2', 'nobody 2', 'ada 3'];
  expect(entered.slice(2)).toEqual(turns);
});

test('what has begun goes on before others of its person begin, and after those of others', async () => {
  const { entered, lane, take, release } = watchedLane(2);
  for (const name of ['ada 1', 'ada 2', 'ada 3']) await take(name, 'ada');
  const letOthers = async (name: string, person?: string) => {
    void lane.takeTurns({ person }).then(() => entered.push(name));
    await nextTurn();
  };
  for (let n = 0; n < 3; n++) await letOthers('ada 1 goes on', 'ada');
  expect(entered).toEqual(['ada 1', 'ada 1 goes on', 'ada 1 goes on', 'ada 1 goes on']);
  for (const name of ['bob 1', 'cleo 1', 'dora 1', 'dora 2']) await take(name, name.split(' ')[0]);
  await letOthers('ada 1 waits', 'ada');
  await letOthers('bob 1 waits', 'bob');
  for (const person of ['cleo', 'dora', 'ada', 'bob', 'dora', 'ada']) await release(person);
  const turns = ['bob 1', 'cleo 1', 'dora 1', 'ada 1 waits', 'bob 1 waits', 'dora 2', 'ada 2', 'ada 3'];
  expect(entered.slice(4)).toEqual(turns);
  await release('ada');
  expect([lane.isEmpty(), lane.free()]).toEqual([true, 2]);
});

test('what is given up holds up nobody, and is not let in', async () => {
  const { take, giveUp, release, isEmpty, isWaitedFor } = createFairSemaphore(2, 1);
  const entered: string[] = [];
  const ask = (name: string, person?: string) => {
    const entry = { person };
    void take(entry).then(() => entered.push(name));
    return entry;
  };
  const first = ask('ada 1', 'ada');
  const [second, third] = [ask('ada 2', 'ada'), ask('ada 3', 'ada')];
  const bob = ask('bob', 'bob');
  const cleo = ask('cleo', 'cleo');
  expect([giveUp(second), giveUp(cleo)]).toEqual([true, true]);
  release(first);
  await nextTurn();
  expect([entered, isWaitedFor()]).toEqual([['ada 1', 'bob', 'ada 3'], false]);
  for (const entry of [bob, third]) release(entry);
  expect(isEmpty()).toBe(true);
});

test('a lane with room for one task lets in one of everybody', async () => {
  const { entered, take, release } = watchedLane(1);
  await take('ada 1', 'ada');
  await take('ada 2', 'ada');
  await release('ada');
  expect(entered).toEqual(['ada 1', 'ada 2']);
});

test('a task that goes on after it waited outside may take more room than there is, and gives it back', async () => {
  const { entered, lane, take, release } = watchedLane(2);
  await take('ada 1', 'ada');
  await release('ada');
  await take('ada 2', 'ada');
  await take('bob 1', 'bob');
  lane.retake({ person: 'ada' });
  await take('bob 2', 'bob');
  await take('cleo', 'cleo');
  await release('ada');
  expect(entered).toEqual(['ada 1', 'ada 2', 'bob 1']);
  await release('ada');
  expect(entered.slice(3)).toEqual(['cleo']);
  await release('bob');
  expect(entered.slice(4)).toEqual(['bob 2']);
});

test('entries have weights, and what waits holds up all that come later', async () => {
  const { take, free, isEmpty, release, giveUp } = createFairSemaphore(1);
  const entered: string[] = [];
  const ask = async (name: string, weight: number) => {
    const entry = { weight };
    void take(entry).then(() => entered.push(name));
    await nextTurn();
    return entry;
  };
  const half = await ask('half', 0.5);
  const large = await ask('large', 0.75);
  const small = await ask('small', 0.25);
  expect([entered, free()]).toEqual([['half'], 0.5]);
  expect([giveUp(large), giveUp(large), giveUp(half)]).toEqual([true, false, false]);
  await nextTurn();
  expect([entered, free()]).toEqual([['half', 'small'], 0.25]);
  const huge = await ask('huge', 7);
  for (const entry of [half, small]) release(entry);
  await nextTurn();
  expect([entered, free(), isEmpty()]).toEqual([['half', 'small', 'huge'], 0, false]);
  release(huge);
  expect([free(), isEmpty()]).toEqual([1, true]);
});
