import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { compileJsonSchema } from '../../src/adapters/jsonSchema.js';
import { loadWorld } from '../../src/config/world.js';
import { worldShape } from '../../src/plugins/inputs/world/worldShape.js';
import { schemaDocument } from '../../src/schema/index.js';
import { DEFAULT_WORLD } from '../../src/world/spec.js';
import { ROOT } from '../support/sources.js';
import { left, right } from './support.js';

const load = (text: string) => loadWorld(text, 'w.yml');
const sites = (...rows: readonly string[]): string =>
  `organization:\n  sites:\n${rows.map((row) => `    - {${row}}\n`).join('')}`;
const HAMBURG =
  'name: hamburg, city: Hamburg, country: DE, time_zone: Europe/Berlin, latitude: 53.55, longitude: 9.99';

describe('the file of a world', () => {
  test.each(['', '# nothing yet\n', '{}', 'people: null'])('%j is the default world', (text) => {
    expect(right(load(text))).toEqual(DEFAULT_WORLD);
  });

  test('a seed and a number of people are a whole world', () => {
    expect(right(load('{seed: 9, people: 1000}'))).toEqual({ ...DEFAULT_WORLD, seed: 9, people: 1_000 });
  });

  test('parts keep the defaults of their other fields; dotted keys are nested ones', () => {
    const { organization } = DEFAULT_WORLD;
    const expected = { ...DEFAULT_WORLD, organization: { ...organization, netbios: 'ACME' } };
    expect(right(load('organization: {netbios: ACME}'))).toEqual(expected);
    expect(right(load('organization.netbios: ACME'))).toEqual(expected);
    expect(right(load(sites(HAMBURG))).organization.sites).toEqual([
      expect.objectContaining({ name: 'hamburg', weight: 1 }),
    ]);
  });

  test('the bounds themselves are valid', () => {
    const text = `{seed: ${Number.MAX_SAFE_INTEGER}, people: 5000, home_share: 1, weekend_share: 0, probes_per_hour: 0}`;
    expect(right(load(text)).seed).toBe(Number.MAX_SAFE_INTEGER);
    expect(right(load('{people: 200, load: 25}')).load).toBe(25);
    expect(right(load('{seed: 0, people: 1, load: 0.01}')).people).toBe(1);
  });

  test.each([
    ['no object', 'text', 'w.yml:1:1  must be an object, not text'],
    ['broken YAML', 'people: [', 'w.yml:1:9'],
    ['an unknown key', 'poeple: 3', "w.yml:1:1  poeple  unknown key 'poeple'. Did you mean 'people'?"],
    ['nobody', 'people: 0', 'w.yml:1:9  people  must be at least 1.'],
    ['too many people', 'people: 5001', 'w.yml:1:9  people  must be at most 5000.'],
    ['a fraction of people', 'people: 1.5', 'w.yml:1:9  people  must be an integer, not a fraction.'],
    ['a seed below 0', 'seed: -1', 'w.yml:1:7  seed  must be at least 0.'],
    [
      'a seed that no double holds',
      'seed: 9007199254740993',
      'w.yml:1:7  seed  is an integer with too many digits',
    ],
    ['no load', 'load: 0', 'w.yml:1:7  load  must be at least 0.01.'],
    ['much load', 'load: 26', 'w.yml:1:7  load  must be at most 25.'],
    [
      'more people by load',
      'people: 2000\nload: 25',
      'w.yml:2:7  load  makes more than 5000 people of 2000. Lower people or load.',
    ],
    ['a share above 1', 'home_share: 30', 'w.yml:1:13  home_share  must be at most 1.'],
    ['a share with a unit', 'weekend_share: 3%', 'w.yml:1:16  weekend_share  must be a number, not text.'],
    ['fewer than no tries', 'probes_per_hour: -1', 'w.yml:1:18  probes_per_hour  must be at least 0.'],
    [
      'a domain of one word',
      'organization: {domain: corp}',
      'w.yml:1:24  organization.domain  must be a DNS name in lower case, with a dot. For example corp.example.com.',
    ],
    [
      'a domain in capitals',
      'organization: {domain: Corp.Example.com}',
      'w.yml:1:24  organization.domain  must be a DNS name in lower case, with a dot. Write corp.example.com.',
    ],
    [
      'a long NetBIOS name',
      'organization: {netbios: ABCDEFGHIJKLMNOP}',
      'w.yml:1:25  organization.netbios  must have at most 15 characters.',
    ],
    [
      'a NetBIOS name in lower case',
      'organization: {netbios: acme}',
      'organization.netbios  must have capital letters, digits and hyphens only, and a letter. Write ACME.',
    ],
    ['no site', 'organization: {sites: []}', 'w.yml:1:16  organization.sites  must have at least 1 item.'],
    [
      'a site without coordinates',
      sites('name: a, city: A, country: DE, time_zone: UTC'),
      'w.yml:3:7  organization.sites[0].latitude  is required.',
    ],
    [
      'a site in no zone',
      sites(HAMBURG.replace('Berlin', 'Hamburg')),
      "organization.sites[0].time_zone  must be an IANA time zone in its exact spelling, like 'Europe/Berlin' or 'UTC'.",
    ],
    [
      'a country by name',
      sites(HAMBURG.replace('DE', 'Germany')),
      'organization.sites[0].country  must be two capital letters, such as DE (ISO 3166).',
    ],
    [
      'a latitude beyond the pole',
      sites(HAMBURG.replace('53.55', '153.55')),
      'organization.sites[0].latitude  must be at most 90.',
    ],
    [
      'two sites of a name',
      sites(HAMBURG, HAMBURG),
      "w.yml:4:14  organization.sites[1].name  'hamburg' is there twice. Give it another name, or remove one.",
    ],
    [
      'a site name with a blank',
      sites(HAMBURG.replace('hamburg', 'port of hamburg')),
      'organization.sites[0].name  must be a name of lower-case letters, digits and hyphens.',
    ],
    [
      'two departments of a name',
      'departments:\n  - name: it\n  - name: sales\n  - name: it\n',
      "w.yml:4:11  departments[2].name  'it' is there twice. Give it another name, or remove one.",
    ],
    [
      'a department without weight',
      'departments: [{name: it, weight: 0}]',
      'w.yml:1:34  departments[0].weight  must be greater than 0.',
    ],
    [
      'too many departments',
      `departments: [${Array.from({ length: 51 }, (_, number) => `{name: d${number}}`).join(', ')}]`,
      'departments  must have at most 50 items.',
    ],
  ])('%s is refused with its location', (_, text, message) => {
    const { code, message: told } = left(load(text));
    expect(code).toBe('invalid');
    expect(told).toContain(message);
  });

  test('all problems are told at once', () => {
    expect(left(load('people: 0\nload: 0\nseed: x\n')).issues).toHaveLength(3);
  });
});

