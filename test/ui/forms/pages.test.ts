import { describe, expect, test } from '@jest/globals';
import { settingsShape } from '../../../src/config/settings/shape.js';
import type { JsonObject } from '../../../src/domain/json.js';
import { effectOf, foundLocations } from '../../../src/ui/pages/settings/options.js';
import { bodyOf, defaultsOf, entryIssues, ownOf } from '../../../src/ui/pages/startup/entry.js';

const settings: JsonObject = {
  generation: { timezone: 'Europe/Berlin', batch: { size: 500, delay: 1 }, plugins: [] },
};

describe('a startup entry', () => {
  const defaults = defaultsOf(settings);

  test('has the defaults of the settings', () => {
    expect(defaults).toMatchObject({
      timezone: 'Europe/Berlin',
      batch: { size: 500, delay: 1 },
      autostart: true,
    });
    expect(Object.keys(defaults)).not.toContain('plugins');
    expect(Object.keys(defaults)).not.toContain('path');
  });

  test('shows only what is its own', () => {
    const entry: JsonObject = {
      ...defaults,
      id: 'a',
      path: 'a/generator.yml',
      seed: '7',
      batch: { size: 500, delay: null },
    };
    expect(ownOf(entry, defaults)).toEqual({ path: 'a/generator.yml', seed: '7', batch: { delay: null } });
  });

  test('is sent with null for extension keys that it does not have', () => {
    expect(bodyOf({ path: 'a', seed: '7' })).toEqual({
      path: 'a',
      seed: '7',
      from: null,
      retry: null,
      template_limits: null,
      checkpoint: null,
      isolation: null,
      partitions: null,
      runs_on: null,
    });
  });

  test('is checked over its defaults', () => {
    expect(entryIssues('a', { path: 'a', batch: { size: null } }, defaults)).toEqual([]);
    expect(entryIssues('a', { path: 'a', batch: { size: null, delay: null } }, defaults)).toMatchObject([
      { path: ['batch'] },
    ]);
    expect(entryIssues('a', { path: 'a', retry: { base_delay: 9 } }, defaults)).toMatchObject([
      { path: ['retry', 'max_delay'] },
    ]);
  });
});

describe('settings', () => {
  test.each([
    [['path', 'logs'], 'restarts all generators'],
    [['server', 'api_enabled'], 'restarts all generators'],
    [['generation', 'thread_heap_mb'], 'restarts all generators'],
    [['server', 'port'], 'reopens the listener'],
    [['generation', 'timezone'], 'restarts changed generators'],
  ])('%j %s', (place, effect) => {
    expect(effectOf(place)).toBe(effect);
  });

  test('a search finds options by name and help, with what is around and in them', () => {
    const fields = settingsShape.fields ?? {};
    const found = foundLocations(fields, ' SSL ');
    expect(found.has('server')).toBe(true);
    expect(found.has('server.ssl.cert_key')).toBe(true);
    expect(found.has('server.port')).toBe(false);
    expect(foundLocations(fields, 'exponential backoff').has('generation.retry.attempts')).toBe(true);
    expect(foundLocations(fields, 'nothing of that kind').size).toBe(0);
  });
});
