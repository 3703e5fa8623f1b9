/** Cases of the methods of built-in types; each method has at least one that fails. */
export const STR_CASES: Readonly<Record<string, readonly string[]>> = {
  capitalize: [
    "{{ 'aBC'.capitalize() }}",
    "{{ ''.capitalize() }}{{ 'ǆa'.capitalize() }}{{ 'éÉ'.capitalize() }}",
    "{{ 'a'.capitalize(1) }}",
  ],
  casefold: ["{{ 'ABC'.casefold() }}", "{{ 'ßΣ'.casefold() }}", "{{ 'a'.casefold(1) }}"],
  center: [
    "[{{ 'ab'.center(5) }}]",
    "[{{ 'abc'.center(6, '*') }}][{{ 'ab'.center(1) }}][{{ '😀'.center(4, '-') }}]",
    "{{ 'a'.center(5, 'xy') }}",
    "{{ 'a'.center() }}",
  ],
  count: [
    "{{ 'aXbXc'.count('X') }}",
    "{{ 'aaa'.count('a', 1) }} {{ 'aaa'.count('') }} {{ 'abcabc'.count('abc', 0, -1) }}",
    "{{ 'a'.count(1) }}",
  ],
  encode: [
    "{{ 'aé'.encode() }}",
    "{{ 'aé'.encode('latin-1') }} {{ 'é'.encode('ascii', 'ignore') }} {{ 'é'.encode('ascii', 'replace') }} {{ 'a\"\\''.encode() }}",
    "{{ 'é'.encode('ascii') }}",
    "{{ 'a'.encode('nope') }}",
  ],
  endswith: [
    "{{ 'abc'.endswith('c') }}",
    "{{ 'abc'.endswith(('x', 'bc')) }} {{ 'abc'.endswith('b', 0, 2) }} {{ 'abc'.endswith('') }}",
    "{{ 'a'.endswith(1) }}",
  ],
  expandtabs: [
    "{{ 'a\tb'.expandtabs() }}",
    "{{ 'a\tb'.expandtabs(4) }}|{{ '\t'.expandtabs(0) }}|{{ 'ab\n\tc'.expandtabs(tabsize=3) }}",
    "{{ 'a'.expandtabs('x') }}",
  ],
  find: [
    "{{ 'abcabc'.find('c') }}",
    "{{ 'abc'.find('x') }} {{ 'abc'.find('a', 1) }} {{ '😀b'.find('b') }} {{ 'abc'.find('') }} {{ 'abc'.find('', 9) }}",
    "{{ 'a'.find(1) }}",
  ],
  format: [
    "{{ '{} {}'.format(1, 'a') }} {{ '{0}{1}{0}'.format('a', 'b') }} {{ '{x}'.format(x=1) }}",
    "{{ '{:>5}|{:<5}|{:^5}|{:05d}|{:,}'.format('a', 'b', 'c', 42, 1234567) }}",
    "{{ '{:.2f} {:e} {:g} {:%} {:x} {:#x} {:b} {:o}'.format(3.14159, 12345.678, 0.0001, 0.25, 255, 255, 5, 8) }}",
    "{{ '{0[a]} {0[b][1]}'.format({'a': 1, 'b': [1, 2]}) }} {{ '{!r} {!s}'.format('a', 'b') }} {{ '{:{}}'.format('a', 5) }}|",
    "{{ '{{}}'.format() }} {{ '{:+d} {: d} {:=+5d} {:*^9}'.format(1, 2, 3, 'mid') }} {{ '{:_}'.format(1234567) }} {{ '{:,.2f}'.format(1234.5) }}",
    "{{ '{:d}'.format('a') }}",
    "{{ '{}'.format() }}",
    "{{ '{x}'.format() }}",
    "{{ '{'.format(1) }}",
    "{{ '}'.format(1) }}",
    "{{ '{} {0}'.format(1) }}",
    "{{ '{:.2}'.format('abc') }} {{ '{:n}'.format(5) }} {{ '{:c}'.format(65) }} {{ '{:G}'.format(1e-10) }} {{ '{:.3}'.format(1234.5) }} {{ '{:.0f}'.format(2.5) }} {{ '{:,}'.format(1e6) }}",
    "{{ '{:%Y-%m}'.format(ts) }} {{ '{0.year}'.format(ts) }} {{ '{}'.format([1]) }} {{ '{:010.2f}'.format(-3.14159) }} {{ '{:012,d}'.format(1234567) }} {{ '{}'.format(true) }} {{ '{:d}'.format(true) }}",
    "{{ '{:>5}'.format([1]) }}",
    "{{ '{:x}'.format(1.5) }}",
    "{{ '{:.2d}'.format(1) }}",
    "{{ '{!z}'.format(1) }}",
  ],
  format_map: [
    "{{ '{a}'.format_map({'a': 1}) }}",
    "{{ '{a[0]}'.format_map({'a': [5]}) }}{{ 'x'.format_map({}) }}",
    "{{ '{b}'.format_map({'a': 1}) }}",
  ],
  index: [
    "{{ 'abc'.index('b') }}",
    "{{ 'abcb'.index('b', 2) }} {{ '😀b'.index('b') }}",
    "{{ 'abc'.index('x') }}",
  ],
  isalnum: [
    "{{ 'a1'.isalnum() }} {{ 'a-'.isalnum() }}",
    "{{ ''.isalnum() }} {{ 'é²'.isalnum() }}",
    "{{ 'a'.isalnum(1) }}",
  ],
  isalpha: [
    "{{ 'ab'.isalpha() }} {{ 'a1'.isalpha() }}",
    "{{ ''.isalpha() }} {{ 'éß'.isalpha() }}",
    "{{ 'a'.isalpha(1) }}",
  ],
  isascii: ["{{ 'ab'.isascii() }}", "{{ 'é'.isascii() }} {{ ''.isascii() }}", "{{ 'a'.isascii(1) }}"],
  isdecimal: [
    "{{ '12'.isdecimal() }}",
    "{{ '²'.isdecimal() }} {{ ''.isdecimal() }} {{ '٣'.isdecimal() }}",
    "{{ 'a'.isdecimal(1) }}",
  ],
  isdigit: ["{{ '12'.isdigit() }}", "{{ '²'.isdigit() }} {{ '½'.isdigit() }}", "{{ 'a'.isdigit(1) }}"],
  isidentifier: [
    "{{ 'a_1'.isidentifier() }}",
    "{{ '1a'.isidentifier() }} {{ ''.isidentifier() }} {{ 'é'.isidentifier() }}",
    "{{ 'a'.isidentifier(1) }}",
  ],
  islower: ["{{ 'ab1'.islower() }}", "{{ 'aB'.islower() }} {{ '1'.islower() }}", "{{ 'a'.islower(1) }}"],
  isnumeric: [
    "{{ '1'.isnumeric() }}",
    "{{ '½'.isnumeric() }} {{ 'a'.isnumeric() }}",
    "{{ 'a'.isnumeric(1) }}",
  ],
  isprintable: [
    "{{ 'ab'.isprintable() }}",
    "{{ '\n'.isprintable() }} {{ ''.isprintable() }} {{ 'é '.isprintable() }}",
    "{{ 'a'.isprintable(1) }}",
  ],
  isspace: ["{{ ' \t'.isspace() }}", "{{ ''.isspace() }} {{ ' a'.isspace() }}", "{{ 'a'.isspace(1) }}"],
  istitle: [
    "{{ 'Ab Cd'.istitle() }}",
    "{{ 'ab'.istitle() }} {{ 'A B1c'.istitle() }} {{ ''.istitle() }}",
    "{{ 'a'.istitle(1) }}",
  ],
  isupper: [
    "{{ 'AB'.isupper() }}",
    "{{ 'Ab'.isupper() }} {{ '1'.isupper() }} {{ 'A1'.isupper() }}",
    "{{ 'a'.isupper(1) }}",
  ],
  join: [
    "{{ '-'.join(['a', 'b']) }}",
    "{{ ''.join('abc') }} {{ ','.join([]) }} {{ ','.join({'a': 1, 'b': 2}) }}",
    "{{ ','.join([1]) }}",
    "{{ ','.join(5) }}",
  ],
  ljust: ["[{{ 'a'.ljust(3) }}]", "[{{ 'a'.ljust(3, '.') }}][{{ 'abc'.ljust(1) }}]", "{{ 'a'.ljust('x') }}"],
  lower: ["{{ 'ABC'.lower() }}", "{{ 'ÄÖ'.lower() }}", "{{ 'a'.lower(1) }}"],
  lstrip: [
    "[{{ '  a '.lstrip() }}]",
    "[{{ 'xxa'.lstrip('x') }}][{{ 'abc'.lstrip('ba') }}]",
    "{{ 'a'.lstrip(1) }}",
  ],
  maketrans: [
    "{{ ''.maketrans('a', 'b') }}",
    "{{ ''.maketrans({'a': 'x'}) }} {{ ''.maketrans('ab', 'cd', 'e') }}",
    "{{ ''.maketrans('a', 'bc') }}",
  ],
  partition: ["{{ 'a=b=c'.partition('=') }}", "{{ 'abc'.partition('x') }}", "{{ 'a'.partition('') }}"],
  removeprefix: [
    "{{ 'abc'.removeprefix('a') }}",
    "{{ 'abc'.removeprefix('x') }}{{ 'abc'.removeprefix('') }}",
    "{{ 'a'.removeprefix(1) }}",
  ],
  removesuffix: [
    "{{ 'abc'.removesuffix('c') }}",
    "{{ 'abc'.removesuffix('x') }}{{ 'abc'.removesuffix('') }}",
    "{{ 'a'.removesuffix(1) }}",
  ],
  replace: [
    "{{ 'aXbX'.replace('X', '-') }}",
    "{{ 'aaa'.replace('a', 'b', 2) }} {{ 'ab'.replace('', '-') }} {{ 'ab'.replace('', '-', 1) }} {{ 'ab'.replace('', '-', 9) }} {{ 'a'.replace('a', '$&') }} {{ 'aa'.replace('a', 'b', 0) }}",
    "{{ 'a'.replace('a') }}",
  ],
  rfind: [
    "{{ 'abcabc'.rfind('c') }}",
    "{{ 'abc'.rfind('x') }} {{ 'abc'.rfind('c', 0, 2) }} {{ 'abc'.rfind('') }}",
    "{{ 'a'.rfind(1) }}",
  ],
  rindex: ["{{ 'abcabc'.rindex('c') }}", "{{ 'abcabc'.rindex('a', 1) }}", "{{ 'abc'.rindex('x') }}"],
  rjust: ["[{{ 'a'.rjust(3) }}]", "[{{ '7'.rjust(3, '0') }}]", "{{ 'a'.rjust(3, '') }}"],
  rpartition: ["{{ 'a=b=c'.rpartition('=') }}", "{{ 'abc'.rpartition('x') }}", "{{ 'a'.rpartition(1) }}"],
  rsplit: [
    "{{ 'a b c'.rsplit() }}",
    "{{ 'a,b,c'.rsplit(',', 1) }} {{ ' a  b  c '.rsplit(none, 1) }} {{ 'a.b'.rsplit('.', maxsplit=0) }} {{ ''.rsplit() }}",
    "{{ 'a'.rsplit('') }}",
  ],
  rstrip: ["[{{ ' a  '.rstrip() }}]", "[{{ 'axx'.rstrip('x') }}]", "{{ 'a'.rstrip(1) }}"],
  split: [
    "{{ 'a b  c'.split() }}",
    "{{ 'a,b,,c'.split(',') }} {{ 'a,b,c'.split(',', 1) }} {{ ' a  b c '.split(none, 1) }} {{ ''.split() }} {{ ''.split(',') }} {{ 'a'.split(sep='a') }} {{ 'a b c'.split(maxsplit=1) }} {{ 'a  b'.split(' ') }}",
    "{{ 'a'.split('') }}",
    "{{ 'a'.split(1) }}",
  ],
  splitlines: [
    "{{ 'a\nb\r\nc'.splitlines() }}",
    "{{ 'a\n\nb\n'.splitlines(true) }} {{ ''.splitlines() }} {{ 'a\x0bb'.splitlines(keepends=true) }}",
    "{{ 'a'.splitlines(1, 2) }}",
  ],
  startswith: [
    "{{ 'abc'.startswith('a') }}",
    "{{ 'abc'.startswith(('x', 'ab')) }} {{ 'abc'.startswith('b', 1) }}",
    "{{ 'a'.startswith(1) }}",
  ],
  strip: [
    "[{{ ' a '.strip() }}]",
    "[{{ 'xyaxy'.strip('xy') }}][{{ '\t\n a\u2003'.strip() }}]",
    "{{ 'a'.strip(1) }}",
  ],
  swapcase: ["{{ 'aBc'.swapcase() }}", "{{ 'éÉß'.swapcase() }}", "{{ 'a'.swapcase(1) }}"],
  title: ["{{ 'hello wORLD'.title() }}", '{{ "they\'re x2y".title() }}', "{{ 'a'.title(1) }}"],
  translate: [
    "{{ 'abc'.translate(''.maketrans('ab', 'xy', 'c')) }}",
    "{{ 'abc'.translate({97: 'X', 98: none}) }} {{ 'a'.translate({97: 98}) }}",
    "{{ 'a'.translate(5) }}",
  ],
  upper: ["{{ 'abc'.upper() }}", "{{ 'ß'.upper() }}", "{{ 'a'.upper(1) }}"],
  zfill: [
    "{{ '42'.zfill(5) }}",
    "{{ '-42'.zfill(5) }} {{ 'abc'.zfill(2) }} {{ '+1'.zfill(4) }}",
    "{{ 'a'.zfill('x') }}",
  ],
};

