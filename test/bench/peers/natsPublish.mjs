/**
 * `node natsPublish.mjs PORT SUBJECT FILE COUNT`: publishes the lines of a file again and again to JetStream, with an
 * id each, at most 4,096 of them without an acknowledgement.
 */
import { readFileSync } from 'node:fs';
import { connect, createInbox, headers, nuid } from '@nats-io/transport-node';

const [port, subject, path, count] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const MAX_IN_FLIGHT = 4_096;
const total = Number(count);
const run = nuid.next();

const client = await connect({ servers: `127.0.0.1:${port}`, noAsyncTraces: true });
const inbox = createInbox();
let sent = 0;
let stored = 0;
let wake = () => {};
client.subscribe(`${inbox}.*`, {
  callback: (_, reply) => {
    if (!reply.string().startsWith('{"stream":')) throw new Error(reply.string());
    stored += 1;
    if (stored === total || sent - stored <= MAX_IN_FLIGHT / 2) wake();
  },
});
while (stored < total) {
  while (sent < total && sent - stored < MAX_IN_FLIGHT) {
    const fields = headers();
    fields.set('Nats-Msg-Id', `${run}-${sent}`);
    client.publish(subject, lines[sent % lines.length], { reply: `${inbox}.${sent}`, headers: fields });
    sent += 1;
  }
  await new Promise((resolve) => {
    wake = resolve;
  });
}
await client.close();
