import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import type { FacadeInput, Listener } from '../../actors/facade.js';
import { fileUploads } from '../adapters/directories/uploads.js';
import { drawToken } from '../adapters/entropy.js';
import { nodeFiles, replacePrivateText } from '../adapters/files/files.js';
import { builtUi } from '../adapters/files/uiFiles.js';
import { maxOpenFiles } from '../adapters/processes/machine.js';
import { systemClock } from '../adapters/systemClock.js';
import { checkGeneratorText } from '../config/generator/config.js';
import type { Settings } from '../config/settings/settings.js';
import { settingsShape } from '../config/settings/shape.js';
import { generatorParamsShape, startupEntryShape } from '../config/startup/shape.js';
import { type Contract, makeContract } from '../contract/contract.js';
import type { failure, Result } from '../domain/errors.js';
import { hostPort } from '../domain/text/shown.js';
import type { Auth } from '../http/access/auth.js';
import { type SessionStore, sessionStore } from '../http/access/sessionStore.js';
import { type HttpServer, makeServer } from '../http/listener/server.js';
import type { InProcessOptions } from '../http/mcpInProcess.js';
import type { LoadMcp } from '../http/mcpPost.js';
import { logStreams } from '../http/streams/logStreams.js';
import type { Ask } from '../messages/ask.js';
import { installed } from '../plugins/installed.js';
import type { Log } from '../ports/log.js';
import { listOf } from '../schema/index.js';
import type { Observer } from './observe.js';
import type { CurrentSettings } from './reload.js';
import { isSameAddress, type ListenAddress, type Reserved, readServerTls } from './reserve.js';

/** Beside the compiled sources. */
const UI_FOLDER = fileURLToPath(new URL('../../ui', import.meta.url));

interface ListenerParts {
  readonly current: CurrentSettings;
  readonly log: Log;
  readonly version: string;
  readonly allowRemoteWithoutAuth: boolean;
  readonly observer: Observer;
  readonly reserved: Reserved | null;
  /** A node of a cluster, if this is one. */
  readonly node: { readonly stateAge: () => number | null } | null;
}

const authOf = ({ server }: Settings, isRemoteAllowed: boolean): Auth =>
  server.accounts.length === 0
    ? { kind: 'none', isRemoteAllowed }
    : { kind: 'accounts', accounts: server.accounts };

const storedSessions = (folder: string, log: Log): SessionStore =>
  sessionStore({
    files: { ...nodeFiles, replaceText: replacePrivateText },
    folder,
    clock: systemClock,
    drawToken,
    log,
  });

const DEFAULT_CONNECTIONS = 1_000;
/** Fewer leave little for files, threads and the connections of outputs. */
const FEW_OPEN_FILES = 1_024;

/** Half of the file descriptors stay free for generators, so that connections cannot take them. */
export const connectionsOf = (
  wanted: number | null,
  open_files: number | null,
  log: Pick<Log, 'write'>,
): number => {
  const most = open_files === null ? Number.POSITIVE_INFINITY : Math.floor(open_files / 2);
  const max_connections = Math.min(wanted ?? DEFAULT_CONNECTIONS, most);
  if (most < (wanted ?? FEW_OPEN_FILES / 2)) {
    log.write('warning', 'the process may open few files', {
      open_files: open_files ?? 0,
      max_connections,
      hint: 'raise the limit (ulimit -n, or LimitNOFILE of the service)',
    });
  }
  return max_connections;
};

