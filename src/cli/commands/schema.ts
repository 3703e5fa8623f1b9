import { testFileShape } from '../../analysis/expect/format.js';
import { clusterShape } from '../../config/cluster.js';
import { incidentShape } from '../../config/incidents/shape.js';
import { settingsShape } from '../../config/settings/shape.js';
import { startupEntryShape } from '../../config/startup/startup.js';
import { worldShape } from '../../plugins/inputs/world/worldShape.js';
import { installed } from '../../plugins/installed.js';
import { type JsonSchema, schemaDocument, schemaWithPlaceholders } from '../../schema/index.js';
import { type Command, NO_POSITIONALS } from '../arguments/command.js';
import { flagOption } from '../arguments/option.js';
import { PLUGIN_OPTIONS } from '../arguments/sharedOptions.js';
import { usageError } from '../report.js';
import { EXIT } from '../terminal/io.js';

const options = {
  settings: flagOption({ help: 'Print the schema of settings files.' }),
  startup: flagOption({ help: 'Print the schema of startup files.' }),
  cluster: flagOption({ help: 'Print the schema of cluster files.' }),
  incident: flagOption({ help: 'Print the schema of incident files.' }),
  world: flagOption({ help: 'Print the schema of world files.' }),
  tests: flagOption({ help: 'Print the schema of the tests of a generator.' }),
  ...PLUGIN_OPTIONS,
};

const DOCUMENTS = {
  generator: () =>
    schemaDocument('Spate generator', schemaWithPlaceholders(installed().shapes.generator.schema)),
  settings: () => schemaDocument('Spate settings', schemaWithPlaceholders(settingsShape.schema)),
  startup: () => {
    const items = schemaWithPlaceholders(startupEntryShape.schema);
    return schemaDocument('Spate startup list', { type: 'array', items });
  },
  cluster: () => schemaDocument('Spate cluster', schemaWithPlaceholders(clusterShape.schema)),
  incident: () => schemaDocument('Spate incident', incidentShape.schema),
  world: () => schemaDocument('Spate world', worldShape.schema),
  tests: () => schemaDocument('Spate tests of a generator', testFileShape.schema),
} satisfies Readonly<Record<string, () => JsonSchema>>;

/** The schema of a kind of file. */
export const schemaOf = (kind: keyof typeof DOCUMENTS): JsonSchema => DOCUMENTS[kind]();

export const schema: Command<typeof options> = {
  name: 'schema',
  summary: 'Prints the JSON Schema of generator configs, for editors.',
  positionals: NO_POSITIONALS,
  options,
  usesPlugins: true,
  examples: [
    { title: 'Save the schema for an editor', line: 'spate schema > generator.schema.json' },
    { title: 'Print the schema of settings', line: 'spate schema --settings' },
  ],
  run: async ({ options: given }, { io }) => {
    const [name = 'generator', other] = (
      ['settings', 'startup', 'cluster', 'incident', 'world', 'tests'] as const
    ).filter((kind) => given[kind] === true);
    if (other !== undefined)
      return usageError(
        io,
        'schema',
        'give one of --settings, --startup, --cluster, --incident, --world and --tests',
      );
    io.stdout.write(`${JSON.stringify(schemaOf(name), null, 2)}\n`);
    return EXIT.ok;
  },
};
