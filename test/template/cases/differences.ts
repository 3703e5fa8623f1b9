/** Intended differences from Jinja2: template, our output, reason. */
export interface Difference {
  readonly text: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly ours: { readonly ok: string } | { readonly error: string };
  readonly why: string;
}

export const DIFFERENCES: readonly Difference[] = [
  {
    text: '{{ range }} {{ dict }}',
    ours: { ok: '<built-in function> <built-in function>' },
    why: 'Types of the host language are no values here; their names would lead to its classes.',
  },
  {
    text: '{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}',
    ours: { error: 'LimitError' },
    why: 'Depth has a named limit (recursion_depth) instead of the stack of the host.',
  },
  {
    text: '{% break %}',
    ours: { error: 'TemplateSyntaxError' },
    why: 'Jinja lets Python find it, as a SyntaxError of the generated code.',
  },
  {
    text: "{{ 'inf'|int }}",
    ours: { ok: '0' },
    why: 'Jinja 3.1.2 raises OverflowError, 3.1.5 and later give the default; the later behaviour is kept.',
  },
  {
    text: "{{ ''.__class__ }}|{{ [].__class__.__mro__ is defined }}",
    ours: { error: 'UndefinedError' },
    why: 'No attribute begins with two underscores: nothing of the host can be reached.',
  },
  {
    text: "{{ '{0.__class__}'.format(1) }}",
    ours: { error: 'AttributeError' },
    why: 'The same in format strings.',
  },
  {
    text: '{{ (-8) ** 0.5 }}',
    ours: { error: 'ComplexNumberError' },
    why: 'There are no complex numbers.',
  },
  {
    text: '{% autoescape true %}{{ "<" }}{% endautoescape %}',
    ours: { error: 'TemplateSyntaxError' },
    why: 'Events are no HTML: escaping is never automatic.',
  },
  {
    text: "{{ ts.strftime('%Q') }}",
    ours: { error: 'ValueError' },
    why: 'An unknown code is a mistake; C prints it as it is.',
  },
  {
    text: "{{ '\\N{DIGIT ONE}' }}",
    ours: { error: 'TemplateSyntaxError' },
    why: 'The names of all characters would cost a megabyte.',
  },
  {
    text: '{{ ts.fromtimestamp(0) }}',
    ours: { error: 'UndefinedError' },
    why: 'Class methods are reached through their class: module.datetime.datetime.fromtimestamp.',
  },
  {
    text: '{{ ([1]|map("upper")|string)[:28] }}',
    ours: { ok: '<generator object>' },
    why: 'No memory addresses are printed: runs repeat.',
  },
  {
    text: '{{ 10 ** 20000 }}',
    ours: { error: 'LimitError' },
    why: 'Integers have a named limit of digits, not only where they are printed.',
  },
  {
    text: "{{ 'a'.encode().upper() }}",
    ours: { error: 'UndefinedError' },
    why: 'Bytes have decode and hex, as templates use them between text, hashes and base64; not the methods of texts.',
  },
  {
    text: '{% set x %}{% include "other" without context %}{% endset %}[{{ x }}]',
    files: { other: 'o' },
    ours: { ok: '[o]' },
    why: 'Jinja prints an include without context past the block around it (also past macros and filter blocks).',
  },
  {
    text: '{{ "a"["x":] }}',
    ours: { error: 'TypeError' },
    why: 'Jinja raises too, but where it folds constants it gives an undefined value.',
  },
  {
    text: '{{ "a".upper }}',
    ours: { ok: '<built-in function>' },
    why: 'Methods print without the address of their object.',
  },
];
