import { describe, expect, test } from '@jest/globals';
import { Fault, inspectTemplates } from '../../src/template/index.js';
import { type Files, found, inspected, optionsOf } from './checkSupport.js';

/** Template, and its findings without hints. */
type Row = readonly [template: string, ...findings: readonly string[]];

const withoutHints = (findings: readonly string[]): readonly string[] =>
  findings.map((one) => one.replace(/^main:/, '').replace(/ \| .*$/, ''));

const rows = (table: readonly Row[]): void => {
  test.each(table.map(([template, ...findings]) => [template, findings] as const))(
    '%s',
    (template, findings) => {
      expect(withoutHints(found(template))).toEqual(findings);
    },
  );
};

describe('syntax', () => {
  rows([
    ['{{ 1 + }}', "1:8 error syntax: unexpected 'end of print statement'"],
    [
      'a\n{% if x %}',
      "2:11 error syntax: Unexpected end of template. Jinja was looking for the following tags: 'elif' or 'else' or 'endif'. The innermost block that needs to be closed is 'if'.",
    ],
    ['{% break %}', "1:4 error syntax: 'break' outside of a loop"],
    ['{% block a %}{% endblock %}{% block a %}{% endblock %}', "1:31 error syntax: block 'a' defined twice"],
    [
      '{% for i in [1] %}{% extends "x" %}{% endfor %}',
      '1:22 error syntax: cannot use extend from a non top-level scope',
    ],
    ['', ...[]],
    ['{# timestmp #}{% raw %}{{ timestmp }}{% endraw %}', ...[]],
  ]);

  test('deep nesting is an error', () => {
    expect(found(`{{ ${'('.repeat(5_000)}1${')'.repeat(5_000)} }}`)).toEqual([
      'main:1:204 error syntax: nested deeper than 200 levels',
    ]);
  });

  test('a very long chain of operators fails the check, without a crash', () => {
    const text = `{{ ${Array.from({ length: 200_000 }, () => '1').join('+')} }}`;
    expect(found(text).length).toBeLessThanOrEqual(1);
  });

  test('the shown line has a mark below the column', () => {
    const [finding] = inspected('first\n  {{ timestmp }}\nlast').findings;
    expect(finding?.shown).toBe('      {{ timestmp }}\n         ^');
    expect(finding?.location).toEqual({ template: 'main', line: 2, column: 6, text: '  {{ timestmp }}' });
  });
});

describe('filters and tests', () => {
  rows([
    ['{{ 1|nope }}', "1:6 error unknown_filter: unknown filter 'nope'"],
    ['{{ 1 is not oddd }}', "1:13 error unknown_test: unknown test 'oddd'"],
    ['{% if false %}{{ 1|nope }}{% endif %}', "1:20 error unknown_filter: unknown filter 'nope'"],
    ['{% filter nope %}{% endfilter %}', "1:11 error unknown_filter: unknown filter 'nope'"],
    ['{% set x | nope %}{% endset %}{{ x }}', "1:12 error unknown_filter: unknown filter 'nope'"],
    ["{{ [1]|map('nope')|list }}", "1:13 error unknown_filter: unknown filter 'nope'"],
    ["{{ [1]|map(attribute='nope')|list }}"],
    ["{{ [1]|select('nope')|list }}", "1:16 error unknown_test: unknown test 'nope'"],
    [
      "{{ tags|selectattr('a', 'equalto', 1)|rejectattr('b', 'equalsto', 1)|list }}",
      "1:56 error unknown_test: unknown test 'equalsto'",
    ],
    ["{% if 'nope' is filter %}{{ 1|nope }}{% endif %}"],
    [
      '{{ 1|nope }}{{ 2|nope|nope }}',
      ...['6', '18', '23'].map((at) => `1:${at} error unknown_filter: unknown filter 'nope'`),
    ],
  ]);

  test.each([
    ['{{ 1|tojso }}', "Did you mean 'tojson'?"],
    ["{{ '1'|fromjson }}", 'Use module.json.loads(text).'],
    ['{{ 1 is defned }}', "Did you mean 'defined'?"],
  ])('%s: %s', (template, hint) => {
    expect(found(template)[0]).toContain(`| ${hint}`);
  });
});

