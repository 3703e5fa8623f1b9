import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emptyDraft } from '../../../src/ui/pages/new/drafts.js';
import { FIRST_OUTPUT, tableSql } from '../../../src/ui/pages/new/outputs.js';
import { runProgram } from '../../support/instance.js';
import {
  type ClickhouseServer,
  hasClickhouse,
  NEEDS_CLICKHOUSE,
  startClickhouse,
} from '../../support/servers/clickhouseServer.js';

(hasClickhouse ? describe : describe.skip)(`a generator from empty ${NEEDS_CLICKHOUSE}`, () => {
  let server: ClickhouseServer;
  beforeAll(async () => {
    server = await startClickhouse();
  });
  afterAll(() => server.remove());

  test.each(['template', 'script'] as const)(
    'with a %s fills the table that the page shows',
    async (event) => {
      const folder = await mkdtemp(join(tmpdir(), 'spate-new-'));
      const output = {
        ...FIRST_OUTPUT,
        kind: 'clickhouse',
        port: server.port,
        host: '127.0.0.1',
        table: event,
      } as const;
      // Debian's ClickHouse is older than DateTime64.
      await server.query(tableSql(output, 'events').replace('DateTime64(3)', 'String').replace(/;$/, ''));
      const draft = emptyDraft({ name: 'mine', events_per_second: 100, timing: 'even', event, output });
      // JSON is YAML.
      await writeFile(join(folder, 'generator.yml'), JSON.stringify(draft.config));
      for (const { path, content } of draft.files) await writeFile(join(folder, path), String(content));
      const run = runProgram(['generate', '--path', folder, '--live-mode', 'false', '--limit', '200']);
      expect(await run.exited).toMatchObject({ code: 0 });
      const counts = `count(), countIf(match(time, '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}[.][0-9]{3}$')), countIf(duration_ms > 0 AND user LIKE 'user-%' AND service = 'shop' AND level IN ('info', 'error') AND action != '')`;
      expect(await server.query(`SELECT ${counts} FROM ${event} FORMAT TabSeparated`)).toBe('200\t200\t200');
      await rm(folder, { recursive: true, force: true });
    },
  );
});
