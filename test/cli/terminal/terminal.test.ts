import { describe, expect, test } from '@jest/globals';
import { calledAs } from '../../../src/cli/terminal/terminal.js';

describe('hints call the program as it can be called from here', () => {
  test.each([
    [
      'npx',
      '/clone/dist/src/cli/main.js',
      { npm_command: 'exec', PATH: '/clone/node_modules/.bin' },
      'npx spate',
    ],
    ['npm start', '/clone/dist/src/cli/main.js', { npm_command: 'start' }, 'npx spate'],
    ['an installed package', '/usr/local/bin/spate', { PATH: '/usr/bin:/usr/local/bin' }, 'spate'],
    ['a link by another name', '/usr/local/bin/events', { PATH: '/usr/local/bin' }, 'events'],
    ['Node in the clone', '/clone/dist/src/cli/main.js', { PATH: '/usr/bin' }, 'node dist/src/cli/main.js'],
    ['Node from elsewhere', '/other/dist/src/cli/main.js', {}, 'node /other/dist/src/cli/main.js'],
  ])('%s', (_, main, env, program) => {
    expect(calledAs(main, env, '/clone', '/clone/dist/src/joined')).toBe(program);
  });

  test.each([
    ['npx that installed the package', '/home/me/.npm/_npx/0a1b', 'npx -p spate-events spate'],
    ['npx in a project that has the package', '/project', 'npx spate'],
  ])('%s', (_, project, program) => {
    const main = `${project}/node_modules/.bin/spate`;
    const folder = `${project}/node_modules/spate-events/dist/src/joined`;
    expect(calledAs(main, { npm_command: 'exec' }, '/clone', folder)).toBe(program);
  });
});
