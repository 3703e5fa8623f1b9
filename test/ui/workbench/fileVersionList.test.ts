import { expect, test } from '@jest/globals';
import type { FileVersion } from '../../../src/domain/directory.js';
import {
  changeWords,
  deletedFiles,
  shownAge,
} from '../../../src/ui/pages/workbench/files/fileVersionList.js';

const NOW = Date.parse('2026-03-10T12:00:00Z');

test.each([
  ['2026-03-10T12:00:05Z', 'just now'],
  ['2026-03-10T11:59:57Z', 'just now'],
  ['2026-03-10T11:59:30Z', '30 s ago'],
  ['2026-03-10T11:54:10Z', '5 min ago'],
  ['2026-03-10T09:30:00Z', '2 h ago'],
  ['2026-03-07T09:30:00Z', '3 d ago'],
  ['no time', 'no time'],
])('%s was %s', (at, age) => {
  expect(shownAge(at, NOW)).toBe(age);
});

test('a change says who made it where that is known', () => {
  expect(changeWords({ what: 'deleted', user: 'ada' })).toBe('Deleted by ada');
  expect(changeWords({ what: 'replaced', user: 'local' })).toBe('Replaced');
  expect(changeWords({ what: 'replaced', user: null })).toBe('Replaced');
});

test('deleted files are those that are not there, each with its last version', () => {
  const version = (number: string, path: string): FileVersion => ({
    version: number,
    path,
    at: '2026-03-10T11:00:00Z',
    size_bytes: 1,
    user: null,
    what: 'deleted',
  });
  const versions = [version('4', 'a'), version('3', 'b'), version('2', 'a'), version('1', 'c')];
  expect(deletedFiles(versions, ['b']).map((one) => one.version)).toEqual(['4', '1']);
});
