import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { DEFAULT_GENERATION } from '../../src/config/settings/generationFields.js';
import { loadSettings } from '../../src/config/settings/settings.js';
import { settingsShape } from '../../src/config/settings/shape.js';
import { loadStartup } from '../../src/config/startup/startup.js';
import { instanceRoutes } from '../../src/contract/routes/instance.js';
import { observeRoutes } from '../../src/contract/routes/observe.js';
import { blocksOf } from '../examples/pages/markdown.js';
import { ROOT } from '../support/sources.js';

/*
 * deploy/docker and deploy/helm: no test builds the image or installs the chart, so this holds what they say about each
 * other and about the program.
 */

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
  readonly volumes: object;
}
interface Values {
  readonly image: { readonly repository: string; readonly tag: string };
  readonly settings: { readonly server: object };
  readonly from: string;
  readonly service: { readonly port: number };
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { readonly version: string };
const dockerfile = read('deploy/docker/Dockerfile');
const compose = parse(read('deploy/docker/compose.yml')) as Compose;
const chart = parse(read('deploy/helm/Chart.yaml')) as Readonly<Record<string, string>>;
const values = parse(read('deploy/helm/values.yaml')) as Values;
const templates = readdirSync(join(ROOT, 'deploy/helm/templates'))
  .map((name) => read(`deploy/helm/templates/${name}`))
  .join('\n');
const spate = compose.services['spate'] as Service;
const PORT = settingsShape.fields?.['server']?.fields?.['port']?.fallback;

const only = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, one = '']) => one)),
];

describe('the image, the compose file and the chart', () => {
  test('have the version of the program', () => {
    expect(only(dockerfile, /-t spate:(\S+)/g)).toEqual([version]);
    expect(spate.image).toBe(`spate:${version}`);
    expect({ version: chart['version'], app: chart['appVersion'] }).toEqual({ version, app: version });
    expect(values.image).toMatchObject({ repository: 'spate', tag: '' });
  });

  test('use the port of the settings', () => {
    expect(PORT).toBe(9474);
    const port = String(PORT);
    expect(only(dockerfile, /(?:EXPOSE |127\.0\.0\.1:|"--port", ")(\d+)/g)).toEqual([port]);
    expect(spate.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(compose.configs['prometheus']?.content).toContain(`targets: ['spate:${port}']`);
    expect(only(templates, /(?:containerPort: |"port" )(\d+)/g)).toEqual([port]);
    expect(values.service.port).toBe(PORT);
  });

  test('run as one user and group', () => {
    const ids = only(dockerfile, /(?:--[ug]id |--chown=|USER )([\d:]+)/g).flatMap((each) => each.split(':'));
    const inChart = only(templates, /(?:runAsUser|runAsGroup|fsGroup): (\d+)/g);
    expect([...new Set([...ids, ...inChart])]).toEqual(['10001']);
  });

  test('keep the instance in the volume', () => {
    const places = only(dockerfile, /(?:VOLUME |WORKDIR (?!\/src)|main\.js new |-c", ")(\/[a-z]+)/g);
    expect(places).toEqual(['/instance']);
    expect(spate.volumes?.[0]).toBe('instance:/instance');
    expect(only(templates, /name: data, mountPath: (\S+)\}/g)).toEqual(['/var/lib/spate']);
    expect(only(templates, /(?:\$instance := "|spate new |test -e )([\w/]+)/g)).toContain(
      '/var/lib/spate/instance',
    );
    expect(only(templates, /args: \[run, -c, (\S+)\]/g)).toEqual(
      only(templates, /name: settings, mountPath: (\S+),/g),
    );
  });

  test('ask the service about its health where it answers', () => {
    const known = [...instanceRoutes(settingsShape), ...observeRoutes()].map(({ path }) => `/api${path}`);
    const asked = [
      ...only(dockerfile, /(\/api\/\w+)/g),
      ...only(templates, /path: (\/api\/\w+)/g),
      ...only(compose.configs['prometheus']?.content ?? '', /metrics_path: (\S+)/g),
    ];
    expect(new Set(asked)).toEqual(new Set(['/api/health', '/api/ready', '/api/metrics']));
    expect(known).toEqual(expect.arrayContaining(asked));
  });
});

describe('the compose file', () => {
  test('mounts and builds what is there', () => {
    const mounts = Object.values(compose.services)
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.split(':')[0] ?? '');
    const files = mounts.filter((from) => from.startsWith('.'));
    const { context = '', dockerfile: file = '' } = spate.build ?? {};
    for (const path of [...files, join(context, file)])
      expect({ path, isThere: existsSync(join(ROOT, 'deploy/docker', path)) }).toEqual({
        path,
        isThere: true,
      });
    expect(mounts.filter((from) => !from.startsWith('.'))).toEqual(Object.keys(compose.volumes));
  });

  test('gives a read-only service no inline configs, which Compose refuses', () => {
    const readOnly = Object.values(compose.services).filter((service) => service.read_only === true);
    expect(readOnly.map(({ configs = [] }) => configs)).toEqual([[]]);
  });

  test('starts generators that the image or a mount has', () => {
    const list = loadStartup(
      read('deploy/docker/startup.yml'),
      'startup.yml',
      DEFAULT_GENERATION,
      '/generators',
    );
    if (list._tag === 'Left') throw new Error(list.left.message);
    expect(list.right.rejected).toEqual([]);
    const there = [
      ...only(dockerfile, /--from (\S+)/g),
      ...only(spate.volumes?.join('\n') ?? '', /\/instance\/generators\/([\w-]+)/g),
    ];
    expect(list.right.entries.map(({ path }) => path)).toEqual(
      there.map((name) => `/generators/${name}/generator.yml`),
    );
  });
});

describe('the chart', () => {
  test('uses each of its values, and has each that it uses', () => {
    const used = only(templates, /\$?\.Values\.(\w+(?:\.\w+)*)/g).map((path) => path.split('.'));
    expect(new Set(used.map(([first]) => first))).toEqual(new Set(Object.keys(values)));
    const has = (path: readonly string[]): boolean =>
      // `auth` and others that a user may add.
      path[0] === 'settings' ||
      path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], values) !==
        undefined;
    expect(used.filter((path) => !has(path))).toEqual([]);
  });

  test('begins with a generator of the library and settings that are valid', () => {
    expect(existsSync(join(ROOT, 'generators', values.from, 'library.yml'))).toBe(true);
    const path = Object.fromEntries(
      only(templates, /"(\w+)" (?:\$startup|\(printf "%s\/[\w.]+" \$instance\))/g).map((key) => [
        key,
        `/i/${key}`,
      ]),
    );
    const server = { ...values.settings.server, host: '0.0.0.0', port: PORT };
    const settings = loadSettings(stringify({ ...values.settings, server, path }), '/etc/spate/spate.yml');
    expect(settings).toMatchObject({ right: { path: { startup: '/i/startup', state: '/i/state' } } });
  });

  test('has the values that its page shows', () => {
    const page = { name: 'docs/containers.md', text: read('docs/containers.md') };
    const [shown] = blocksOf(page).filter(({ language }) => language === 'text');
    const keys = Object.keys(parse(shown?.lines.join('\n') ?? '') as object);
    expect(Object.keys(values)).toEqual(expect.arrayContaining(keys));
    expect(keys.length).toBeGreaterThan(2);
  });
});
