/** Cases of every test of Jinja; each has at least one that fails. */
export const TEST_CASES: Readonly<Record<string, readonly string[]>> = {
  '!=': [
    "{{ [1,2]|select('!=', 1)|list }}",
    "{{ [1,1.0,true,'1']|select('!=', 1)|list }}",
    "{{ [1]|select('!=')|list }}",
  ],
  '<': [
    "{{ [1,2]|select('<', 2)|list }}",
    "{{ ['a','b']|select('<', 'b')|list }}",
    "{{ [1]|select('<', 'a')|list }}",
  ],
  '<=': [
    "{{ [1,2]|select('<=', 1)|list }}",
    "{{ [1.5,2]|select('<=', 1.5)|list }}",
    "{{ [1]|select('<=', none)|list }}",
  ],
  '==': [
    "{{ [1,2]|select('==', 1)|list }}",
    "{{ [[1],[2]]|select('==', [1])|list }}",
    "{{ [1]|select('==', 1, 2)|list }}",
  ],
  '>': [
    "{{ [1,2]|select('>', 1)|list }}",
    "{{ [[1,2],[0]]|select('>', [1])|list }}",
    "{{ ['a']|select('>', 1)|list }}",
  ],
  '>=': [
    "{{ [1,2]|select('>=', 2)|list }}",
    "{{ [true]|select('>=', 1)|list }}",
    "{{ [none]|select('>=', 1)|list }}",
  ],
  boolean: [
    '{{ true is boolean }} {{ 1 is boolean }}',
    '{{ none is boolean }} {{ "x" is not boolean }}',
    '{{ 1 is boolean(2) }}',
  ],
  callable: [
    '{{ range is callable }} {{ 1 is callable }}',
    '{{ "a".upper is callable }} {{ joiner() is callable }} {{ dict is callable }}',
    '{{ 1 is callable(1) }}',
  ],
  defined: [
    '{{ x is defined }} {{ users is defined }}',
    '{{ users[9] is defined }} {{ users[0].name is defined }} {{ none is defined }}',
    '{{ nope.x is defined }}',
  ],
  divisibleby: [
    '{{ 9 is divisibleby 3 }} {{ 9 is divisibleby(4) }}',
    '{{ 7.5 is divisibleby 2.5 }} {{ true is divisibleby 1 }}',
    '{{ 1 is divisibleby 0 }}',
    "{{ 'a' is divisibleby 2 }}",
  ],
  eq: [
    '{{ 1 is eq 1.0 }} {{ "a" is eq "b" }}',
    '{{ [1] is eq [1] }} {{ none is eq false }}',
    '{{ 1 is eq }}',
  ],
  equalto: [
    '{{ 1 is equalto true }}',
    '{{ {} is equalto {} }} {{ () is equalto [] }}',
    '{{ 1 is equalto(1, 2) }}',
  ],
  escaped: [
    "{{ 'a'|e is escaped }} {{ 'a' is escaped }}",
    '{{ (1|tojson) is escaped }} {{ 5 is escaped }}',
    "{{ 'a' is escaped(1) }}",
  ],
  even: [
    '{{ 2 is even }} {{ 3 is even }}',
    '{{ 2.0 is even }} {{ -1 is even }} {{ true is even }}',
    '{{ "a" is even }}',
  ],
  false: [
    '{{ false is false }} {{ 0 is false }}',
    '{{ none is false }} {{ "" is false }}',
    '{{ 1 is false(1) }}',
  ],
  filter: [
    "{{ 'upper' is filter }} {{ 'nope' is filter }}",
    "{{ 'e' is filter }} {{ 5 is filter }}",
    '{{ [] is filter }}',
  ],
  float: [
    '{{ 1.0 is float }} {{ 1 is float }}',
    '{{ 1e100 is float }} {{ (4/2) is float }} {{ "1.0" is float }}',
    '{{ 1 is float(1) }}',
  ],
  ge: ['{{ 2 is ge 2 }}', '{{ "b" is ge "a" }} {{ 1.5 is ge 2 }}', '{{ 1 is ge "a" }}'],
  greaterthan: [
    '{{ 2 is greaterthan 1 }}',
    '{{ (1,2) is greaterthan (1,1) }} {{ false is greaterthan true }}',
    '{{ [] is greaterthan () }}',
  ],
  gt: ['{{ 2 is gt 1 }}', '{{ 10**20 is gt 1e19 }} {{ "a" is gt "B" }}', '{{ {} is gt {} }}'],
  in: [
    '{{ 1 is in [1,2] }} {{ "a" is in "abc" }}',
    '{{ "k" is in {"k": 1} }} {{ 5 is in range(3) }}',
    '{{ 1 is in "abc" }}',
  ],
  integer: [
    '{{ 1 is integer }} {{ 1.0 is integer }}',
    '{{ true is integer }} {{ 10**30 is integer }} {{ "1" is integer }}',
    '{{ 1 is integer(1) }}',
  ],
  iterable: [
    '{{ [] is iterable }} {{ 1 is iterable }}',
    '{{ "a" is iterable }} {{ nope is iterable }} {{ none is iterable }} {{ {}.items() is iterable }}',
    '{{ 1 is iterable(1) }}',
  ],
  le: ['{{ 1 is le 1 }}', '{{ [1] is le [1,2] }} {{ "b" is le "a" }}', '{{ none is le 1 }}'],
  lessthan: ['{{ 1 is lessthan 2 }}', '{{ 1.5 is lessthan 1 }}', "{{ 'a' is lessthan 1 }}"],
  lower: [
    "{{ 'abc' is lower }} {{ 'aB' is lower }}",
    "{{ '1' is lower }} {{ 'é1' is lower }} {{ 5 is lower }}",
    "{{ 'a' is lower(1) }}",
  ],
  lt: ['{{ 1 is lt 2 }}', '{{ true is lt 2 }}', '{{ 1 is lt none }}'],
  mapping: [
    '{{ {} is mapping }} {{ [] is mapping }}',
    '{{ dict(a=1) is mapping }} {{ none is mapping }} {{ "" is mapping }}',
    '{{ {} is mapping(1) }}',
  ],
  ne: ['{{ 1 is ne 2 }}', '{{ "1" is ne 1 }} {{ nope is ne none }}', '{{ 1 is ne }}'],
  none: [
    '{{ none is none }} {{ 0 is none }}',
    '{{ nope is none }} {{ users[0].get("x") is none }}',
    '{{ none is none(1) }}',
  ],
  number: [
    '{{ 1 is number }} {{ 1.5 is number }}',
    '{{ true is number }} {{ "1" is number }} {{ none is number }} {{ 10**30 is number }}',
    '{{ 1 is number(1) }}',
  ],
  odd: [
    '{{ 3 is odd }} {{ 2 is odd }}',
    '{{ -1 is odd }} {{ 3.0 is odd }} {{ 2.5 is odd }}',
    '{{ none is odd }}',
  ],
  sameas: [
    '{{ false is sameas false }} {{ 0 is sameas false }}',
    '{% set a = [] %}{{ a is sameas a }} {{ [] is sameas [] }} {{ none is sameas none }}',
    '{{ 1 is sameas }}',
  ],
  sequence: [
    '{{ [] is sequence }} {{ "" is sequence }} {{ 1 is sequence }}',
    '{{ {} is sequence }} {{ range(2) is sequence }} {{ a_set is sequence }} {{ () is sequence }} {{ {}.keys() is sequence }} {{ nope is sequence }}',
    '{{ 1 is sequence(1) }}',
  ],
  string: [
    '{{ "a" is string }} {{ 1 is string }}',
    '{{ ("a"|e) is string }} {{ none is string }} {{ nope is string }}',
    '{{ 1 is string(1) }}',
  ],
  test: [
    "{{ 'odd' is test }} {{ 'nope' is test }}",
    "{{ '==' is test }} {{ none is test }}",
    '{{ [] is test }}',
  ],
  true: [
    '{{ true is true }} {{ 1 is true }}',
    '{{ "x" is true }} {{ (1 == 1) is true }}',
    '{{ 1 is true(1) }}',
  ],
  undefined: [
    '{{ x is undefined }} {{ 1 is undefined }}',
    '{{ users.x is undefined }} {{ none is undefined }}',
    '{{ nope.x is undefined }}',
  ],
  upper: [
    "{{ 'ABC' is upper }} {{ 'Ab' is upper }}",
    "{{ 'A1' is upper }} {{ '1' is upper }}",
    "{{ 'A' is upper(1) }}",
  ],
};
