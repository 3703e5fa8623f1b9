import {
  boolean,
  defaulted,
  freeObject,
  listOf,
  oneOf,
  optional,
  required,
  text,
} from '../../../schema/index.js';
import type { PluginSpec } from '../../kit.js';
import { MARKS_NOTE, marksField } from '../shared/marksField.js';
import { samplesField } from './context/samples/shape.js';
import { MODES } from './modes.js';
import { templateRules } from './rules.js';
import { MAX_CONSTANTS, templatesField } from './templatesField.js';

const MAX_CHAIN = 10_000;

export const templateFields = {
  mode: required(oneOf(MODES), {
    help: 'How templates are picked for a timestamp: all in order, any one, one by chance, spin through the list, a state machine (fsm), or in the order of chain.',
    example: 'all',
  }),
  templates: templatesField,
  chain: optional(listOf(text({ minLength: 1 }), { min: 1, max: MAX_CHAIN }), {
    help: 'Aliases in the order of rendering, one for each timestamp, again and again; mode chain only, needed there.',
  }),
  params: defaulted(
    freeObject({ maxValues: MAX_CONSTANTS }),
    {},
    { help: 'Constants that all templates see, as `params`.' },
  ),
  samples: samplesField,
  drop_empty: defaulted(boolean(), false, {
    help: 'Leave out events that are the empty text; a timestamp without any other counts as dropped.',
    extension: true,
  }),
  marks: marksField,
};

export const templateSpec: PluginSpec<typeof templateFields> & { readonly name: 'template' } = {
  kind: 'event',
  name: 'template',
  summary: 'Renders Jinja templates: one event for each template that is picked.',
  notes: [
    'The language is that of Jinja 3.1 with the values and the printing of Python, the `do` statement and loop controls. Templates are files below the folder of the generator that end in `.jinja`; ' +
      'includes and imports are found from that folder. They are compiled when the generator starts: what is wrong in one is said then, with its line. One newline at the end of a file is left out.',
    'Names of a template: `timestamp` (a date-time in the zone of the generator), `tags`, `params`, `vars`, `samples`, `locals` (state of this template), `shared` (state of all templates of ' +
      'the generator), `globals` (state of the scenario, which scripts and the API share), `module`, `dispatch`, `subprocess`. A template that is imported without context sees all but `timestamp`, `tags` and `vars`.',
    'Modes: `all` gives one event for each template, the others one for each timestamp. `chance` picks by weight. `spin` and `chain` go on where they were, also after a failure. `fsm` begins with the ' +
      '`initial` template; before each later event it tries the transitions of the current one, in order, and the first whose condition holds leads on.',
    'A condition of a transition is an object with one key: `eq`, `gt`, `ge`, `lt`, `le`, `len_eq`, `len_gt`, `len_ge`, `len_lt`, `len_le`, `contains`, `in`, `matches` (a regular expression of Python, from the start of the text), each with one field and a value (`eq: {shared.state: ready}`); ' +
      '`defined: shared.state`; `has_tags`; `before` and `after` with parts of a date and time (`after: {hour: 22}`); `always`, `never`; `or`, `and` (lists), `not`. A field that is missing or null, or cannot be compared, makes it false and is logged.',
    '`module.rand`, `module.faker`, `module.mimesis` and the modules `datetime`, `json`, `math`, `hashlib`, `base64`, `calendar`, `random`, `re`, `uuid`, `string`, `ipaddress`, `time`, `itertools`, `collections` and `urllib.parse` are there, and no others. Everything random follows the seed of the generator; `datetime.now()` and `time.time()` are the timestamp of the event.',
    '`dispatch.drop()` leaves the timestamp without an event, `dispatch.next()` picks again, `dispatch.exhaust()` ends the generator; each ends the render at once.',
    'Any error in a template fails its timestamp, with all events of it; it is counted and logged with its line, and the next timestamp follows. State is never rolled back. ' +
      'What one render may use is limited (`generation.template_limits`); an empty text is an event, unless `drop_empty` says otherwise.',
    '`globals` holds JSON: a list or object that a template gets from it is a copy; store it again to change it. Renders are never interrupted by others of the scenario, so `globals.acquire()` is not needed; it is there for templates that use it.',
    '`subprocess.run(command, cwd, env, timeout)` is an error unless `generation.allow_subprocess` is set. It blocks all generators of its thread, for 8 seconds at most.',
    'A checkpoint keeps `locals`, `shared`, the place in the mode and in all random numbers. A state that holds a macro or a function cannot be saved; that is logged and the checkpoint before stays.',
    MARKS_NOTE,
  ],
  fields: templateFields,
  rules: templateRules,
  examples: [
    {
      title: 'One of two templates by weight, with rows of a file',
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
};
