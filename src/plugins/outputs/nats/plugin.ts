import { resolve } from 'node:path';
import {
  type Authenticator,
  credsAuthenticator,
  type NodeConnectionOptions,
  nkeyAuthenticator,
  nuid,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import * as E from 'fp-ts/lib/Either.js';
import { failure, type Result, reasonOf } from '../../../domain/errors.js';
import { documentsOf } from '../../../domain/events/eventBatch.js';
import { hostPort } from '../../../domain/text/shown.js';
import type { Clock } from '../../../ports/clock.js';
import type { Output, OutputPlugin, PluginContext } from '../../kit.js';
import { readInputFile } from '../../shared/inputFile.js';
import { generatorName } from '../../shared/text/routing.js';
import { payloadsOf } from '../shared/batchBytes.js';
import { type BrokerLink, brokerOutput, makeLink, type Publication } from '../shared/brokers/brokerOutput.js';
import { makeWindow, type SendWindow, writeAcknowledged, writeConfirmed } from '../shared/brokers/writes.js';
import { type ErrorReporter, makeErrorReporter, type RequestError } from '../shared/errors.js';
import { readTls, type TlsOptions } from '../shared/tls.js';
import { connectToNats, type NatsLink } from './connection.js';
import {
  lineBytes,
  MAX_CONTROL_LINE,
  type MessageMaker,
  type NatsParams,
  natsMessageMaker,
} from './messages.js';
import {
  acknowledgementError,
  connectionError,
  deniedError,
  LINE_TOO_LONG,
  renderError,
  tooLargeError,
} from './natsErrors.js';
import { type NatsServer, type natsFields, natsServerOf, natsSpec } from './spec.js';

const MAX_FILE_BYTES = 1024 * 1024;

const wrong = (what: string) => E.left(failure('plugin_failed', `output nats: ${what}`));

const credentialsOf = async (
  file: string,
  { directory, clock }: Pick<PluginContext, 'directory' | 'clock'>,
): Promise<Result<Authenticator>> => {
  const path = resolve(directory, file);
  try {
    const bytes = await readInputFile(path, clock, MAX_FILE_BYTES);
    if (bytes === null) return wrong(`${path} is too large. Correct \`credentials_file\`.`);
    const authenticator = credsAuthenticator(bytes);
    // Throws for a file without JWT or seed.
    authenticator('check');
    return E.right(authenticator);
  } catch (thrown) {
    const what = `cannot read ${path}: ${reasonOf(thrown)}. Correct \`credentials_file\`.`;
    return E.left(failure('unreadable', `output nats: ${what}`));
  }
};

const authenticatorOf = async (
  { username, password, token, nkey, credentials_file }: NatsParams,
  context: Pick<PluginContext, 'directory' | 'clock'>,
): Promise<Result<Authenticator | null>> => {
  if (credentials_file !== null) return credentialsOf(credentials_file, context);
  if (username !== null) return E.right(usernamePasswordAuthenticator(username, password));
  if (token !== null) return E.right(tokenAuthenticator(token));
  if (nkey === null) return E.right(null);
  const authenticator = nkeyAuthenticator(Buffer.from(nkey, 'utf8'));
  try {
    authenticator('check');
    return E.right(authenticator);
  } catch {
    return wrong('`nkey` is not the seed of an NKey. It begins with SU.');
  }
};

/** Returns options for TLS. Without them the connection is plain, unless the server requires TLS. */
const tlsOf = (params: NatsParams, servers: readonly NatsServer[], options: TlsOptions) => {
  const isWanted =
    params.tls ||
    !params.verify ||
    [params.ca_cert, params.client_cert, params.server_host_name].some((value) => value !== null) ||
    servers.some(({ isTls }) => isTls);
  // The client hands them to Node, which takes buffers too.
  return isWanted ? { tls: options as unknown as NonNullable<NodeConnectionOptions['tls']> } : {};
};

export const natsPlugin: OutputPlugin<typeof natsFields> = {
  spec: natsSpec,
  open: async (params, { directory, clock, signal }) => {
    const servers = params.servers.flatMap((text) => natsServerOf(text) ?? []);
    const tls = await readTls('nats', params, { directory, clock });
    if (E.isLeft(tls)) return tls;
    const authenticator = await authenticatorOf(params, { directory, clock });
    if (E.isLeft(authenticator)) return authenticator;
    const name = `nats://${servers.map(hostPort).join(',')}, subject ${params.subject}`;
    const report = makeErrorReporter(name, [
      { username: params.username ?? '', password: params.password },
      { username: '', password: params.token ?? '' },
      { username: '', password: params.nkey ?? '' },
    ]);
    const options = {
      servers,
      client: {
        name: params.client_name,
        ...(authenticator.right === null ? {} : { authenticator: authenticator.right }),
        ...tlsOf(params, servers, tls.right),
      },
      connect_timeout_ms: params.connect_timeout * 1_000,
      hasReplies: params.jetstream,
      clock,
    };
    const link = makeLink((closing) => connectToNats(options, closing));
    const connected = await link.get(signal);
    if (E.isLeft(connected)) return E.left(report('cannot open', { ...connected.left, isRetryable: true }));
    const maker = natsMessageMaker(params, generatorName({ directory }), nuid.next());
    return E.right(natsOutput({ link, maker, params, name, report, clock }));
  },
};

interface NatsOutputOptions {
  readonly link: BrokerLink<NatsLink>;
  readonly maker: MessageMaker;
  readonly params: NatsParams;
  readonly name: string;
  readonly report: ErrorReporter;
  readonly clock: Clock;
}

const natsOutput = ({ maker, params, ...options }: NatsOutputOptions): Output => {
  const window = makeWindow(params.max_in_flight);
  return brokerOutput({
    ...options,
    ack_timeout: params.ack_timeout,
    publish: (publication) =>
      params.jetstream
        ? publishAcknowledged({ ...publication, maker }, window)
        : publishConfirmed({ ...publication, maker }, options.clock),
  });
};

/** One write: its items, and what becomes of them. */
interface Publishing extends Publication<NatsLink> {
  readonly maker: MessageMaker;
}

/** Publishes single items of a batch. */
interface Publisher {
  /** Subjects that the user may not publish to, as far as known. */
  readonly denied: ReadonlySet<string>;
  /** Sends an item; returns an error if it was not sent. */
  readonly publish: (item: number, replyTo: string | null) => RequestError | null;
  readonly subjectOf: (item: number) => string;
  readonly bytes: () => number;
  /** Keeps ids of events in doubt, and stops listening. */
  readonly end: () => void;
}

const publisherOf = (
  { batch, link, maker, outcome }: Publishing,
  onDenied: (subject: string) => void,
): Publisher => {
  const { client } = link;
  const payloadOf = payloadsOf(batch);
  // Not the whole envelopes: headers that live until the acknowledgement cost most.
  const subjects: string[] = [];
  const freshIds: (string | null)[] = [];
  const denied = new Set<string>();
  const unlisten = link.onDenied((subject) => {
    if (denied.has(subject)) return;
    denied.add(subject);
    onDenied(subject);
  });
  // The greeting of the server names it.
  const max_payload = client.info?.max_payload ?? Number.POSITIVE_INFINITY;
  let bytes = 0;
  return {
    denied,
    subjectOf: (item) => subjects[item] ?? '',
    bytes: () => bytes,
    publish: (item, replyTo) => {
      const made = maker.envelopeOf(() => documentsOf(batch)[item] ?? '');
      if (E.isLeft(made)) return renderError(made.left);
      const envelope = made.right;
      subjects[item] = envelope.subject;
      freshIds[item] = envelope.freshId;
      if (denied.has(envelope.subject)) return deniedError(envelope.subject);
      const payload = payloadOf(item);
      if (payload.length > max_payload) return tooLargeError(max_payload);
      if (lineBytes(envelope, payload.length, replyTo) > MAX_CONTROL_LINE) return LINE_TOO_LONG;
      try {
        client.publish(envelope.subject, payload, {
          ...(replyTo === null ? {} : { reply: replyTo }),
          ...(envelope.headers === null ? {} : { headers: envelope.headers }),
        });
      } catch (thrown) {
        // Headers count too.
        if (/max_payload/.test(String(thrown))) return tooLargeError(max_payload);
        return connectionError(thrown);
      }
      bytes += payload.length;
      return null;
    },
    end: () => {
      unlisten();
      for (const item of outcome.inDoubt()) {
        const id = freshIds[item];
        if (id !== undefined && id !== null) maker.keep(documentsOf(batch)[item] ?? '', id);
      }
    },
  };
};

/** Bytes sent, and whether the connection holds nothing of unknown fate. */
interface Published {
  readonly bytes: number;
  readonly isClean: boolean;
}

/** Publishes to JetStream and waits for the acknowledgement of each message. */
const publishAcknowledged = async (publishing: Publishing, window: SendWindow): Promise<Published> => {
  const { batch, link, outcome, ending } = publishing;
  let refuse: (item: number, error: RequestError) => void = () => {};
  // No acknowledgement comes for a message that the user may not publish.
  const publisher = publisherOf(publishing, (subject) => {
    for (let item = 0; item < batch.count; item++) {
      if (outcome.isOpen(item) && publisher.subjectOf(item) === subject) refuse(item, deniedError(subject));
    }
  });
  const isClean = await writeAcknowledged(
    {
      count: batch.count,
      outcome,
      window,
      send: (item, settle) =>
        publisher.publish(
          item,
          link.replyTo(({ data, headers }) => settle(acknowledgementError(data, headers?.code ?? 0))),
        ),
      onStart: (refuseItem) => {
        refuse = refuseItem;
      },
    },
    ending,
  );
  publisher.end();
  return { bytes: publisher.bytes(), isClean };
};

/** Publishes without acknowledgements, and waits until the server has processed all of it. */
const publishConfirmed = async (publishing: Publishing, clock: Clock): Promise<Published> => {
  const { batch, link, outcome, ending } = publishing;
  const publisher = publisherOf(publishing, () => {});
  const isClean = await writeConfirmed(
    {
      count: batch.count,
      outcome,
      send: (item) => publisher.publish(item, null),
      bytes: publisher.bytes,
      // Refusals come before the confirmation and are read in its turn. A flush fails only with the connection.
      confirm: () =>
        link.client.flush().then(
          () => clock.yieldTurn(),
          () => new Promise<void>(() => {}),
        ),
      refusalOf: (item) => {
        const subject = publisher.subjectOf(item);
        return publisher.denied.has(subject) ? deniedError(subject) : null;
      },
    },
    ending,
  );
  publisher.end();
  return { bytes: publisher.bytes(), isClean };
};
