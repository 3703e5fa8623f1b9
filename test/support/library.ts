import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes files by their paths below a folder. */
export const writeFiles = async (folder: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
};

/** A small library: files by path. */
export const TINY: Readonly<Record<string, string>> = {
  'generator.schema.json': '{}\n',
  'web-tiny/generator.yml': `# yaml-language-server: $schema=../generator.schema.json
# Requests to a web site.
input:
  - cron: {expression: '* * * * * *', count: '\${params.rate:-2}'}
event:
  template:
    mode: chance
    params: {anomaly: '\${params.anomaly:-none}', host: 'www.\${params.domain:-example.com}', labels: '\${params.labels:-true}'}
    templates:
      - page: {template: page.jinja, chance: 9}
      - scan: {template: scan.jinja, chance: 1}
    samples:
      pages: {type: json, source: samples/pages.json}
output:
  - stdout: {formatter: {format: json}}
`,
  'web-tiny/library.yml': `summary: Requests to a small web site as JSON.
category: web
event_bytes: 120
parameters:
  rate: Requests a second.
  anomaly: Attack to show from the start.
  domain: Domain of the site.
  labels: false removes the label
anomalies:
  scan: One address asks for files that are not there.
  flood: One address sends most requests.
detections:
  - Many 404 from one source (MITRE ATT&CK T1595)
`,
  'web-tiny/README.md': `# web-tiny

Requests to a small web site. See [the library](../../docs/library.md), [page](page.jinja) and [web-tiny](../web-tiny/README.md#run).

\`\`\`console
$ spate generate --path generators/web-tiny --limit 5
$ curl -X PATCH localhost:9474/api/scenarios/web-tiny/globals -d '{"anomaly": "scan"}'
\`\`\`

Not web-tiny-two, nor my-web-tiny.
`,
  'web-tiny/page.jinja':
    '{%- if globals.get("anomaly", params.anomaly) == "flood" -%}{%- endif -%}\n{"time": "{{ timestamp.isoformat() }}", "host": "{{ params.host }}", "path": {{ (samples.pages | random).path | tojson }}, "status": 200, "labels": {"anomaly": "none"}}\n',
  'web-tiny/scan.jinja':
    '{%- if globals.get("anomaly", params.anomaly) != "scan" -%}{%- do dispatch.next() -%}{%- endif -%}\n{"time": "{{ timestamp.isoformat() }}", "host": "{{ params.host }}", "path": "/none", "status": 404, "labels": {"anomaly": "scan"}}\n',
  'web-tiny/samples/pages.json': '[{"path": "/"}, {"path": "/shop"}]\n',
  'web-tiny/tests/normal.yml':
    'seed: 7\nnow: 2026-03-02T09:00:00Z\nevents: 2\nchecks: [{size: {max: 10000}}]\n',
  'web-tiny/out/events.log': 'left by a run\n',
  'web-tiny/.hidden': 'x\n',
  'dns-queries/generator.yml': `input: [{timer: {seconds: 1, count: 1}}]
event: {script: {path: produce.js}}
output: [{stdout: {}}]
`,
  'dns-queries/library.yml': `summary: Queries that a resolver answers, one line each, in a log format with a very long description here.
category: dns
event_bytes: 1800
anomalies: {tunnel: Long names under one domain.}
`,
  'dns-queries/produce.js': 'export const produce = ({ timestamp }) => `${timestamp} query`;\n',
  // A copy under a name of its own, and an example.
  'my-copy/generator.yml': 'input: []\n',
  'my-copy/library.yml': 'summary: A copy.\ncategory: web\nevent_bytes: 1\n',
  'example/generator.yml': 'input: []\n',
};
