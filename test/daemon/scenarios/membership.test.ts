import { describe, expect, test } from '@jest/globals';
import { membership, NO_MEMBERSHIP } from '../../../src/daemon/generators.js';
import { failure } from '../../../src/domain/errors.js';
import type { StartupEntry } from '../../../src/domain/generator.js';
import { paramsOf } from '../../support/pipelines/scriptedHost.js';

const entry = (id: string, ...scenarios: readonly string[]): StartupEntry => ({
  ...paramsOf(id),
  autostart: true,
  scenarios,
  partitions: 1,
  runs_on: {},
});

describe('members of scenarios', () => {
  test('is what the list said last, at the next start', () => {
    const members = membership();
    members.noteEntries({ entries: [entry('a', 'one', 'two'), entry('b')], rejected: [] });
    expect(members.atStart('a', [])).toEqual(['one', 'two']);
    members.noteEntries({ entries: [entry('b', 'three')], rejected: [] });
    expect(members.atStart('a', ['one'])).toEqual([]);
    expect(members.atStart('b', [])).toEqual(['three']);
  });

  test('stays while its entry is invalid', () => {
    const members = membership();
    members.noteEntries({ entries: [entry('a', 'one')], rejected: [] });
    const error = failure('invalid', 'unknown key');
    members.noteEntries({
      entries: [],
      rejected: [{ index: 0, id: 'a', written: { id: 'a' }, error, autostart: true }],
    });
    expect(members.atStart('a', [])).toEqual(['one']);
    expect([...members.names()]).toEqual(['one']);
  });

  test('a scenario exists while the list names it or a member runs', () => {
    const members = membership();
    members.noteEntries({ entries: [entry('a', 'one')], rejected: [] });
    members.joined('a', ['one', 'old']);
    expect([...members.names()].sort()).toEqual(['old', 'one']);
    members.noteEntries({ entries: [], rejected: [] });
    expect([...members.names()].sort()).toEqual(['old', 'one']);
    expect([...members.running()]).toEqual([['a', ['one', 'old']]]);
    members.left('a');
    members.left('a');
    expect([...members.names()]).toEqual([]);
  });

  test('in a single run it is what the generator was registered with', () => {
    NO_MEMBERSHIP.joined('a', ['x']);
    NO_MEMBERSHIP.left('a');
    expect(NO_MEMBERSHIP.atStart('a', ['one'])).toEqual(['one']);
  });
});
