import {
  boolean,
  defaulted,
  freeObject,
  integer,
  lazily,
  listOf,
  oneOf,
  optional,
  required,
  text,
} from '../../../schema/index.js';
import { eventPlugin } from '../../declare.js';
import { samplesField } from './context/samples/shape.js';
import { MODES } from './modes.js';
import { templateRules } from './rules.js';
import { MAX_CONSTANTS, templatesField, thinkShape } from './templatesField.js';

const MAX_CHAIN = 10_000;
const MAX_INSTANCES = 100_000;

export const templateFields = lazily(() => ({
  mode: required(oneOf(MODES), {
    help: 'Picks templates for a timestamp: all in order, any (one at random), chance (one by weight), spin (each in turn), fsm (state machine), chain (in the order of chain).',
    example: 'all',
  }),
  templates: templatesField,
  chain: optional(listOf(text({ minLength: 1 }), { min: 1, max: MAX_CHAIN }), {
    help: 'Aliases in rendering order, one per timestamp, starting over at the end. Required in mode chain, not allowed in others.',
  }),
  instances: optional(integer({ min: 1, max: MAX_INSTANCES }), {
    help: 'Runs of the state machine at once, each with its own state and `locals`. Mode fsm only.',
    example: 200,
    extension: true,
  }),
  think: optional(thinkShape, {
    help: 'Pause of an instance after each event, in seconds, drawn evenly from min to max. A timestamp makes no event while every instance pauses. Only with `instances`.',
    example: { min: 2, max: 10 },
    extension: true,
  }),
  params: defaulted(
    freeObject({ maxValues: MAX_CONSTANTS }),
    {},
    { help: 'Constants of all templates, available as `params`.' },
  ),
  samples: samplesField,
  drop_empty: defaulted(boolean(), false, {
    help: 'Skip empty events. A timestamp with no other event counts as dropped.',
    extension: true,
  }),
}));

export const templateSpec = eventPlugin({
  name: 'template',
  mayBlock: (_, { allowsSubprocess }) => allowsSubprocess,
  summary: 'Renders Jinja templates: one event per picked template.',
  notes: [
    'Pages: [templates](../../../../docs/templates.md), [modes](../../../../docs/templates-modes.md), [samples and state](../../../../docs/templates-data.md), [language reference](../../../../docs/templates-reference.md).',
    'The language is Jinja 3.1 with Python values and printing, the `do` statement and loop controls. Templates are `.jinja` files in the folder of the generator; include and import paths start there. ' +
      'Templates compile at start, which reports their errors with the line. One newline at the end of a file is stripped.',
    'Names: `timestamp` (a date-time in the time zone of the generator), `tags`, `params`, `vars`, `samples`, `locals` (state of this template), `shared` (state of all templates of the generator), ' +
      '`globals` (state of the scenario, shared with scripts and the API), `module`, `dispatch`, `partition` (its `index` and the `count` of partitions; 0 and 1 without partitions), `subprocess`. Templates imported without context have all but `timestamp`, `tags` and `vars`.',
    'Modes: `all` makes one event per template, the others one per timestamp. `chance` picks by weight. `spin` and `chain` keep their position after a failure. `fsm` starts with the `initial` template; ' +
      'before each later event it follows the first transition of the current state with a true condition. With `instances`, many runs of the state machine take turns: each has its own state and `locals`, and `instance` is its number from 0.',
    'A condition is an object with one key. `eq`, `gt`, `ge`, `lt`, `le`, `len_eq`, `len_gt`, `len_ge`, `len_lt`, `len_le`, `contains`, `in` and `matches` (a Python regular expression, from the start of the string) take one field and a value (`eq: {shared.state: ready}`). ' +
      'Others: `defined: shared.state`; `has_tags`; `before` and `after` with parts of a date and time (`after: {hour: 22}`); `always`, `never`; `or`, `and` (lists), `not`. A missing, null or incomparable field makes the condition false and logs a warning.',
    '`module` has `rand`, `faker`, `mimesis` and the Python modules `datetime`, `json`, `math`, `hashlib`, `base64`, `calendar`, `random`, `re`, `uuid`, `string`, `ipaddress`, `time`, `itertools`, `collections` and `urllib.parse`, and no others. Random values follow the seed of the generator; `datetime.now()` and `time.time()` return the timestamp of the event.',
    '`dispatch.drop()` skips the timestamp, `dispatch.next()` picks again, `dispatch.exhaust()` stops the generator. Each ends the render at once.',
    'A template error fails its timestamp and discards its events; Spate counts it, logs it with its line and continues with the next timestamp. State is never rolled back. ' +
      '`generation.template_limits` limits each render. An empty string is an event, unless `drop_empty` is set.',
    '`globals` holds JSON: a list or object read from it is a copy; set it again to store a change. Renders are never interrupted, so `globals.acquire()` and `release()` have no effect.',
    '`subprocess.run(command, cwd, env, timeout)` fails unless `generation.allow_subprocess` is set. It blocks all generators of its thread, for 8 seconds at most.',
    'A checkpoint contains `locals`, `shared`, the position of the mode and all random numbers. State with a macro or function cannot be saved: Spate logs this and keeps the previous checkpoint.',
  ],
  fields: templateFields,
  rules: templateRules,
  examples: [
    {
      title: 'One of two templates by weight, with rows from a file',
      params: {
        mode: 'chance',
        templates: [
          { ok: { template: 'ok.jinja', chance: 9 } },
          { failed: { template: 'failed.jinja', chance: 1, vars: { level: 'error' } } },
        ],
        samples: { users: { type: 'csv', source: 'users.csv', header: true } },
        params: { host: 'web-1' },
      },
    },
    {
      title: 'A state machine',
      params: {
        mode: 'fsm',
        templates: [
          {
            login: {
              template: 'login.jinja',
              initial: true,
              transitions: [{ to: 'logout', when: { ge: { 'shared.pages': 3 } } }],
            },
          },
          { logout: { template: 'logout.jinja', transitions: [{ to: 'login', when: { always: null } }] } },
        ],
      },
    },
    {
      title: 'A fixed order',
      params: {
        mode: 'chain',
        chain: ['request', 'response'],
        templates: [{ request: { template: 'request.jinja' } }, { response: { template: 'response.jinja' } }],
      },
    },
  ],
});
