import { expect, test } from '@jest/globals';
import { makeInstance } from '../../support/instance.js';

test('the API says what the templates of a generator do with globals, by its directory or its id', async () => {
  const instance = await makeInstance({
    startup: '[{id: shop-web, path: web/generator.yml, autostart: false}]',
    generators: {
      'web/generator.yml':
        'input: [static: {count: 1}]\nevent: {script: {path: p.mjs}}\noutput: [stdout: {}]\n',
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
        writes: [{ key: 'k', template: 'templates/a.jinja' }],
        reads: [{ key: 'n', template: 'templates/a.jinja' }],
        warnings: [{ type: 'dynamic_key', template: 'b.j2' }],
      },
    };
    for (const name of ['web', 'shop-web'])
      expect(await instance.api('GET', `/scenarios/shop/generators/${name}/globals-usage`)).toEqual(usage);
    expect((await instance.api('GET', '/scenarios/shop/generators/none/globals-usage')).status).toBe(404);
  } finally {
    await instance.remove();
  }
});
