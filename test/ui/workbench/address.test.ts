import { expect, test } from '@jest/globals';
import { searchOf, workbenchAddressOf } from '../../../src/ui/pages/workbench/address.js';

test('the address holds the open file, the preview and how the config is edited', () => {
  const place = { file: 'parts/a b.jinja', view: 'state', editing: 'both' } as const;
  expect(workbenchAddressOf(searchOf(place))).toEqual(place);
});

test('the config as text with its events has a short address', () => {
  expect(searchOf({ file: null, view: 'events', editing: 'text' })).toBe('');
  expect(workbenchAddressOf('?view=nonsense&edit=nonsense')).toEqual({
    file: null,
    view: 'events',
    editing: 'text',
  });
});
