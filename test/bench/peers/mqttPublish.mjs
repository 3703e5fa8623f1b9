/**
 * `node mqttPublish.mjs PORT TOPIC FILE COUNT`: publishes the lines of a file again and again with QoS 1, at most 1,000
 * of them without an acknowledgement.
 */
import { readFileSync } from 'node:fs';
import { connectAsync } from 'mqtt';

const [port, topic, path, count] = process.argv.slice(2);
const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
const MAX_IN_FLIGHT = 1_000;
const total = Number(count);

const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { protocolVersion: 4 });
client.stream.setNoDelay(true);
let sent = 0;
let accepted = 0;
let wake = () => {};
const onAccepted = (error) => {
  if (error) throw error;
  accepted += 1;
  if (accepted === total || sent - accepted <= MAX_IN_FLIGHT / 2) wake();
};
while (accepted < total) {
  while (sent < total && sent - accepted < MAX_IN_FLIGHT) {
    client.publish(topic, lines[sent % lines.length], { qos: 1 }, onAccepted);
    sent += 1;
  }
  await new Promise((resolve) => {
    wake = resolve;
  });
}
await client.endAsync();
