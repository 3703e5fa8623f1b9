import { parseIso } from '../../domain/time/iso.js';
import { utc } from '../../domain/time/zone.js';
import type { JsonSchema } from '../../schema/index.js';
import { dateParam, integerParam, nameParam, storedNameParam, textParam, timeParam } from '../params.js';
import { jsonReply, value, valueDoc } from '../reply.js';
import { route } from '../route.js';
import { amount, countField, list, maybe, object, refTo, textField, time } from '../schemaParts.js';

const counted = (name: string, count: JsonSchema, key: string): JsonSchema =>
  list(object({ [name]: textField, [key]: count }));

/** Schemas of what is told of worlds. */
export const WORLD_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  World: object({
    name: textField,
    people: maybe(countField),
    hosts: maybe(countField),
    error: { ...maybe(textField), description: 'Why the file is invalid.' },
    used_by: { ...list(textField), description: 'Ids of the generators whose config names the file.' },
  }),
  WorldContents: object({
    ...{ seed: countField, people: countField, domain: textField, netbios: textField },
    sites: list(
      object({
        name: textField,
        city: textField,
        country: textField,
        time_zone: textField,
        people: countField,
      }),
    ),
    departments: counted('name', countField, 'people'),
    hosts: counted('role', countField, 'count'),
    campaign_minutes: {
      ...countField,
      description: 'A campaign of each attack begins once in so many minutes.',
    },
    attacks: list(
      object({
        ...{ name: textField, summary: textField, campaign: countField },
        steps: list(
          object({
            phase: textField,
            technique: { ...textField, description: 'MITRE ATT&CK.' },
            ...{ from: time, to: time, acts: countField },
            ...{ kinds: list(textField), people: list(textField), hosts: list(textField) },
          }),
        ),
      }),
    ),
  }),
  WorldActivity: object({
    ...{ site: textField, time_zone: textField, date: textField },
    hours: { ...list(amount), description: 'Activities a minute in each hour of the day.' },
    busiest_hour: countField,
    per_minute: { ...amount, description: 'In the busiest hour, as below.' },
    groups: list(object({ group: textField, kinds: counted('kind', amount, 'per_minute') })),
  }),
  WorldPeople: object({
    total: { ...countField, description: 'People that the search finds.' },
    items: list(
      object({
        ...{ number: countField, user: textField, full_name: textField, email: textField, title: textField },
        ...{ department: textField, site: textField, host: textField, ip: textField },
      }),
    ),
  }),
  WorldDay: object({
    person: object({
      ...{ number: countField, user: textField, full_name: textField, title: textField },
      ...{ department: textField, site: textField },
    }),
    ...{ date: textField, time_zone: textField },
    parts: list(object({ from: time, to: time, what: textField, host: maybe(textField) })),
    activities: list(
      object({
        ...{ id: countField, at: time, kind: textField, host: maybe(textField), session: maybe(textField) },
        ...{ cause: maybe(countField), truth: { type: 'null' } },
        facts: { type: 'object', additionalProperties: {} },
      }),
    ),
  }),
};

const TAG = 'Worlds';
const MAX_SEARCH_LENGTH = 200;
const MAX_PAGE = 500;
const MAX_OFFSET = 1_000_000;

const params = { name: storedNameParam('Name of the world: its file without .yml.') };
const ERRORS = ['not_found', 'unreadable', 'too_large', 'plugin_failed', 'too_many_requests'] as const;

/** Rows of worlds: the files in `worlds/` beside the generators. */
export const worldRoutes = () =>
  [
    route({
      id: 'listWorlds',
      method: 'get',
      path: '/worlds/',
      tag: TAG,
      summary: 'List worlds',
      description: 'The files in `worlds/` beside the generators, sorted by name.',
      success: valueDoc('The worlds.', list(refTo('World'))),
      errors: ['unreadable', 'plugin_failed', 'too_many_requests'],
      request: () => ({ type: 'worlds.list', payload: null }),
      reply: value,
    }),
    route({
      id: 'readWorld',
      method: 'get',
      path: '/worlds/{name}',
      tag: TAG,
      summary: 'Read who and what is in a world',
      description:
        'People, hosts, and a campaign of each attack. Sources leave attacks out unless told otherwise.',
      params,
      query: { at: timeParam('The campaigns of this time are told. Default: now.') },
      success: valueDoc('The world.', refTo('WorldContents')),
      errors: ERRORS,
      request: ({ path, query: { at } }) => ({
        type: 'worlds.ask',
        payload: { kind: 'contents' as const, name: path.name, at: at === null ? null : parseIso(at, utc) },
      }),
      reply: jsonReply,
    }),
    route({
      id: 'readWorldActivity',
      method: 'get',
      path: '/worlds/{name}/activity',
      tag: TAG,
      summary: 'Measure how much happens in a world',
      description: 'Makes some minutes of each hour of a Tuesday, which takes seconds.',
      params,
      success: valueDoc('What was measured.', refTo('WorldActivity')),
      errors: ERRORS,
      request: ({ path }) => ({
        type: 'worlds.ask',
        payload: { kind: 'activity' as const, name: path.name },
      }),
      reply: jsonReply,
    }),
    route({
      id: 'listWorldPeople',
      method: 'get',
      path: '/worlds/{name}/people',
      tag: TAG,
      summary: 'Search the people of a world',
      params,
      query: {
        search: textParam(
          MAX_SEARCH_LENGTH,
          'Words, all of which are in names, mail, title, department, site, host or address.',
        ),
        offset: integerParam(0, 0, MAX_OFFSET, 'How many to leave out.'),
        limit: integerParam(50, 1, MAX_PAGE, 'At most so many.'),
      },
      success: valueDoc('A page of people.', refTo('WorldPeople')),
      errors: ERRORS,
      request: ({ path, query }) => ({
        type: 'worlds.ask',
        payload: { kind: 'people' as const, name: path.name, ...query, search: query.search ?? '' },
      }),
      reply: jsonReply,
    }),
    route({
      id: 'readWorldDay',
      method: 'get',
      path: '/worlds/{name}/people/{person}/day',
      tag: TAG,
      summary: 'Read the day of a person',
      description: 'Where the person is when, and all that they do: an ordinary day, without attacks.',
      params: { ...params, person: nameParam('User name, or number from 0.') },
      query: { date: dateParam('The day at the site of the person. Default: today.') },
      success: valueDoc('The day.', refTo('WorldDay')),
      errors: ERRORS,
      request: ({ path, query }) => ({
        type: 'worlds.ask',
        payload: { kind: 'day' as const, name: path.name, person: path.person, date: query.date },
      }),
      reply: jsonReply,
    }),
  ] as const;
