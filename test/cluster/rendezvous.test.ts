import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makePlacement, type PlacementNode } from '../../src/cluster/placement.js';
import { beats, drawOf, fitsNode, hashOfText } from '../../src/cluster/rendezvous.js';
import { type PlacedEntry, type Task, tasksOf, taskTable } from '../../src/cluster/tasks.js';

type WeightedNode = Omit<PlacementNode, 'refused'>;

/** Nodes that can own a task, the owner first: what the placement must agree with. */
const ownersOf = (
  task: Pick<Task, 'name' | 'runs_on' | 'problem'>,
  nodes: readonly WeightedNode[],
  hasRefused: (node: string) => boolean = () => false,
): readonly string[] => {
  if (task.problem !== null) return [];
  const { high, low } = hashOfText(task.name);
  return nodes
    .filter(
      ({ node, capacity, labels }) => capacity > 0 && fitsNode(task.runs_on, labels) && !hasRefused(node),
    )
    .map(({ node, capacity }) => {
      const hash = hashOfText(node);
      return { node, capacity, draw: drawOf(high, low, hash.high, hash.low) };
    })
    .sort((a, b) => {
      if (beats(a.capacity, a.draw, b.capacity, b.draw)) return -1;
      if (beats(b.capacity, b.draw, a.capacity, a.draw)) return 1;
      return a.node < b.node ? -1 : 1;
    })
    .map(({ node }) => node);
};

const nodesOf = (count: number, capacity = (_: number): number => 1): readonly WeightedNode[] =>
  Array.from({ length: count }, (_, i) => ({ node: `node-${i}`, capacity: capacity(i), labels: {} }));

const entriesOf = (count: number): readonly PlacedEntry[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `generator-${i}`,
    scenarios: [],
    partitions: 1,
    runs_on: i % 10 === 0 ? { zone: i % 20 === 0 ? 'a' : 'b' } : {},
  }));

const tasks = tasksOf(entriesOf(10_000));
const free = tasks.map((task) => ({ ...task, runs_on: {} }));
const table = taskTable(free);

/** Owners by the fast placement, which equals `ownersOf`. */
const ownersBy = (nodes: readonly WeightedNode[]): readonly (string | null)[] => {
  const placement = makePlacement(table);
  placement.setNodes(nodes.map((node) => ({ ...node, refused: [] })));
  return free.map((_, task) => placement.ownerOf(task));
};

