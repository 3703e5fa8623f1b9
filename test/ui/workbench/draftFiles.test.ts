import { describe, expect, test } from '@jest/globals';
import { draftFiles } from '../../../src/ui/pages/workbench/draftFiles.js';

const drafts = (texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([path, text]) => [path, { text }]));

describe('unsaved texts in a preview', () => {
  test('stand for all files but the config', () => {
    const given = drafts({ 'generator.yml': 'input: []', 'parts/b.jinja': 'b', 'a.csv': 'a' });
    expect(draftFiles(given, 'generator.yml', { template: {} })).toEqual({
      files: { 'a.csv': 'a', 'parts/b.jinja': 'b' },
      unseen: [],
    });
  });

  test('are not taken for logs, which are read from their files', () => {
    expect(draftFiles(drafts({ 'lines.log': 'x' }), 'generator.yml', { replay: {} })).toEqual({
      files: {},
      unseen: ['lines.log'],
    });
  });

  test('are named where a request has no room for them', () => {
    const large = 'x'.repeat(262_144);
    const given = drafts({ a: large, b: large, c: large, d: large, e: `${large}x`, f: 'small' });
    const { files, unseen } = draftFiles(given, 'generator.yml', { script: {} });
    expect(Object.keys(files)).toEqual(['a', 'b', 'c', 'f']);
    expect(unseen).toEqual(['d', 'e']);
  });
});