describe('names', () => {
  rows([
    ['{{ timestmp }}', "1:4 error unknown_name: 'timestmp' is not defined"],
    ['{{ x.y.z() }}', "1:4 error unknown_name: 'x' is not defined"],
    ['{% do list.append(1) %}', "1:7 error unknown_name: 'list' is not defined"],
    ['{% set ns.x = 1 %}', "1:8 error unknown_name: 'ns' is not defined"],
    [
      '{% if debug %}{{ debug }}{% endif %}',
      ...['7', '18'].map((at) => `1:${at} warning unknown_name: 'debug' is not defined`),
    ],
    ['{% if x is defined %}{{ x }}{% endif %}{{ y | default(1) }}{{ y }}{{ z|d }}'],
    ['{{ x.y is defined }}', "1:4 error unknown_name: 'x' is not defined"],
    ['{{ x }}{% set x = 1 %}', "1:4 warning name_out_of_scope: 'x' is read before it is set"],
    ['{{ m() }}{% macro m() %}{% endmacro %}', "1:4 warning name_out_of_scope: 'm' is read before it is set"],
    ['{% set x = x %}', "1:12 warning name_out_of_scope: 'x' is read before it is set"],
    [
      '{% for i in [1] %}{% set x = i %}{% endfor %}{{ x }}{{ i }}',
      "1:49 warning name_out_of_scope: 'x' is set in a loop and undefined after it",
      "1:56 warning name_out_of_scope: 'i' is a loop variable and exists only in its loop",
    ],
    [
      '{% for i in tags %}{% if i != old %}{{ i }}{% endif %}{% set old = i %}{% endfor %}',
      "1:31 warning name_out_of_scope: 'old' has no value yet: each iteration starts without it",
    ],
    [
      '{% with a = 1 %}{{ a }}{% endwith %}{{ a }}',
      "1:40 warning name_out_of_scope: 'a' exists only in its block (with, autoescape)",
    ],
    [
      '{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1) }}{{ a }}',
      "1:51 warning name_out_of_scope: 'a' exists only in a macro or call block",
    ],
    ['{{ loop.index }}', "1:4 error unknown_name: 'loop' exists only in the body of a for"],
    ['{{ super() }}', "1:4 error unknown_name: 'super' exists only in a block"],
    ['{{ caller() }}', "1:4 error unknown_name: 'caller' exists only in a macro"],
    [
      '{% for x in [] %}{% else %}{{ x }}{% endfor %}',
      "1:31 warning name_out_of_scope: 'x' is a loop variable and exists only in its loop",
    ],
    [
      '{% for i in [1] %}{% block b %}{{ i }}{% endblock %}{% endfor %}',
      "1:35 warning name_out_of_scope: 'i' is a loop variable and exists only in its loop",
    ],
    ['{% for i in [1] %}{% block b scoped %}{{ i }}{% endblock %}{% endfor %}'],
    [
      '{% filter upper %}{% set q = 1 %}{% endfilter %}{{ q }}',
      "1:52 warning name_out_of_scope: 'q' is set in a filter block and undefined after it",
    ],
    ['{% if tags %}{% set x = 1 %}{% endif %}{{ x }}'],
    ['{% macro m() %}{{ later }}{% endmacro %}{% set later = 1 %}{{ m() }}'],
    [
      '{{ timestamp }}{{ tags }}{{ params }}{{ vars }}{{ samples }}{{ locals }}{{ shared }}{{ globals }}{{ module }}{{ dispatch }}{{ partition.index + partition.count }}{{ subprocess }}',
    ],
    ['{{ range(2) }}{{ dict() }}{{ lipsum() }}{{ cycler(1) }}{{ joiner() }}{{ namespace() }}{{ self }}'],
    ['{{ event }}', "1:4 error unknown_name: 'event' is not defined"],
  ]);

  test.each([
    ['{{ timestmp }}', "Did you mean 'timestamp'?"],
    ['{% set user = 1 %}{{ usre }}', "Did you mean 'user'?"],
    [
      '{% for i in [1] %}{% set n = i %}{% endfor %}{{ n }}',
      'Use a namespace: {% set ns = namespace(n=none) %} before the loop, {% set ns.n = ... %} in it.',
    ],
    [
      '{% for i in [1] %}{% block b %}{{ i }}{% endblock %}{% endfor %}',
      'Write {% block name scoped %} to use it in the block.',
    ],
  ])('%s: %s', (template, hint) => {
    expect(found(template)[0]).toContain(`| ${hint}`);
  });

  test('short names get no hint', () => {
    expect(found('{% set x = 1 %}{{ x }}{{ y }}')).toEqual([
      "main:1:26 error unknown_name: 'y' is not defined",
    ]);
  });

  test('a file without a config gets notes, as others may include it', () => {
    expect(found({ part: '{{ host }}{{ timestmp }}{{ event }}{{ vars.x }}' }, { alone: ['part'] })).toEqual([
      "part:1:4 note unknown_name: 'host' is never set in this template | Ignore this if a template that includes this one sets it.",
      "part:1:14 warning unknown_name: 'timestmp' is never set in this template | Did you mean 'timestamp'?",
    ]);
  });

  test('templates of formatters see the event only', () => {
    const [first, second] = found({ f: '{{ event }}{{ timestamp }}{{ evnt }}' }, { formatters: ['f'] });
    expect(first).toBe(
      "f:1:15 error unknown_name: 'timestamp' is available only in templates of events | Templates of formatters have 'event'.",
    );
    expect(second).toBe("f:1:30 error unknown_name: 'evnt' is not defined | Did you mean 'event'?");
  });
});

