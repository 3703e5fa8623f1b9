/** What clients ask for in `apiLoad.mjs`, of which instance, and what is right to be answered. */
import { writeHistory } from '../support/writeHistory.mjs';

const MAX_PREVIEWS = 2;
const PREVIEW_SIZE = 100_000;
const SECRETS = 3;
/** The number of a config that nobody has changed; a count of 0 is not allowed. */
const FIRST = 1;
/** Configs, entries of the startup list and globals that are written: so many each. */
export const PLACES = 20;
export const PASSWORD = 'correct horse';
/** Added to numbers that are written as a limit of the settings, which must not be small. */
export const MAX_BYTES = 1_000_000;

const numbers = (count) => Array.from({ length: count }, (_, n) => n);

const fullSpeed = (event) => `
input: [linspace: {start: 2026-01-01, end: 2027-01-01, count: 1000000000}]
event: ${event}
output: [file: {path: /dev/null}]
`;

/** A config whose only difference is a number. */
const configBody = (n) => ({
  input: [{ static: { count: n } }],
  event: { replay: { path: 'lines.txt' } },
  output: [{ stdout: {} }],
});
export const configText = (name, n) =>
  `# ${name}, kept by hand\n\ninput:\n  - static:\n      count: ${n} # the number\nevent: {replay: {path: lines.txt}}\noutput: [stdout: {}]\n`;

const startupEntry = (n) => ({ path: 'entry/generator.yml', autostart: false, params: { n } });

/** What the instance is made of, for `makeInstance` or the like. */
export const LOAD_INSTANCE = {
  startup: [
    '# Kept by hand.',
    '- {id: script, path: script/generator.yml, live_mode: false, scenarios: [busy]}',
    '- {id: replay, path: replay/generator.yml, live_mode: false}',
    ...numbers(PLACES).map(
      (n) => `- {id: e${n}, path: entry/generator.yml, autostart: false, params: {n: 0}}`,
    ),
    '',
  ].join('\n'),
  generators: {
    'script/generator.yml': fullSpeed('{script: {path: produce.mjs}}'),
    'script/produce.mjs':
      'let n = 0; export const produce = ({ globals }) => `${++n} ${globals.get("k0", 0)}`;',
    // It reads the parameter of the entries.
    'entry/generator.yml': configText('entry', 1).replace(
      'stdout: {}',
      "file: {path: 'out/${params.n}.log'}",
    ),
    'replay/generator.yml': fullSpeed('{replay: {path: lines.txt, repeat: true}}'),
    'replay/lines.txt': numbers(1_000)
      .map((n) => `line ${n} of a file that is replayed\n`)
      .join(''),
    ...Object.fromEntries(numbers(PLACES).map((n) => [`c${n}/generator.yml`, configText(`c${n}`, FIRST)])),
  },
  env: { SPATE_KEYRING_PASSWORD: PASSWORD },
};

/** The same numbers for the same seed (mulberry32). */
export const randomOf = (seed) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

