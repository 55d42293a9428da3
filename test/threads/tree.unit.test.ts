import type { ThreadEntry } from '../../src/features/thread/thread.lists';
import { ThreadOrder, ThreadTree, type Shown, type ThreadStart } from '../../src/features/thread/tree';
import { isLong } from '../support/long';
import { randomIntFrom } from '../support/random-int';

/** How many conversations are tried; `npm run test:long` tries many more. */
const CONVERSATIONS = isLong ? 10_000 : 300;

interface Node {
  readonly id: string;
  readonly author: string;
  readonly isGone: boolean;
  readonly parent: Node | null;
  readonly children: Node[];
  readonly likes: number;
}

/** A conversation of a random shape: wide, deep or both, with deleted tweets in it. */
function conversation(seed: number): Node[] {
  const random = randomIntFrom(seed);
  const width = random(1, 30);
  const nodes: Node[] = [];
  for (let n = 0, count = random(1, 60); n < count; n++) {
    const parent = n === 0 ? null : (nodes[Math.max(0, n - 1 - random(width))] ?? null);
    const node = {
      ...{ id: String(100 + n), author: String(random(1, 4)), parent, children: [], likes: random(3) },
      isGone: n > 0 && random(4) === 0,
    };
    parent?.children.push(node);
    nodes.push(node);
  }
  return nodes;
}

const isShown = (node: Node): boolean => !node.isGone || node.children.some(isShown);

/** The replies to a tweet in their order, told by the definition. */
function ordered(node: Node, order: ThreadOrder, chain: ReadonlySet<Node>): Node[] {
  const number = (one: Node) => Number(one.id);
  return node.children.filter(isShown).toSorted((a, b) => {
    if (chain.has(a) !== chain.has(b)) return chain.has(a) ? -1 : 1;
    if (order === ThreadOrder.OLDEST) return number(a) - number(b);
    return (order === ThreadOrder.MOST_LIKED ? b.likes - a.likes : 0) || number(b) - number(a);
  });
}

/** Whether a tweet is there, or leads to one of its author that is. */
const leads = (node: Node): boolean =>
  !node.isGone || node.children.some((child) => child.author === node.author && leads(child));

function chainOf(top: Node): Set<Node> {
  const chain = new Set<Node>();
  for (let node: Node | undefined = top; node !== undefined;) {
    const own: Node[] = node.children.filter((child) => child.author === top.author && leads(child));
    node = own.toSorted((a, b) => Number(a.id) - Number(b.id))[0];
    if (node) chain.add(node);
  }
  return chain;
}

const ORDERS = [ThreadOrder.OLDEST, ThreadOrder.NEWEST, ThreadOrder.MOST_LIKED];