/** Opens the HTTP service; sessions outlive it. */
export const listener = (parts: ListenerParts, ask: Ask): NonNullable<FacadeInput['listen']> => {
  const { current, log, version, observer } = parts;
  const sessions = storedSessions(current.settings.path.state, log);
  let { reserved } = parts;
  let open: { readonly server: HttpServer; readonly address: ListenAddress } | null = null;

  /** Listens. A port of the former server is freed first, and given back on failure. */
  const start = async (
    server: HttpServer,
    address: ListenAddress,
    isReplacing: boolean,
    onFailure: (error: ReturnType<typeof failure>) => void,
  ): Promise<Result<{ readonly port: number }>> => {
    const held = reserved !== null && isSameAddress(reserved.address, address) ? reserved.holder : undefined;
    reserved = null;
    const started = await server.start(held);
    if (E.isRight(started) || !isReplacing || open === null || open.address.port !== address.port)
      return started;
    const former = open.server;
    former.release();
    const again = await server.start();
    if (E.isRight(again)) return again;
    const back = await former.start();
    if (E.isLeft(back)) onFailure(back.left);
    return again;
  };

  return async (onFailure, former): Promise<Result<Listener>> => {
    const { settings } = current;
    const { host, port, ssl, ui_enabled } = settings.server;
    const auth = authOf(settings, parts.allowRemoteWithoutAuth);
    const tls = await readServerTls(ssl);
    if (E.isLeft(tls)) return tls;
    const contract = serviceContract(version);
    const followed = logStreams({ routes: contract.routes, ask, clock: systemClock, version });
    const uploads = fileUploads(settings.path.generators_dir);
    const server = makeServer({
      host,
      port,
      auth,
      tls: tls.right,
      drawToken,
      sessions: await sessions.open(auth),
      ...contract,
      ask,
      uploads,
      log,
      clock: systemClock,
      version,
      ...(parts.node === null ? {} : { stateAge: parts.node.stateAge }),
      ui: ui_enabled ? { files: builtUi(UI_FOLDER), drawNonce: drawToken } : null,
      mcp: mcpOf(settings.server.mcp, {
        routes: contract.routes,
        ask,
        uploads,
        log,
        version,
        noteChange: observer.noteChange,
      }),
      noteChange: observer.noteChange,
      upgrade: followed.upgrade,
      limits: {
        max_connections: connectionsOf(settings.server.max_connections, await maxOpenFiles(), log),
      },
    });
    const started = await start(server, { host, port }, former !== null, onFailure);
    if (E.isLeft(started)) return started;
    open = { server, address: { host, port } };
    return E.right({
      url: `${tls.right === null ? 'http' : 'https'}://${hostPort({ host, port: started.right.port })}`,
      close: (deadline_ms) => {
        observer.endStreams();
        followed.end();
        return server.stop(deadline_ms).then(sessions.flush);
      },
    });
  };
};

/** Warns of a service that everyone may change. */
export const warnOfOpenDoor = (settings: Settings, isRemoteAllowed: boolean, log: Log): void => {
  if (settings.server.accounts.length > 0 || !isRemoteAllowed) return;
  log.write(
    'warning',
    'SPATE_ALLOW_REMOTE_WITHOUT_AUTH is set: anyone who reaches the port has full access',
    {
      hint: 'set server.auth.user and server.auth.password',
    },
  );
};

interface McpParts extends Omit<InProcessOptions, 'caller'> {
  readonly version: string;
}

/** Returns the endpoint for language models, or null when it is off. Tools ask what the routes ask. */
const mcpOf = (mode: Settings['server']['mcp'], { version, ...parts }: McpParts): LoadMcp | null => {
  if (mode === 'off') return null;
  const endpointOf: LoadMcp = async (caller) => {
    // Lazy: most services never get a message.
    const [{ mcpEndpoint }, { inProcess }] = await Promise.all([
      import('../mcp/endpoint.js'),
      import('../http/mcpInProcess.js'),
    ]);
    const isReader = caller.role === 'read';
    return mcpEndpoint(
      {
        version,
        send: inProcess({ ...parts, caller }),
        checkConfig: (text) => checkGeneratorText(text, 'config', installed().shapes.generator),
        allowsChanges: mode === 'changes' && !isReader,
        howToAllow: isReader
          ? 'It needs another role than read, in server.users of the settings.'
          : 'The operator can set server.mcp: changes in the settings of the service.',
      },
      ({ message }) => parts.log.write('info', `MCP: ${message}`, {}),
    );
  };
  // At most as many as there are accounts.
  const endpoints = new Map<string | null, ReturnType<LoadMcp>>();
  return (caller) => {
    const endpoint = endpoints.get(caller.user) ?? endpointOf(caller);
    endpoints.set(caller.user, endpoint);
    return endpoint;
  };
};

export const serviceContract = (version: string): Contract => {
  const { generator, generatorPatch, input, event, output, formatter } = installed().shapes;
  return makeContract(
    {
      generatorConfig: generator,
      generatorPatch,
      output,
      generatorParams: generatorParamsShape,
      startupEntry: startupEntryShape,
      inputs: listOf(input),
      event,
      formatter,
      settings: settingsShape,
    },
    version,
  );
};
