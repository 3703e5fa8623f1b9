import { describe, expect, test } from '@jest/globals';
import { parseLease, parseNode, printClusterDocument } from '../../../src/cluster/documents.js';
import { clusterAnswers, clusterInfo } from '../../../src/daemon/cluster/report.js';
import { noteParsed } from '../../../src/daemon/cluster/view.js';
import { left } from '../../support/either.js';
import { fakeNode } from './fakeNode.js';

const FILE = { name: 'lab', lease: 15 };

const setUp = (...runs_on: readonly Readonly<Record<string, string>>[]) => {
  const fake = fakeNode();
  fake.addNode('a', { labels: { zone: 'x' } });
  fake.addNode('b', { labels: { zone: 'y' } });
  fake.addEntries({ id: 'web', runs_on: runs_on[0] ?? {} });
  const read = () => clusterInfo(FILE, fake.node);
  return {
    ...fake,
    read,
    problem: () => read().tasks[0]?.problem,
    nodeOf: (name: string) => read().nodes.find((node) => node.name === name),
  };
};

describe('a task that no node takes names', () => {
  test('the label that no node has', () => {
    expect(setUp({ zone: 'z' }).problem()).toBe(
      'no node has label zone=z, which it runs on. Give a node this label in its cluster file, or change `runs_on`.',
    );
  });

  test('labels that no node has together', () => {
    const { addNode, problem } = setUp({ zone: 'x', disk: 'ssd' });
    addNode('b', { labels: { disk: 'ssd' } });
    expect(problem()).toContain('no node has all of the labels zone=x, disk=ssd');
  });

  test('what keeps each node from it', () => {
    const { addNode, sights, view, problem } = setUp({ zone: 'x' });
    for (const name of ['c', 'd', 'e', 'f', 'g']) addNode(name, { labels: { zone: 'x' } });
    addNode('e', {
      labels: { zone: 'x' },
      refused: [{ reason: 'secret "db" is missing', tasks: ['g.web'] }],
    });
    addNode('f', { labels: { zone: 'x' }, capacity: 0 });
    sights.set('c', { isLost: true });
    sights.set('g', { isSteady: false });
    view.drained.add('a');
    view.drained.add('d');
    expect(problem()).toBe(
      'no node can take it (a, d: drained; b: without label zone=x; c: lost; e: refuses it: secret "db" is missing; ' +
        'f: capacity 0; g: joining)',
    );
  });

  test('a lease of a newer format, and what to do', () => {
    const { view, problem } = setUp();
    const newer = new TextEncoder().encode('{"format": 9}');
    noteParsed('g.web', parseLease(newer), view.leases, view.unreadable.leases);
    expect(problem()).toBe(
      'its lease g.web has format 9, newer than format 2 of this version. Update node "a".',
    );
    const since = '2026-01-01T00:00:00Z';
    const lease = printClusterDocument({ format: 2, node: 'b', session: 's', epoch: 1, deaths: 0, since });
    noteParsed('g.web', parseLease(lease), view.leases, view.unreadable.leases);
    expect(problem()).not.toContain('lease');
  });

  test('its quarantine, also while a node holds it', () => {
    const { view, holders, problem } = setUp();
    holders.set('g.web', 'b');
    expect(problem()).toBeNull();
    view.wanted.set('web', { format: 1, state: 'stopped', quarantine: 'it ended its process' });
    expect(problem()).toBe('it ended its process');
  });

  test('the node that is about to take it, and what is wrong with that node', () => {
    const { addNode, owners, problem } = setUp();
    owners.set('g.web', 'b');
    expect(problem()).toBe('node "b" is about to take it');
    addNode('b', { problems: ['NATS does not permit its user to publish to "x".'] });
    expect(problem()).toBe(
      'node "b" is about to take it, but NATS does not permit its user to publish to "x".',
    );
  });
});

describe('a node', () => {
  test('joins until it is steady, and is lost after a lease of silence', () => {
    const { sights, nodeOf } = setUp();
    expect(nodeOf('b')?.phase).toBe('member');
    sights.set('b', { isSteady: false });
    expect(nodeOf('b')?.phase).toBe('joining');
    sights.set('b', { isLost: true });
    expect(nodeOf('b')?.phase).toBe('lost');
  });

  test('whose document has a newer format is shown, with what to do', () => {
    const { view, nodeOf } = setUp();
    const newer = new TextEncoder().encode('{"format": 9}');
    noteParsed('b', parseNode(newer), view.nodes, view.unreadable.nodes);
    expect(nodeOf('b')).toMatchObject({
      version: 'unknown',
      problems: ['its document has format 9, newer than format 2 of this version. Update node "a".'],
    });
  });

  test('whose name another daemon has says so', () => {
    const { state, nodeOf } = setUp();
    Object.assign(state, { isNameTaken: true, phase: 'waiting' });
    expect(nodeOf('a')?.problems).toEqual([
      'another daemon has the name "a", or had it less than a lease ago: this one waits. If it stays so, stop one of them, or set another `node` in its cluster file.',
    ]);
  });

  test('names the permissions that its NATS user lacks, its own and those that others report', () => {
    const { state, view, sights, addNode, nodeOf } = setUp();
    state.denied = ['publish to "$KV.spate-lab-globals.shop"'];
    expect(nodeOf('a')?.problems).toEqual([
      'NATS does not permit its user to publish to "$KV.spate-lab-globals.shop". Correct the permissions.',
    ]);
    view.nodes.delete('a');
    sights.set('a', { seenMs: Number.NEGATIVE_INFINITY });
    expect(nodeOf('a')).toMatchObject({
      phase: 'member',
      seen_seconds_ago: 0,
      problems: [expect.anything()],
    });
    addNode('b', { problems: ['NATS does not permit ...'] });
    expect(nodeOf('b')?.problems).toEqual(['NATS does not permit ...']);
  });
});

describe('removing a node', () => {
  const remover = () => {
    const fake = setUp();
    const answers = clusterAnswers(FILE as never, fake.node);
    return { ...fake, remove: async (node: string) => answers['cluster.remove']({ node }) };
  };

  test('removes a lost one by the revision that was silent, and its order to drain', async () => {
    const { sights, removed, remove } = remover();
    sights.set('b', { isLost: true, revision: 7 });
    expect(await remove('b')).toMatchObject({ _tag: 'Right' });
    expect(removed).toEqual([
      ['b', 7],
      ['orders.b', null],
    ]);
  });

  test('is refused for a live one, for the node that answers, and for an unknown one', async () => {
    const { sights, removed, remove } = remover();
    sights.set('b', { silentMs: 4_000 });
    expect(left(await remove('b'))).toMatchObject({
      code: 'wrong_state',
      message: 'node "b" is not lost: it was heard 4 s ago. Stop it, and it leaves by itself.',
    });
    expect(left(await remove('a')).code).toBe('wrong_state');
    expect(left(await remove('z'))).toMatchObject({ code: 'not_found' });
    expect(removed).toEqual([]);
  });

  test('is refused for one that beats at this moment', async () => {
    const { sights, state, removed, remove } = remover();
    sights.set('b', { isLost: true });
    state.isConflict = true;
    expect(left(await remove('b')).code).toBe('wrong_state');
    expect(removed).toHaveLength(1);
  });

  test('forgets the order to drain of one that has left', async () => {
    const { view, removed, remove } = remover();
    view.drained.add('c');
    expect(await remove('c')).toMatchObject({ _tag: 'Right' });
    expect(removed).toEqual([['orders.c', null]]);
  });
});