test('the pages of a thread, joined and expanded wherever they are cut, are the whole tree, in all orders', () => {
  for (let seed = 1; seed <= CONVERSATIONS; seed++) {
    const random = randomIntFrom(seed * 7);
    const nodes = conversation(seed);
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const alive = nodes.filter((node) => !node.isGone);
    const top = alive[random(Math.min(4, alive.length))] ?? nodes[0];
    if (top === undefined) throw new Error('a conversation must have tweets');
    const order = ORDERS[random(3)] ?? ThreadOrder.OLDEST;
    const view = { order, authorFirst: random(2) === 0, depth: random(1, 8), perParent: random(1, 6) };
    const entries = nodes.flatMap(({ id, parent, author, isGone }): ThreadEntry[] =>
      parent === null ? [] : [{ tweetId: id, parentId: parent.id, authorId: author, isGone }],
    );
    // Entries are read newest first.
    const tree = new ThreadTree(
      { tweetId: top.id, authorId: top.author },
      entries.toReversed(),
      view,
      (id) => byId.get(id)?.likes ?? 0,
    );
    const chain = view.authorFirst ? chainOf(top) : new Set<Node>();

    /** Walks from a start to the end, in pages of random sizes, each of which goes on after the last one. */
    const walk = (start: ThreadStart): Shown[] => {
      const joined: Shown[] = [];
      for (let from = start; ;) {
        const page: Shown[] = [];
        const size = random(1, 9);
        for (const shown of tree.walk(from)) if (page.push(shown) === size) break;
        joined.push(...page);
        const last = page.at(-1);
        if (page.length < size || last === undefined) return joined;
        const within = start.kind === 'more' ? start.parentId : null;
        const { tweetId, counts } = last;
        from = { kind: 'after', tweetId, within, counts, likes: byId.get(tweetId)?.likes };
      }
    };

    /** What is shown below a tweet, by the definition: so many levels, and so many replies to each. */
    const brute = (node: Node, depth: number, base: number): [string, number, number][] => {
      const children = ordered(node, order, chain);
      const shown = depth - base < view.depth ? children.slice(0, view.perParent) : [];
      return [
        [node.id, depth, children.length - shown.length],
        ...shown.flatMap((child) => brute(child, depth + 1, base)),
      ];
    };
    const told = (shown: readonly Shown[]) =>
      shown.map(({ tweetId, depth, more }) => [tweetId, depth, more?.count ?? 0]);
    const first = walk({ kind: 'top' });
    expect([seed, ...told(first)]).toEqual([seed, ...brute(top, 0, 0)]);

    // Expanded wherever it is cut, it is the whole tree, and each tweet is there once.
    const found: Shown[] = [...first];
    for (const { tweetId, depth, more } of found) {
      if (more === null) continue;
      const likes = byId.get(more.after ?? '')?.likes;
      const rest = walk({ kind: 'more', parentId: tweetId, after: more.after, likes });
      const node = byId.get(tweetId) ?? top;
      const children = ordered(node, order, chain);
      const left = children.slice(children.length - more.count);
      expect([seed, ...told(rest)]).toEqual([
        seed,
        ...left.flatMap((child) => brute(child, depth + 1, depth)),
      ]);
      found.push(...rest);
    }
    const below = (node: Node): string[] => [node.id, ...node.children.filter(isShown).flatMap(below)];
    expect([seed, ...found.map(({ tweetId }) => tweetId).sort()]).toEqual([seed, ...below(top).sort()]);
  }
});

test('nothing is left out of a walk during which tweets are deleted', () => {
  for (let seed = 1; seed <= CONVERSATIONS; seed++) {
    const random = randomIntFrom(seed * 11);
    const nodes = conversation(seed);
    const order = ORDERS[random(3)] ?? ThreadOrder.OLDEST;
    const view = { order, authorFirst: false, depth: random(1, 8), perParent: random(1, 6) };
    const gone = new Set(nodes.filter(({ isGone }) => isGone).map(({ id }) => id));
    const likes = new Map(nodes.map((node) => [node.id, node.likes]));
    const entries = () =>
      nodes.flatMap(({ id, parent, author }): ThreadEntry[] =>
        parent ? [{ tweetId: id, parentId: parent.id, authorId: author, isGone: gone.has(id) }] : [],
      );
    const found = new Set<string>();
    const starts: ThreadStart[] = [{ kind: 'top' }];
    for (let start = starts.pop(); start !== undefined; start = starts.pop()) {
      const within = start.kind === 'more' ? start.parentId : start.kind === 'after' ? start.within : null;
      const size = random(1, 5);
      const tree = new ThreadTree(
        { tweetId: '100', authorId: '1' },
        entries(),
        view,
        (id) => likes.get(id) ?? 0,
      );
      const page: Shown[] = [];
      for (const shown of tree.walk(start)) if (page.push(shown) === size) break;
      for (const { tweetId, more } of page) {
        found.add(tweetId);
        if (more === null) continue;
        const { after } = more;
        starts.push({ kind: 'more', parentId: tweetId, after, likes: likes.get(after ?? '') });
      }
      const last = page.at(-1);
      if (last !== undefined && page.length === size) {
        const { tweetId, counts } = last;
        starts.push({ kind: 'after', tweetId, within, counts, likes: likes.get(tweetId) });
      }
      const node = nodes[random(nodes.length)];
      if (node?.parent && random(2) === 0) gone.add(node.id);
    }
    const isLeft = ({ id }: Node) => !gone.has(id) && !found.has(id);
    expect([seed, ...nodes.filter(isLeft).map(({ id }) => id)]).toEqual([seed]);
  }
});