export const LIST_CASES: Readonly<Record<string, readonly string[]>> = {
  append: [
    '{% set a = [1] %}{% do a.append(2) %}{{ a }}',
    '{% set a = [] %}{{ a.append(a|length) }}{{ a }}',
    '{{ [].append() }}',
  ],
  clear: ['{% set a = [1] %}{% do a.clear() %}{{ a }}', '{{ [].clear() }}', '{{ [].clear(1) }}'],
  copy: [
    '{% set a = [1] %}{% set b = a.copy() %}{% do b.append(2) %}{{ a }}{{ b }}',
    '{{ [].copy() }}',
    '{{ [].copy(1) }}',
  ],
  count: ['{{ [1, 1.0, true, 2].count(1) }}', "{{ ['a'].count('b') }}", '{{ [].count() }}'],
  extend: [
    "{% set a = [1] %}{% do a.extend('ab') %}{{ a }}",
    '{% set a = [1] %}{% do a.extend(a) %}{{ a }}',
    '{{ [].extend(1) }}',
  ],
  index: [
    '{{ [1, 2, 3].index(2) }}',
    '{{ [1, 2, 1].index(1, 1) }} {{ [1,2].index(2, -1) }}',
    '{{ [1].index(2) }}',
  ],
  insert: [
    '{% set a = [1] %}{% do a.insert(0, 0) %}{{ a }}',
    '{% set a = [1, 2] %}{% do a.insert(-1, 9) %}{% do a.insert(99, 8) %}{{ a }}',
    '{{ [].insert(1) }}',
  ],
  pop: [
    '{% set a = [1, 2, 3] %}{{ a.pop() }}{{ a.pop(0) }}{{ a }}',
    '{% set a = [1, 2, 3] %}{{ a.pop(-2) }}{{ a }}',
    '{{ [].pop() }}',
    '{{ [1].pop(5) }}',
  ],
  remove: [
    '{% set a = [1, 2, 1] %}{% do a.remove(1) %}{{ a }}',
    "{% set a = ['x'] %}{{ a.remove('x') }}{{ a }}",
    '{{ [1].remove(2) }}',
  ],
  reverse: ['{% set a = [1, 2] %}{% do a.reverse() %}{{ a }}', '{{ [].reverse() }}', '{{ [].reverse(1) }}'],
  sort: [
    '{% set a = [3, 1, 2] %}{% do a.sort() %}{{ a }}',
    "{% set a = ['b', 'A'] %}{% do a.sort(reverse=true) %}{{ a }}",
    "{{ [1, 'a'].sort() }}",
    "{% set a = ['bb', 'A'] %}{% do a.sort(key='x'.count) %}{{ a }}",
  ],
};

