import { expect, test } from '@jest/globals';
import { placeOf, searchOf } from '../../../src/ui/pages/workbench/address.js';

test('the address holds the open file and the preview', () => {
  const place = { file: 'parts/a b.jinja', view: 'state' } as const;
  expect(placeOf(searchOf(place))).toEqual(place);
});

test('the config with its events has a short address', () => {
  expect(searchOf({ file: null, view: 'events' })).toBe('');
  expect(placeOf('?view=nonsense')).toEqual({ file: null, view: 'events' });
});
