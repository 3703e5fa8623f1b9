import {
  anyJson,
  boolean,
  defaulted,
  type EntryOf,
  listOf,
  mapOf,
  record,
  required,
  taggedBy,
  text,
} from '../../../../../schema/index.js';

/** Extension as in the type; relative to the generator's folder. */
const fileEnding = (extension: 'csv' | 'json') =>
  text({
    label: `path ending in .${extension}`,
    minLength: 1,
    pattern: new RegExp(`\\.${extension}$`),
    check: (value) =>
      value.includes('\0') ? { type: 'not_allowed', message: 'must not contain a NUL character' } : null,
  });

const character = text({ label: 'one character, not a line break', pattern: /^[^\r\n\0]$/u });

/** Rows in a config; files may have more. */
const MAX_ROWS = 50_000;
const MAX_COLUMNS = 500_000;

const itemsShape = record({
  source: required(listOf(anyJson({ maxValues: MAX_COLUMNS }), { min: 1, max: MAX_ROWS }), {
    help: 'Rows, all of one kind: lists of values, objects with column names as keys, or single values.',
    example: [{ name: 'ann', weight: 3 }],
  }),
});

const csvShape = record(
  {
    source: required(fileEnding('csv'), {
      help: "CSV file in UTF-8, relative to the generator's folder. All values are strings.",
      example: 'samples/users.csv',
    }),
    header: defaulted(boolean(), false, {
      help: 'Read column names from the first row. Otherwise they are `_0`, `_1` and so on.',
    }),
    delimiter: defaulted(character, ',', {
      help: 'Character between values. Write a tab as "\\t" in double quotes.',
    }),
    quotechar: defaulted(character, '"', {
      help: 'Quotes values that contain the delimiter or a line break. Double it inside a value.',
    }),
  },
  {
    rules: [
      {
        fields: ['delimiter', 'quotechar'],
        check: ({ delimiter, quotechar }) =>
          delimiter === quotechar
            ? { at: 'quotechar', type: 'not_allowed', message: 'must differ from delimiter' }
            : null,
      },
    ],
  },
);

const jsonShape = record({
  source: required(fileEnding('json'), {
    help: "JSON file in UTF-8 with a list of objects or a list of lists, relative to the generator's folder.",
    example: 'samples/hosts.json',
  }),
});

const sampleKinds = { items: itemsShape, csv: csvShape, json: jsonShape };

export const sampleShape = taggedBy('type', sampleKinds);

export type SampleConfig = EntryOf<typeof sampleKinds>;

export const samplesField = defaulted(
  mapOf(sampleShape),
  {},
  {
    help: 'Data sets by name, loaded once at start. Templates read them as `samples.<name>`.',
    example: { users: { type: 'csv', source: 'samples/users.csv', header: true } },
  },
);