describe('rendezvous hashing', () => {
  test('owners never change with a version of Spate', () => {
    const shown = ({ high, low }: { readonly high: number; readonly low: number }) => [high >>> 0, low >>> 0];
    expect(shown(hashOfText('s.shop'))).toMatchInlineSnapshot(`
[
  1960277279,
  2975660380,
]
`);
    expect(shown(hashOfText('node-a'))).toMatchInlineSnapshot(`
[
  3828789727,
  602472293,
]
`);
    expect(drawOf(1, 2, 3, 4)).toMatchInlineSnapshot(`0.8544851814264003`);
    expect(
      ownersOf(
        { name: 's.shop', runs_on: {}, problem: null },
        nodesOf(6, (i) => 1 + (i % 2)),
      ),
    ).toMatchInlineSnapshot(`
[
  "node-3",
  "node-2",
  "node-5",
  "node-1",
  "node-4",
  "node-0",
]
`);
  });

  test('10,000 tasks balance over 100 nodes by their capacity', () => {
    const capacityOf = (i: number): number => 1 + (i % 4) * 0.5;
    const nodes = nodesOf(100, capacityOf);
    const total = nodes.reduce((sum, { capacity }) => sum + capacity, 0);
    const counts = new Map<string, number>();
    for (const owner of ownersBy(nodes)) counts.set(owner ?? '', (counts.get(owner ?? '') ?? 0) + 1);
    // One node has 57 to 143 tasks, which vary by a tenth by chance: nodes of one capacity are added up.
    for (let kind = 0; kind < 4; kind++) {
      const ofKind = nodes.filter((_, i) => i % 4 === kind);
      const share = ofKind.reduce((sum, { node }) => sum + (counts.get(node) ?? 0), 0);
      const wanted = (10_000 * ofKind.length * capacityOf(kind)) / total;
      expect(Math.abs(share / wanted - 1)).toBeLessThan(0.15);
    }
    const relative = nodes.map(
      ({ node, capacity }) => ((counts.get(node) ?? 0) * total) / (10_000 * capacity),
    );
    const spread = Math.sqrt(relative.reduce((sum, one) => sum + (one - 1) ** 2, 0) / relative.length);
    expect(spread).toBeLessThan(0.15);
  });

  test('a lost node moves only its tasks', () => {
    const nodes = nodesOf(20);
    const before = ownersBy(nodes);
    const after = ownersBy(nodes.slice(1));
    const moved = before.filter((owner, i) => owner !== 'node-0' && after[i] !== owner);
    expect(moved).toEqual([]);
    expect(before).toContain('node-0');
  });

  test('a new node takes its share from all, and nothing else moves', () => {
    const before = ownersBy(nodesOf(19));
    const after = ownersBy(nodesOf(20));
    const moved = after.filter((owner, i) => owner !== before[i]);
    expect(new Set(moved)).toEqual(new Set(['node-19']));
    expect(moved.length).toBeLessThanOrEqual((10_000 / 20) * 1.1);
  });

  test('capacity 0 owns nothing', () => {
    expect(
      ownersOf(
        free[0]!,
        nodesOf(3, (i) => (i === 1 ? 0 : 1)),
      ),
    ).toHaveLength(2);
    expect(
      ownersOf(
        free[0]!,
        nodesOf(3, () => 0),
      ),
    ).toEqual([]);
  });

  test('a task goes to nodes with its labels that have not refused it', () => {
    const nodes = [
      { node: 'a', capacity: 1, labels: { zone: 'a' } },
      { node: 'b', capacity: 1, labels: { zone: 'b', disk: 'ssd' } },
      { node: 'c', capacity: 1, labels: { zone: 'b' } },
    ];
    const task = { name: 'g.x', runs_on: { zone: 'b' }, problem: null };
    expect([...ownersOf(task, nodes)].sort()).toEqual(['b', 'c']);
    expect(ownersOf(task, nodes, (node) => node === 'b')).toEqual(['c']);
    expect(ownersOf({ ...task, problem: 'a conflict' }, nodes)).toEqual([]);
  });

  test('names of prototypes are no labels', () => {
    expect(fitsNode(JSON.parse('{"__proto__": "x"}'), {})).toBe(false);
    expect(fitsNode({ constructor: 'x' }, {})).toBe(false);
    expect(fitsNode(JSON.parse('{"__proto__": "x"}'), JSON.parse('{"__proto__": "x"}'))).toBe(true);
  });

  test('the order of the nodes does not matter', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...nodesOf(12, (i) => 1 + (i % 3))], { minLength: 12 }),
        fc.string(),
        (nodes, name) => {
          const task = { name, runs_on: {}, problem: null };
          expect(ownersOf(task, nodes)).toEqual(
            ownersOf(
              task,
              nodesOf(12, (i) => 1 + (i % 3)),
            ),
          );
        },
      ),
    );
  });
});

describe('placement', () => {
  const few = taskTable(tasksOf(entriesOf(60)));
  const node: fc.Arbitrary<PlacementNode> = fc.record({
    node: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    capacity: fc.constantFrom(0, 1, 1, 2.5),
    labels: fc.constantFrom<PlacementNode['labels']>({}, { zone: 'a' }, { zone: 'b', disk: 'ssd' }),
    refused: fc.subarray([...few.tasks.slice(0, 8).map(({ name }) => name), 'g.unknown']),
  });
  const nodes = fc.uniqueArray(node, { selector: (one) => one.node });

  test('equals the plain function after any changes, and names every task whose owner changed', () => {
    fc.assert(
      fc.property(fc.array(nodes, { minLength: 1, maxLength: 12 }), (steps) => {
        const placement = makePlacement(few);
        let before: readonly (string | null)[] = few.tasks.map(() => null);
        for (const step of steps) {
          const changed = new Set(placement.setNodes(step));
          const after = few.tasks.map((_, task) => placement.ownerOf(task));
          expect(after).toEqual(
            few.tasks.map(
              (task) =>
                ownersOf(
                  task,
                  step,
                  (name) => step.find((one) => one.node === name)?.refused.includes(task.name) ?? false,
                )[0] ?? null,
            ),
          );
          after.forEach((owner, task) => {
            if (owner !== before[task]) expect(changed).toContain(task);
          });
          before = after;
        }
      }),
      { numRuns: 100 },
    );
  });
});
