import { describe, expect, test } from '@jest/globals';
import { maskedLog, streamLog } from '../../../src/adapters/logs/streamLog.js';
import { knownSecrets } from '../../../src/domain/secrets.js';
import type { Log } from '../../../src/ports/log.js';

const makeLog = (format: 'plain' | 'json') => {
  const lines: string[] = [];
  const known = knownSecrets();
  const log = maskedLog(streamLog({ level: 'debug', format, write: (line) => void lines.push(line) }), known);
  const written = (write: (log: Log) => void): string => {
    write(log);
    return (lines.pop() ?? '').replace(/^\S+ |"timestamp":"[^"]*",/g, '');
  };
  return { known, log, written };
};

describe('a masked log', () => {
  test.each(['plain', 'json'] as const)('in %s lines shows no secret, however it is escaped', (format) => {
    const { known, written } = makeLog(format);
    const secret = 'hun"ter\n2';
    known.add(secret);
    const line = written((log) =>
      log.write('error', `no ${secret}`, {
        reason: secret,
        value: { [secret]: [secret] },
        url: 'http://h/hun%22ter%0A2',
      }),
    );
    expect(line).not.toMatch(/hun|ter/);
    expect(line.match(/\*\*\*/g)?.length).toBe(5);
  });

  test('masks secrets learned after the context was set', () => {
    const { known, log, written } = makeLog('json');
    const later = log.with({ url: 'http://hunter2/' });
    known.add('hunter2');
    expect(written(() => later.write('info', 'x'))).toContain('"url":"http://***/"');
  });

  test('leaves the id of a generator, which names its file', () => {
    const { known, log, written } = makeLog('plain');
    known.add('shop');
    expect(written(() => log.with({ generator_id: 'shop' }).write('info', 'the shop'))).toBe(
      'info     the *** generator_id=shop\n',
    );
  });
});