describe('the example', () => {
  test('is valid, by its JSON Schema, too', async () => {
    const text = await readFile(join(ROOT, 'worlds/acme.yml'), 'utf8');
    const spec = right(loadWorld(text, 'worlds/acme.yml'));
    expect(spec.organization).toMatchObject({ domain: 'acme.example.com', netbios: 'ACME' });
    const problemOf = right(compileJsonSchema(schemaDocument('Spate world', worldShape.schema)));
    expect(problemOf(parse(text))).toBeNull();
    expect(problemOf({})).toBeNull();
    expect(problemOf({ people: 0 })).toContain('/people');
    expect(problemOf({ poeple: 1 })).toContain('poeple');
  });
});

describe('the staff of a world', () => {
  const staff = (...lines: readonly string[]): string =>
    `staff: |\n${lines.map((line) => `  ${line}\n`).join('')}`;

  test('is a table of people, who are all there are unless there are more', () => {
    const text = staff('user,first_name,title,ip', 'a.lovelace,Ada,"Head, ""IT""",172.16.0.9', '', 'b, ,,');
    const { people, staff: read } = right(load(text));
    expect(people).toBe(2);
    expect(read).toEqual([
      expect.objectContaining({
        user: 'a.lovelace',
        first_name: 'Ada',
        title: 'Head, "IT"',
        ip: '172.16.0.9',
      }),
      expect.objectContaining({ user: 'b', first_name: null, last_name: null, title: null, ip: null }),
    ]);
    expect(right(load(`people: 9\n${text}`)).people).toBe(9);
  });

  test.each([
    [
      'an unknown column',
      ['user,sit', 'a,b'],
      "line 1: no column is called 'sit': they are user, first_name,",
    ],
    ['no user names', ['title', 'a'], "line 1: the column 'user' is missing"],
    ['a column twice', ['user,user', 'a,b'], 'line 1: a column is there twice'],
    ['nobody', ['user'], 'nobody is in it'],
    ['an empty user name', ['user,title', ',x'], "person 1: user '' must be letters"],
    ['a user twice', ['user', 'a', 'A'], "person 2: user 'A' is there twice"],
    ['an address twice', ['user,ip', 'a,10.0.0.1', 'b,10.0.0.1'], "person 2: ip '10.0.0.1' is there twice"],
    ['an address of a server', ['user,ip', 'a,10.10.3.4'], 'none of 10.10.0.0/16'],
    ['an address of a device', ['user,ip', 'a,10.210.0.7'], 'none of 10.10.0.0/16'],
    ['no address', ['user,ip', 'a,10.0.0.256'], 'must be an IPv4 address'],
    ['the name of a computer that is made up', ['user,host', 'a,ws-00001'], 'such as WS-00001 or FS-01'],
    ['the name of a server', ['user,host', 'a,k8s-01'], 'such as WS-00001 or FS-01'],
    ['a long name of a computer', ['user,host', 'a,abcdefghijklmnop'], 'at most 15 letters'],
    ['a short line', ['user,ip', 'a'], 'person 1: has 1 of 2 cells'],
    ['an open quote', ['user,ip', 'b,', '"a,'], 'line 3: quotes stand around a whole cell'],
    ['text behind a quote', ['user,title', 'b,"x"y'], 'line 2: quotes stand around a whole cell'],
    ['the name of a file', ['staff.csv'], 'write the lines of the file here, not its name'],
    ['a site that is not there', ['user,site', 'a,paris'], "has 'paris' as site of person 1. Sites: hamburg"],
  ])('%s is refused where it stands', (_, lines, message) => {
    const { message: found } = left(load(staff(...lines)));
    expect(found).toContain('w.yml:1:8');
    expect(found).toContain(message);
  });

  test('cannot be more than the people', () => {
    const { message } = left(load(`people: 1\n${staff('user', 'a', 'b')}`));
    expect(message).toContain('w.yml:1:9  people  must be at least 2, the people of staff.');
  });
});