describe('several templates', () => {
  const files = (main: string, others: Files): Files => ({ main, ...others });

  test.each<readonly [string, Files, readonly string[]]>([
    [
      'an included template sees what the one around it has',
      files('{% set host = 1 %}{% for u in tags %}{% include "a" %}{% endfor %}', {
        a: '{{ host }}{{ u }}{{ timestamp }}{{ vars }}{{ loop.index }}',
      }),
      [],
    ],
    [
      'what it sets stays inside it',
      files('{% include "a" %}{{ inner }}', { a: '{% set inner = 1 %}{{ inner }}' }),
      ["main:1:21 error unknown_name: 'inner' is not defined"],
    ],
    [
      'an imported macro does not see the timestamp, tags and vars',
      files('{% from "lib" import m %}{{ m() }}', {
        lib: '{% macro m() %}{{ timestamp }}{{ params }}{{ module }}{{ locals }}{{ vars }}{% endmacro %}',
      }),
      [
        "lib:1:19 error unknown_name: 'timestamp' is not available: this template is loaded without context | Hand it to the macro as an argument, or load this template 'with context'.",
        "lib:1:70 error unknown_name: 'vars' is not available: this template is loaded without context | Hand it to the macro as an argument, or load this template 'with context'.",
      ],
    ],
    [
      'with context it sees them',
      files('{% set h = 1 %}{% import "lib" as lib with context %}{{ lib.m() }}', {
        lib: '{% macro m() %}{{ timestamp }}{{ vars }}{{ h }}{% endmacro %}',
      }),
      [],
    ],
    [
      'a template that is both imported and rendered is judged by what either sees',
      files('{% from "both" import m %}{{ m() }}{% include "both" %}', {
        both: '{% macro m() %}x{% endmacro %}{{ timestamp }}',
      }),
      [],
    ],
    [
      'templates that load each other end',
      files('{% set n = 1 %}{% include "main" %}{% include "a" %}', { a: '{{ n }}{% include "main" %}' }),
      [],
    ],
    [
      'a missing template',
      files(
        '{% include "nope" %}{% include "gone" ignore missing %}{% include ["nope", "a"] %}{% include ["x", "y"] %}',
        {
          a: '',
        },
      ),
      [
        "main:1:12 error template_not_found: template 'nope' not found in the generator's folder",
        'main:1:95 error template_not_found: none of these templates was found',
      ].map((one) => `${one} | Correct the name, add the file, or write 'ignore missing' in the include.`),
    ],
    [
      'a broken template is reported once, in its own text',
      files('{% include "bad" %}{% include "bad" %}', { bad: 'x\n{% if %}' }),
      ["bad:2:7 error syntax: Expected an expression, got 'end of statement block'"],
    ],
    [
      'a template two steps away is checked',
      files('{% include "a" %}', {
        a: '{% import "b" as b %}{{ b.m() }}',
        b: '{% macro m() %}{{ nope }}{% endmacro %}',
      }),
      ["b:1:19 error unknown_name: 'nope' is not defined"],
    ],
    [
      'an import of what is not there',
      files('{% from "lib" import shw, z with context %}{{ shw() }}{{ z() }}', {
        lib: '{% macro show() %}{% endmacro %}{% set other = 1 %}',
      }),
      [
        "main:1:22 error unknown_export: the template 'lib' does not export 'shw' | Did you mean 'show'?",
        "main:1:27 error unknown_export: the template 'lib' does not export 'z' | Known: show, other.",
      ],
    ],
    [
      'an attribute of an imported template',
      files('{% import "lib" as lib %}{{ lib.show() }}{{ lib.sho() }}{{ lib.x is defined }}', {
        lib: '{% macro show() %}{% endmacro %}',
      }),
      ["main:1:49 error unknown_export: the template 'lib' does not export 'sho' | Did you mean 'show'?"],
    ],
    [
      'what a library imports or inherits can be imported from it',
      files('{% from "lib" import a, b %}{{ a() }}{{ b() }}', {
        lib: '{% extends "base" %}{% from "other" import a %}',
        base: '{% macro b() %}{% endmacro %}',
        other: '{% macro a() %}{% endmacro %}',
      }),
      [],
    ],
    [
      'blocks see what the templates above and below them set',
      files(
        '{% extends "base" %}{% set mine = 1 %}{% block b %}{{ mine }}{{ theirs }}{{ super() }}{% endblock %}',
        {
          base: '{% set theirs = 1 %}{% for i in [1] %}{% block b scoped %}{{ i }}{{ mine }}{% endblock %}{% endfor %}',
        },
      ),
      [],
    ],
    [
      'where a parent is not known, its blocks may see anything',
      files('{% extends vars.base %}{% block b %}{{ anything }}{% endblock %}', {}),
      [],
    ],
  ])('%s', (_, given, findings) => {
    expect(found(given, { vars: { base: 'x' } })).toEqual(findings);
  });

  test("a name relative to the template gets a hint with the path from the generator's folder", () => {
    const [finding] = found({ 'a/main': '{% include "part" %}', 'a/part': '' }, { events: ['a/main'] });
    expect(finding).toContain("| Paths are relative to the generator's folder: write 'a/part'.");
  });

  test('a missing template of the config is reported with its path in the config', () => {
    expect(found({}, { events: ['gone'] })).toEqual([
      "event.template.templates.0.gone.template error template_not_found: template 'gone' not found in the generator's folder | Correct the path or add the file.",
    ]);
  });

  test('an unreadable template is reported with the reason', () => {
    const options = optionsOf({ main: '{% include "x" %}' });
    const load = (name: string) => {
      if (name === 'x') throw new Fault('OSError', 'the template file x is not UTF-8');
      return options.load(name);
    };
    const { findings, isComplete } = inspectTemplates({ ...options, load });
    expect(findings).toMatchObject([{ code: 'unreadable', message: 'the template file x is not UTF-8' }]);
    expect(isComplete).toBe(false);
  });

  test('the result lists the loaded templates and whether it is complete', () => {
    const all = inspected({ main: '{% include "a" %}', a: '' });
    expect([all.reached, all.isComplete]).toEqual([['main', 'a'], true]);
    expect(inspected({ main: "{% include 'a' ~ 1 %}" }).isComplete).toBe(false);
  });

  test('findings of one template are listed up to a limit', () => {
    const { findings } = inspected('{{ nope }}\n'.repeat(1_000));
    expect(findings).toHaveLength(201);
    expect(findings.at(-1)).toMatchObject({
      code: 'too_many',
      message: '800 more findings are not listed',
      location: { line: 201 },
    });
  });
});

describe('unused imports', () => {
  test.each<readonly [string, readonly string[]]>([
    [
      '{% from "lib" import a, b as c %}{{ a() }}',
      ["main:1:30 note unused_import: 'c' is imported and never used"],
    ],
    ['{% import "lib" as lib %}', ["main:1:20 note unused_import: 'lib' is imported and never used"]],
    ['{% from "lib" import a %}{% include "part" %}', []],
    ['{% from "lib" import a %}{% macro m() %}{{ a() }}{% endmacro %}{{ m() }}', []],
  ])('%s', (main, findings) => {
    expect(
      found({ main, part: '', lib: '{% macro a() %}{% endmacro %}{% macro b() %}{% endmacro %}' }),
    ).toEqual(findings);
  });
});
