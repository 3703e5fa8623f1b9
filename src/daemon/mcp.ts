import { checkGeneratorText } from '../config/generator/config.js';
import type { Settings } from '../config/settings/settings.js';
import type { InProcessOptions } from '../http/mcp/inProcess.js';
import type { LoadMcp } from '../http/mcp/post.js';
import { installed } from '../plugins/installed.js';
import { once } from '../schema/index.js';

interface McpParts extends InProcessOptions {
  readonly version: string;
}

/** Returns the endpoint for language models, or null when it is off. Tools ask what the routes ask. */
export const mcpOf = (mode: Settings['server']['mcp'], { version, ...parts }: McpParts): LoadMcp | null => {
  if (mode === 'off') return null;
  return once(async () => {
    // Lazy: most services never get a message.
    const [{ mcpEndpoint }, { inProcess }] = await Promise.all([
      import('../mcp/endpoint.js'),
      import('../http/mcp/inProcess.js'),
    ]);
    return mcpEndpoint(
      {
        version,
        send: inProcess(parts),
        checkConfig: (text) => checkGeneratorText(text, 'config', installed().shapes.generator),
        allowsChanges: mode === 'changes',
        howToAllow: 'The operator can set server.mcp: changes in the settings of the service.',
      },
      ({ message }) => parts.log.write('info', `MCP: ${message}`, {}),
    );
  });
};
