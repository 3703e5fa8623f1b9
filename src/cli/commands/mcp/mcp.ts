import * as E from 'fp-ts/lib/Either.js';
import { type Command, NO_POSITIONALS } from '../../arguments/command.js';
import { flagOption, type Option, textOption } from '../../arguments/option.js';
import { PLUGIN_OPTIONS } from '../../arguments/sharedOptions.js';
import { API_PASSWORD_VARIABLE, API_TOKEN_VARIABLE, API_USER_VARIABLE } from '../limits.js';

/** The origin of a service. */
export const urlOption: Option<string> = {
  takes: 'value',
  placeholder: 'URL',
  help: 'Address of the service, instead of that of --config (default: http://localhost:9474).',
  read: (texts) => {
    const text = texts.at(-1) ?? '';
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url === null || !/^https?:$/.test(url.protocol) || !/^\/(api\/?)?$/.test(url.pathname))
      return E.left(`must be like http://localhost:9474, not "${text}"`);
    return url.username === '' && url.password === ''
      ? E.right(url.origin)
      : E.left(`must not hold credentials: set ${API_USER_VARIABLE} and ${API_PASSWORD_VARIABLE}`);
  },
};

export const mcpOptions = {
  config: textOption('FILE', { short: 'c', help: 'Settings of the service: its address, user and plugins.' }),
  url: urlOption,
  'allow-changes': flagOption({
    help: 'Also offer tools that create, write, start, stop, send and remove.',
  }),
  plugin: PLUGIN_OPTIONS.plugin,
};

export const mcp: Command<typeof mcpOptions> = {
  name: 'mcp',
  summary: 'Lets a language model use a running service: MCP server on standard input and output.',
  positionals: NO_POSITIONALS,
  options: mcpOptions,
  usesPlugins: true,
  notes: [
    'Programs with a language model start this command themselves and speak the Model Context Protocol with it. It ends when its standard ' +
      'input closes. Without --allow-changes, tools only read and preview. A service offers the same tools at /api/mcp.',
    `Credentials: the token in $${API_TOKEN_VARIABLE}, or $${API_USER_VARIABLE} and $${API_PASSWORD_VARIABLE}, else user and plain password of --config. Authorities of TLS certificates: ` +
      '$NODE_EXTRA_CA_CERTS.',
    'Exit codes: 0 the input closed; 1 no service answers, or it refuses the credentials; 2 wrong usage.',
  ],
  examples: [
    { title: 'Let a model look at the service on this machine', line: 'spate mcp' },
    { title: 'Let it build and run generators', line: 'spate mcp -c settings/spate.yml --allow-changes' },
    { title: 'Use a service elsewhere', line: 'spate mcp --url https://spate.example:9474' },
  ],
  run: async (given, context) => {
    // Lazy: the libraries of the protocol are larger than the rest of the program.
    const { runMcp } = await import('./runMcp.js');
    return runMcp(given, context);
  },
};