export const DICT_CASES: Readonly<Record<string, readonly string[]>> = {
  clear: ["{% set d = {'a': 1} %}{% do d.clear() %}{{ d }}", '{{ {}.clear() }}', '{{ {}.clear(1) }}'],
  copy: [
    "{% set d = {'a': 1} %}{% set e = d.copy() %}{% do e.update(b=2) %}{{ d }}{{ e }}",
    '{{ {}.copy() }}',
    '{{ {}.copy(1) }}',
  ],
  fromkeys: ["{{ {}.fromkeys('ab', 1) }}", '{{ {}.fromkeys([1, 2]) }}', '{{ {}.fromkeys(1) }}'],
  get: [
    "{{ {'a': 1}.get('a') }} {{ {}.get('b') }} {{ {}.get('b', 2) }}",
    "{{ {1: 'x'}.get(1.0) }} {{ {true: 'y'}.get(1) }} {{ {'a': none}.get('a', 5) }}",
    '{{ {}.get() }}',
    '{{ {}.get([]) }}',
  ],
  items: [
    "{{ {'a': 1}.items() }}",
    "{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}{{ v }}{% endfor %} {{ {'a': 1}.items()|list }}",
    '{{ {}.items(1) }}',
  ],
  keys: [
    "{{ {'a': 1}.keys() }}",
    "{{ {'a': 1}.keys()|list }} {{ 'a' in {'a': 1}.keys() }} {{ {'a': 1, 'b': 2}.keys() - ['a'] }}",
    '{{ {}.keys(1) }}',
  ],
  pop: [
    "{% set d = {'a': 1} %}{{ d.pop('a') }}{{ d }}",
    "{{ {}.pop('x', 5) }} {{ {}.pop('x', none) }}",
    "{{ {}.pop('x') }}",
    '{{ {}.pop() }}',
  ],
  popitem: [
    "{% set d = {'a': 1, 'b': 2} %}{{ d.popitem() }}{{ d }}",
    "{{ {'x': 1}.popitem() }}",
    '{{ {}.popitem() }}',
  ],
  setdefault: [
    "{% set d = {} %}{{ d.setdefault('a', []) }}{% do d.setdefault('a').append(1) %}{{ d }}",
    "{{ {'a': 1}.setdefault('a', 2) }} {{ {}.setdefault('b') }}",
    '{{ {}.setdefault() }}',
  ],
  update: [
    "{% set d = {'a': 1} %}{% do d.update({'a': 2, 'b': 3}) %}{% do d.update(c=4) %}{{ d }}",
    "{% set d = {} %}{% do d.update([('a', 1)], b=2) %}{{ d }}",
    '{{ {}.update([1]) }}',
    '{{ {}.update([(1, 2, 3)]) }}',
    '{{ {}.update(1, 2) }}',
  ],
  values: [
    "{{ {'a': 1}.values() }}",
    "{{ {'a': 1, 'b': 2}.values()|sum }} {{ 1 in {'a': 1}.values() }}",
    '{{ {}.values(1) }}',
  ],
};

