import { describe, expect, test } from '@jest/globals';
import { statusText } from '../../../src/cli/commands/cluster/runStatus.js';
import type { ClusterInfo, ClusterNodeInfo } from '../../../src/messages/cluster.js';

const node = (name: string, more: Partial<ClusterNodeInfo> = {}): ClusterNodeInfo => ({
  name,
  phase: 'member',
  api: null,
  version: '1.2.0',
  capacity: 1,
  labels: {},
  generators: 0,
  events_per_second: 0,
  cpu: 0,
  seen_seconds_ago: 0,
  is_drained: false,
  refused: [],
  problems: [],
  ...more,
});

const linesOf = (...nodes: readonly ClusterNodeInfo[]): readonly string[] => {
  const info: ClusterInfo = {
    name: 'lab',
    node: 'a',
    phase: 'member',
    is_connected: true,
    state_age_seconds: 0,
    lease_seconds: 15,
    nodes,
    tasks: [],
    counters: {
      takeovers: 0,
      last_takeover_ms: 0,
      moves: 0,
      isolations: 0,
      bucket_reads: 0,
      bucket_writes: 0,
    },
  };
  return statusText(info, 'spate').split('\n');
};

describe('the status of a cluster', () => {
  test('names the versions where they differ, and only there', () => {
    expect(linesOf(node('a'), node('b', { version: '1.3.0' }))).toContain(
      'versions differ: a 1.2.0, b 1.3.0',
    );
    expect(linesOf(node('a'), node('b')).join()).not.toContain('versions');
  });

  test('says why a node runs some tasks not', () => {
    const refused = [{ reason: 'generation.timezone is "UTC" on this node', tasks: ['g.web', 'g.mail'] }];
    expect(linesOf(node('a'), node('b', { refused }))).toContain(
      'b refuses 2 tasks: generation.timezone is "UTC" on this node',
    );
  });
});
