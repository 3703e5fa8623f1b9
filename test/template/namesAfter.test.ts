import { expect, test } from '@jest/globals';
import { namesAfter } from '../../src/template/namesAfter.js';

const name = (text: string) => ({ kind: 'name', name: text });
const NOTHING = { kind: 'nothing' };
const KEY = { kind: 'key' };

test.each([
  ['{{ a.locale.de }}', [{ owner: 'a', follows: name('de') }]],
  ["{{ a.b['locale']['de'] }}", [{ owner: 'b', follows: name('de') }]],
  ['{{ f().locale.de }}', [{ owner: null, follows: name('de') }]],
  ['{{ a.locale[x] }}', [{ owner: 'a', follows: KEY }]],
  ['{{ a.locale }}', [{ owner: 'a', follows: NOTHING }]],
  [
    '{{ a.locale(b.locale) }}',
    [
      { owner: 'a', follows: { kind: 'call' } },
      { owner: 'b', follows: NOTHING },
    ],
  ],
  ["{{ a | attr('locale') }}", [{ owner: null, follows: NOTHING }]],
  ["{{ a | map(attribute='x.locale.y') }}", [{ owner: null, follows: NOTHING }]],
  [
    '{% if a.locale.de %}{% for x in b.locale.en %}{% endfor %}{% endif %}',
    [
      { owner: 'a', follows: name('de') },
      { owner: 'b', follows: name('en') },
    ],
  ],
  ["{{ locale.de }}{{ 'locale' }}{{ {'locale': 1} }}{% raw %}{{ a.locale }}{% endraw %}", []],
])('as an attribute in %s', (source, found) => {
  expect(namesAfter(source, { locale: 'attribute' })).toEqual({ locale: found });
});

test.each([
  ['{{ module.faker.x }}{{ a.module.b }}', [{ owner: null, follows: name('faker') }]],
  ['{{ f(module) }}', [{ owner: null, follows: NOTHING }]],
  ['{{ module[x] }}', [{ owner: null, follows: KEY }]],
])('as a variable in %s', (source, found) => {
  expect(namesAfter(source, { module: 'variable' })).toEqual({ module: found });
});

test('a text that does not parse has no uses', () => {
  expect(namesAfter('{{ a.locale. }}', { locale: 'attribute' })).toBeNull();
});
