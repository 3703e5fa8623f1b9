import { settingsShape } from '../../config/settings/shape.js';
import { startupEntryShape } from '../../config/startup/startup.js';
import { generatorShape } from '../../plugins/generatorShape.js';
import { type JsonSchema, schemaDocument, schemaWithPlaceholders } from '../../schema/index.js';
import { type Command, NO_POSITIONALS } from '../arguments/command.js';
import { flagOption } from '../arguments/option.js';
import { usageError } from '../report.js';
import { EXIT } from '../terminal/io.js';

const options = {
  settings: flagOption({ help: 'Print the schema of settings files.' }),
  startup: flagOption({ help: 'Print the schema of startup files.' }),
};

const schemaOf = (isSettings: boolean, isStartup: boolean): JsonSchema => {
  if (isSettings) return schemaDocument('Spate settings', schemaWithPlaceholders(settingsShape.schema));
  if (!isStartup) return schemaDocument('Spate generator', schemaWithPlaceholders(generatorShape.schema));
  const items = schemaWithPlaceholders(startupEntryShape.schema);
  return schemaDocument('Spate startup list', { type: 'array', items });
};

export const schema: Command<typeof options> = {
  name: 'schema',
  summary: 'Prints the JSON Schema of generator configs, for editors.',
  positionals: NO_POSITIONALS,
  options,
  examples: [
    { title: 'Save the schema for an editor', line: 'spate schema > generator.schema.json' },
    { title: 'Print the schema of settings', line: 'spate schema --settings' },
  ],
  run: async ({ options: { settings, startup } }, { io }) => {
    if (settings === true && startup === true)
      return usageError(io, 'spate schema', 'give --settings or --startup, not both');
    io.stdout.write(`${JSON.stringify(schemaOf(settings === true, startup === true), null, 2)}\n`);
    return EXIT.ok;
  },
};