export const jsonOf = async (url, path, init) => {
  const response = await fetch(`${url}${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};

/** Every place that is written, and what was written there. */
export const makePlaces = () => {
  const many = (count, first = 0) => numbers(count).map(() => writeHistory(first));
  return {
    configs: many(PLACES, FIRST),
    entries: many(PLACES),
    globals: many(PLACES),
    secrets: many(SECRETS),
    settings: writeHistory(0),
  };
};

export const sees = (what, seen, possible) =>
  possible.includes(seen)
    ? undefined
    : `${what} is ${JSON.stringify(seen)}, not one of ${JSON.stringify(possible)}`;

const expectStatus = ({ status, bytes }, wanted) =>
  status === wanted ? undefined : `${status} ${bytes.toString().slice(0, 300)}`;

/** The preview that is asked for, and its one right answer. */
export const previewOf = async (url) => {
  const path = `/preview/c0/input-plugins/generate?size=${PREVIEW_SIZE}&skip_past=false`;
  const body = JSON.stringify([
    { cron: { expression: '* * * * * *', count: 1, start: '2027-01-01T00:00:00Z' } },
  ]);
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const response = await fetch(`${url}${path}`, init);
  const expected = Buffer.from(await response.arrayBuffer());
  const { total, timestamps } = JSON.parse(expected.toString());
  const wrong = timestamps.findIndex((text, n) => Date.parse(text) !== Date.UTC(2027, 0, 1) + n * 1_000);
  if (total !== PREVIEW_SIZE || timestamps.length !== PREVIEW_SIZE || wrong >= 0) {
    throw new Error(`the preview has ${total} timestamps, the first wrong one is ${wrong}`);
  }
  return { path, body, expected };
};

/** Reads, each with its share; those of places that are written look for lost changes too. */
const readsOf = (places, random) => {
  const any = (list) => Math.floor(random() * list.length);
  const plain = (kind, path) => () => ({
    kind,
    method: 'GET',
    path,
    onAnswer: (answer) => expectStatus(answer, 200),
  });
  const checked = (kind, path, check) => ({
    kind,
    method: 'GET',
    path,
    onAnswer: (answer) => expectStatus(answer, 200) ?? check(JSON.parse(answer.bytes.toString())),
  });
  return [
    [4, plain('GET generators', '/generators/')],
    [6, plain('GET generator stats', '/generators/script/stats')],
    [6, plain('GET generator status', '/generators/replay/status')],
    [4, plain('GET settings', '/instance/settings')],
    [4, plain('GET info', '/instance/info')],
    [3, plain('GET health', '/health')],
    [3, plain('GET metrics', '/metrics')],
    [2, plain('GET openapi', '/openapi.json')],
    [2, plain('GET configs', '/generator-configs/?extended=true')],
    [3, plain('GET file-tree', '/generator-configs/replay/file-tree')],
    [3, plain('GET secrets', '/secrets/')],
    [
      12,
      () => {
        const n = any(places.configs);
        const possible = places.configs[n].look();
        const path = `/generator-configs/c${n}`;
        return checked('GET config', path, (body) => sees(`c${n}`, body.input[0].static.count, possible()));
      },
    ],
    [
      6,
      () => {
        const n = any(places.entries);
        const possible = places.entries[n].look();
        return checked('GET startup entry', `/startup/e${n}`, (body) =>
          sees(`e${n}`, body.params.n, possible()),
        );
      },
    ],
    [
      3,
      () => {
        const looks = places.entries.map((place) => place.look());
        return checked('GET startup', '/startup/', (body) => {
          const seen = new Map(body.map(({ id, params }) => [id, params.n]));
          return looks.map((possible, n) => sees(`e${n}`, seen.get(`e${n}`), possible())).find(Boolean);
        });
      },
    ],
    [
      8,
      () => {
        const looks = places.globals.map((place) => place.look());
        return checked('GET globals', '/scenarios/busy/globals', (body) =>
          looks.map((possible, n) => sees(`k${n}`, body[`k${n}`] ?? 0, possible())).find(Boolean),
        );
      },
    ],
  ];
};

/** Changes, each with its share. Every one writes a number of its own. */
const writesOf = (places, settings, random) => {
  let serial = FIRST;
  const any = (list) => Math.floor(random() * list.length);
  const written = (kind, method, path, place, bodyOf) => {
    const value = ++serial;
    const write = place.begin(value);
    const onAnswer = (answer) => {
      write.end(answer.status === 200 ? 'done' : 'refused');
      return expectStatus(answer, 200);
    };
    return { kind, method, path, body: JSON.stringify(bodyOf(value)), onAnswer };
  };
  const placed = (kind, method, list, pathOf, bodyOf) => () => {
    const n = any(list);
    return written(kind, method, pathOf(n), list[n], (value) => bodyOf(value, n));
  };
  const withNumber = (value) => ({ ...settings, log: { ...settings.log, max_bytes: MAX_BYTES + value } });
  return [
    [4, placed('PUT config', 'PUT', places.configs, (n) => `/generator-configs/c${n}`, configBody)],
    [2, placed('PUT startup entry', 'PUT', places.entries, (n) => `/startup/e${n}`, startupEntry)],
    [
      2,
      placed(
        'PATCH globals',
        'PATCH',
        places.globals,
        () => '/scenarios/busy/globals',
        (value, n) => ({ [`k${n}`]: value }),
      ),
    ],
    [1, () => written('PUT settings', 'PUT', '/instance/settings', places.settings, withNumber)],
    [
      1,
      placed(
        'PUT secret',
        'PUT',
        places.secrets,
        (n) => `/secrets/s${n}`,
        (value) => `value ${value}`,
      ),
    ],
  ];
};

/** What is sent next: a preview while fewer than two are under way, else a read or a change. */
export const mixOf = ({ places, settings, preview, random }) => {
  let previews = 0;
  const previewed = () => {
    previews++;
    return {
      kind: 'preview',
      method: 'POST',
      path: preview.path,
      body: preview.body,
      onFailure: () => previews--,
      onAnswer: (answer) => {
        previews--;
        return (
          expectStatus(answer, 200) ??
          (answer.bytes.equals(preview.expected) ? undefined : 'not the right timestamps')
        );
      },
    };
  };
  const rows = [...readsOf(places, random), ...writesOf(places, settings, random)];
  const deck = rows.flatMap(([share, make]) => numbers(share).map(() => make));
  return (index) => {
    if (index % 50 === 0 && previews < MAX_PREVIEWS) return previewed();
    return deck[Math.floor(random() * deck.length)]();
  };
};
