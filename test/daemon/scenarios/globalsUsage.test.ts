import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeInstance } from '../../support/instance.js';

test('the API says what the templates of a generator do with globals, and its scripts do with globals, by its directory or its id', async () => {
  const instance = await makeInstance({
    startup: '[{id: shop-web, path: web/generator.yml, autostart: false}]',
    generators: {
      'web/generator.yml':
        "input: [static: {count: 1}]\nevent: {script: {path: p.mjs}}\noutput: [stdout: {}]\nknobs: {n: {label: Number, min: 0, max: 5, unit: '%', default: 2}}\n",
      'web/p.mjs': "export const produce = ({globals}) => `${globals.increment('made')}`;\n",
      'web/node_modules/x/index.js': "globals.set('foreign', 1)",
      'web/templates/a.jinja': "{% do globals.set('k', globals['n']) %}",
      'web/b.j2': '{{ globals.get(name) }}',
      'web/broken.j2': '{{ globals.get( }}',
      'web/c.txt': "{{ globals.get('x') }}",
    },
  });
  try {
    await instance.start();
    const usage = {
      status: 200,
      body: {
        writes: [
          { key: 'made', template: 'p.mjs' },
          { key: 'k', template: 'templates/a.jinja' },
        ],
        reads: [
          { key: 'n', template: 'generator.yml' },
          { key: 'made', template: 'p.mjs' },
          { key: 'n', template: 'templates/a.jinja' },
        ],
        warnings: [{ type: 'dynamic_key', template: 'b.j2' }],
        knobs: [
          {
            key: 'n',
            label: 'Number',
            description: null,
            min: 0,
            max: 5,
            step: null,
            unit: '%',
            choices: null,
            default: 2,
          },
        ],
      },
    };
    for (const name of ['web', 'shop-web'])
      expect(await instance.api('GET', `/scenarios/shop/generators/${name}/globals-usage`)).toEqual(usage);
    expect((await instance.api('GET', '/scenarios/shop/generators/none/globals-usage')).status).toBe(404);
  } finally {
    await instance.remove();
  }
});

const GENERATORS = join(import.meta.dirname, '..', '..', '..', 'generators');

/** Files of a bundled generator, by path. */
const bundled = async (name: string): Promise<Readonly<Record<string, string>>> => {
  const files = (await readdir(join(GENERATORS, name))).filter((file) => /\.(?:yml|ts|mjs)$/.test(file));
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [`${name}/${file}`, await readFile(join(GENERATORS, name, file), 'utf8')]),
    ),
  );
};

test('a misspelt global of the bundled shop is set, with a warning in the answer and in the log', async () => {
  const instance = await makeInstance({
    startup: `- {id: shop-orders, path: shop-orders/generator.yml, scenarios: [shop]}
- {id: shop-fulfilment, path: shop-fulfilment/generator.yml, scenarios: [shop]}
`,
    generators: { ...(await bundled('shop-orders')), ...(await bundled('shop-fulfilment')) },
    log: 'level: warning',
  });
  const patch = async (values: Readonly<Record<string, number>>) => {
    const answer = await fetch(`${instance.url}/scenarios/shop/globals`, {
      method: 'PATCH',
      headers: { connection: 'close', 'content-type': 'application/json' },
      body: JSON.stringify(values),
    });
    return [answer.status, answer.headers.get('x-spate-warning')];
  };
  try {
    await instance.start();
    const warning = "no member mentions the global 'decline_shrae'. Did you mean 'decline_share'?";
    expect(await patch({ decline_shrae: 0.5 })).toEqual([200, warning]);
    expect(await instance.api('GET', '/scenarios/shop/globals/decline_shrae')).toEqual({
      status: 200,
      body: 0.5,
    });
    expect(await patch({ wind_speed: 1 })).toEqual([200, "no member mentions the global 'wind_speed'"]);
    expect(await patch({ decline_share: 0.5, sale: 20, order_rate_factor: 1 })).toEqual([200, null]);
    await instance.program().saw(/no member mentions the global 'decline_shrae'/);
  } finally {
    await instance.remove();
  }
});
