import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { JsonObject } from '../../src/domain/json.js';
import { CLI, type Instance } from '../support/instance.js';

/** What a call of a tool answers. */
export interface Called {
  readonly isError: boolean;
  readonly value: JsonObject;
}

/** The official client of the SDK, connected to a server of ours. */
export interface Model {
  readonly client: Client;
  readonly tools: () => Promise<readonly string[]>;
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Called>;
  readonly close: () => Promise<void>;
}

const modelOf = (client: Client): Model => ({
  client,
  tools: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: async (name, args = {}) => {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
    const [text] = content as readonly { readonly text: string }[];
    const value = structuredContent as JsonObject;
    // Old clients read the text.
    if (JSON.stringify(value) !== text?.text) throw new Error('text and structure differ');
    return { isError: isError === true, value };
  },
  close: () => client.close(),
});

/** `auto`: the protocol of 2026-07-28 if the server speaks it; `legacy`: that of 2025. */
type Mode = 'auto' | 'legacy';

const newClient = (mode: Mode): Client =>
  new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });

/** `spate mcp` with options, as a program that the client starts. */
export const overStdio = async (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  mode: Mode = 'auto',
): Promise<Model> => {
  const client = newClient(mode);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
  });
  await client.connect(transport);
  return modelOf(client);
};

/** `/api/mcp` of an instance. */
export const overHttp = async (
  { url }: Pick<Instance, 'url'>,
  headers: Readonly<Record<string, string>> = {},
  mode: Mode = 'auto',
): Promise<Model> => {
  const client = newClient(mode);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return modelOf(client);
};