export const TUPLE_CASES: Readonly<Record<string, readonly string[]>> = {
  count: ['{{ (1, 1, 2).count(1) }}', '{{ ().count(1) }}', '{{ ().count() }}'],
  index: ['{{ (1, 2).index(2) }}', '{{ (1, 2, 1).index(1, 1) }}', '{{ (1,).index(3) }}'],
};

/** Sets come from the keys of dicts. */
const set = (items: string): string =>
  `({${
    items === ''
      ? "'q': 0"
      : items
          .split(',')
          .map((each) => `${each}: 0`)
          .join(',')
  }}.keys() - ['q'])`;
const with_ = (items: string, call: string): string => `{% set s = ${set(items)} %}${call}`;

export const SET_CASES: Readonly<Record<string, readonly string[]>> = {
  add: [
    with_('1', '{% do s.add(2) %}{{ s|sort }}'),
    with_('', '{{ s.add(1) }}{{ s }}'),
    with_('1', '{{ s.add([]) }}'),
  ],
  clear: [
    with_('1', '{% do s.clear() %}{{ s }}'),
    with_('', '{{ s.clear() }}'),
    with_('1', '{{ s.clear(1) }}'),
  ],
  copy: [
    with_('1', '{% set c = s.copy() %}{% do c.add(2) %}{{ s }}{{ c|sort }}'),
    with_('', '{{ s.copy() }}'),
    with_('1', '{{ s.copy(1) }}'),
  ],
  difference: [
    with_('1,2', '{{ s.difference([1]) }}'),
    with_('1,2,3', '{{ s.difference([1], [2]) }}'),
    with_('1', '{{ s.difference(1) }}'),
  ],
  difference_update: [
    with_('1,2', '{% do s.difference_update([1]) %}{{ s }}'),
    with_('1', '{{ s.difference_update() }}{{ s }}'),
    with_('1', '{{ s.difference_update(1) }}'),
  ],
  discard: [
    with_('1,2', '{% do s.discard(1) %}{{ s }}'),
    with_('1', '{{ s.discard(9) }}{{ s }}'),
    with_('1', '{{ s.discard([]) }}'),
  ],
  intersection: [
    with_('1,2', '{{ s.intersection([2, 3]) }}'),
    with_('1', '{{ s.intersection([]) }}'),
    with_('1', '{{ s.intersection(1) }}'),
  ],
  intersection_update: [
    with_('1,2', '{% do s.intersection_update([2]) %}{{ s }}'),
    with_('1', '{{ s.intersection_update([1]) }}{{ s }}'),
    with_('1', '{{ s.intersection_update(1) }}'),
  ],
  isdisjoint: [
    with_('1', '{{ s.isdisjoint([2]) }}'),
    with_('1', '{{ s.isdisjoint([1]) }}'),
    with_('1', '{{ s.isdisjoint(1) }}'),
  ],
  issubset: [
    with_('1', '{{ s.issubset([1, 2]) }}'),
    with_('1', '{{ s.issubset([]) }}'),
    with_('1', '{{ s.issubset(1) }}'),
  ],
  issuperset: [
    with_('1,2', '{{ s.issuperset([1]) }}'),
    with_('1', '{{ s.issuperset([3]) }}'),
    with_('1', '{{ s.issuperset(1) }}'),
  ],
  pop: [with_('1', '{{ s.pop() }}{{ s }}'), with_("'x'", '{{ s.pop() }}'), with_('', '{{ s.pop() }}')],
  remove: [
    with_('1,2', '{% do s.remove(1) %}{{ s }}'),
    with_('1', '{{ s.remove(1) }}{{ s }}'),
    with_('1', '{{ s.remove(5) }}'),
  ],
  symmetric_difference: [
    with_('1,2', '{{ s.symmetric_difference([2, 3])|sort }}'),
    with_('1', '{{ s.symmetric_difference([1]) }}'),
    with_('1', '{{ s.symmetric_difference(1) }}'),
  ],
  symmetric_difference_update: [
    with_('1,2', '{% do s.symmetric_difference_update([2, 3]) %}{{ s|sort }}'),
    with_('1', '{{ s.symmetric_difference_update([]) }}{{ s }}'),
    with_('1', '{{ s.symmetric_difference_update(1) }}'),
  ],
  union: [
    with_('1', '{{ s.union([2])|sort }}'),
    with_('1', '{{ s.union([1], [1]) }}'),
    with_('1', '{{ s.union(1) }}'),
  ],
  update: [
    with_('1', '{% do s.update([2], [3]) %}{{ s|sort }}'),
    with_('1', '{{ s.update() }}{{ s }}'),
    with_('1', '{{ s.update(1) }}'),
  ],
};
