import { describe, expect, test } from '@jest/globals';
import type { ClusterNodeInfo } from '../../../src/messages/cluster.js';
import {
  drainWords,
  lostCluster,
  nodeLookOf,
  nodeShareOf,
  nodesOf,
  resumeWords,
} from '../../../src/ui/pages/cluster/nodes.js';
import type { ClusterState } from '../../../src/ui/parts/useCluster.js';

const node = (name: string, more: Partial<ClusterNodeInfo> = {}): ClusterNodeInfo => ({
  name,
  phase: 'member',
  api: null,
  version: '1.0.0',
  capacity: 1,
  labels: {},
  generators: 1_200,
  events_per_second: 0,
  cpu: 0,
  seen_seconds_ago: 0,
  is_drained: false,
  refused: [],
  problems: [],
  ...more,
});

const cluster = (more: Partial<ClusterState>): ClusterState => ({
  enabled: true,
  name: 'c',
  node: 'a',
  phase: 'member',
  is_connected: true,
  state_age_seconds: 1,
  lease_seconds: 15,
  nodes: [node('a', { seen_seconds_ago: 75 }), node('b')],
  tasks: [],
  counters: {
    takeovers: 0,
    last_takeover_ms: 0,
    moves: 0,
    isolations: 0,
    bucket_reads: 0,
    bucket_writes: 0,
  },
  ...more,
});

describe('the state of a node in a word', () => {
  test('a node that a person drains is drained once it has no generators', () => {
    expect(nodeLookOf(node('a', { is_drained: true }))).toMatchObject({ word: 'draining' });
    expect(nodeLookOf(node('a', { is_drained: true, generators: 0 }))).toMatchObject({ word: 'drained' });
  });

  test('a drained node that is gone is lost', () => {
    expect(nodeLookOf(node('a', { is_drained: true, generators: 0, phase: 'lost' })).word).toBe('lost');
  });
});

describe('the share of a node', () => {
  test('is its capacity of that of all nodes that take generators', () => {
    const nodes = [
      node('a', { capacity: 1 }),
      node('b', { capacity: 3 }),
      node('c', { capacity: 4, is_drained: true }),
      node('d', { capacity: 8, phase: 'lost' }),
    ];
    expect(nodes.map((one) => nodeShareOf(one, nodes))).toEqual(['25 %', '75 %', null, null]);
  });

  test('is none without capacity, and never 0 % with some', () => {
    const nodes = [node('a', { capacity: 0 }), node('b', { capacity: 1 }), node('c', { capacity: 999 })];
    expect(nodes.map((one) => nodeShareOf(one, nodes))).toEqual([null, 'under 1 %', '100 %']);
  });
});

describe('the question before a drain', () => {
  test('says how many generators move, and to how many nodes', () => {
    const [a, ...others] = [node('a'), node('b'), node('c', { phase: 'lost' })] as const;
    const words = drainWords(a, [a, ...others]);
    expect(words).toContain('a gives its 1,200 generators to 1 other node.');
    expect(words).toContain('a takes no generators until you resume it, also after a restart');
  });

  test('says that they stop if no other node takes them', () => {
    const a = node('a');
    expect(drainWords(a, [a, node('b', { capacity: 0 })])).toContain(
      'No other node takes generators now. If you drain a, its 1,200 generators stop until one does.',
    );
  });

  test('says of a node without generators only what comes', () => {
    expect(drainWords(node('a', { generators: 0 }), [])).toBe(
      'a takes no generators until you resume it, also after a restart.',
    );
  });

  test('a resumed node takes its share again', () => {
    const a = node('a', { is_drained: true, phase: 'draining', generators: 0 });
    expect(resumeWords(a, [a, node('b')])).toContain('a takes about 50 % of the cluster again.');
    const lost = node('a', { is_drained: true, phase: 'lost' });
    expect(resumeWords(lost, [lost, node('b')])).toContain('a takes its part of the cluster again.');
  });
});

describe('a node without its cluster', () => {
  test('says how old its picture is', () => {
    const lost = lostCluster(cluster({ is_connected: false, phase: 'isolated' }));
    expect(lost?.title).toBe('Node a has lost the cluster');
    expect(lost?.words).toContain('What you see is 1 min 15 s old.');
    expect(lost?.words).toContain('It has stopped its generators');
  });

  test('says when it stops its generators', () => {
    const nodes = [node('a', { seen_seconds_ago: 4 })];
    expect(lostCluster(cluster({ is_connected: false, phase: 'isolated', nodes }))?.words).toContain(
      '10 s after the loss it stops its generators',
    );
  });

  test('knows nothing of the other nodes', () => {
    const words = nodesOf(cluster({ is_connected: false })).map((one) => nodeLookOf(one).word);
    expect(words).toEqual(['isolated', 'unknown']);
    expect(nodesOf(cluster({})).map((one) => nodeLookOf(one).word)).toEqual(['member', 'member']);
  });

  test('says so also while it is connected again and not yet a member', () => {
    expect(lostCluster(cluster({ phase: 'isolated' }))).not.toBeNull();
  });

  test('a member says nothing', () => {
    expect(lostCluster(cluster({}))).toBeNull();
  });
});