test('a page goes on where its last tweet was, also after that has lost or gained likes', () => {
  const top = { tweetId: '1', authorId: '9' };
  const entries = ['2', '3', '4', '5'].map((tweetId) => ({
    ...{ tweetId, parentId: '1', authorId: '8' },
    isGone: false,
  }));
  const view = { order: ThreadOrder.MOST_LIKED, authorFirst: false, depth: 6, perParent: 10 };
  const start = { kind: 'after', tweetId: '3', within: null, counts: [2], likes: 8 } as const;
  const idsIf = (likesOf3: number) => {
    const likes: Readonly<Record<string, number>> = { 2: 9, 3: likesOf3, 4: 7, 5: 6 };
    const tree = new ThreadTree(top, entries, view, (id) => likes[id] ?? 0);
    return [...tree.walk(start)].map(({ tweetId }) => tweetId);
  };
  expect([8, 100, 1].map(idsIf)).toEqual([
    ['4', '5'],
    ['4', '5'],
    ['4', '5', '3'],
  ]);
});

test('a cursor goes on where its tweet was, also after that was deleted, and a strange one shows nothing', () => {
  const top = { tweetId: '1', authorId: '9' };
  const entry = (tweetId: string, parentId: string, isGone = false): ThreadEntry => ({
    ...{ tweetId, parentId, authorId: '8' },
    isGone,
  });
  const view = { order: ThreadOrder.OLDEST, authorFirst: true, depth: 6, perParent: 10 };
  const tree = new ThreadTree(top, [entry('2', '1'), entry('3', '1', true), entry('4', '1')], view);
  const ids = (start: ThreadStart) => [...tree.walk(start)].map(({ tweetId }) => tweetId);
  expect(ids({ kind: 'top' })).toEqual(['1', '2', '4']);
  const after = { kind: 'after', within: null, counts: [1], likes: 0 } as const;
  expect(ids({ ...after, tweetId: '3' })).toEqual(['4']);
  expect(ids({ ...after, tweetId: '77' })).toEqual([]);
  expect(ids({ kind: 'more', parentId: '77', after: null, likes: undefined })).toEqual([]);
});

test('a conversation of 10,000 levels, and one of 10,000 replies to one tweet, are put in order without recursion', () => {
  const top = { tweetId: '1', authorId: '9' };
  const view = { order: ThreadOrder.NEWEST, authorFirst: true, depth: 20, perParent: 100 };
  const chain = Array.from({ length: 9999 }, (_, n) => ({
    ...{ tweetId: String(n + 2), parentId: String(n + 1), authorId: '9' },
    isGone: n > 9000,
  }));
  const deep = [...new ThreadTree(top, chain, view).walk({ kind: 'top' })];
  expect(deep.at(-1)).toMatchObject({ tweetId: '21', depth: 20, more: { count: 1, after: null } });
  const further = [
    ...new ThreadTree(top, chain, view).walk({
      kind: 'more',
      parentId: '9000',
      after: null,
      likes: undefined,
    }),
  ];
  expect(further.map(({ tweetId, depth }) => [tweetId, depth])).toEqual([
    ['9001', 9000],
    ['9002', 9001],
  ]);
  const flat = Array.from({ length: 9999 }, (_, n) => ({
    ...{ tweetId: String(n + 2), parentId: '1', authorId: '8' },
    isGone: false,
  }));
  const [first, newest] = new ThreadTree(top, flat, view).walk({ kind: 'top' });
  expect([first?.more?.count, newest?.tweetId]).toEqual([9899, '10000']);
});
