import { describe, expect, test } from '@jest/globals';
import { docsPage, startPage } from '../../src/http/documents.js';
import { CONTRACT, VERSION } from './support.js';

const html = docsPage(CONTRACT.openapi());

describe('the documentation page', () => {
  test('shows every operation with its path', () => {
    for (const route of CONTRACT.routes) {
      expect(html).toContain(`id="${route.id}"`);
      expect(html).toContain(`<code>/api${route.path.replace('+}', '}')}</code>`);
    }
  });

  test('loads nothing from anywhere and runs nothing', () => {
    expect(html).not.toMatch(/<script|<link|<img|<iframe|\son\w+=|url\(|@import/i);
    expect(
      [...html.matchAll(/(?:href|src)="([^"]*)"/g)].every(([, target]) => /^[#/]/.test(target ?? '')),
    ).toBe(true);
  });

  test('every link inside leads somewhere', () => {
    const ids = new Set([...html.matchAll(/id="([^"]*)"/g)].map((match) => match[1]));
    for (const [, target] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });

  test('escapes what it shows', () => {
    const evil = '<script>alert("x")</script>';
    const page = docsPage({
      info: { title: evil, version: evil, description: evil },
      tags: [{ name: evil }],
      paths: {
        [evil]: { get: { tags: [evil], operationId: evil, summary: evil, parameters: [{ name: evil }] } },
      },
      components: { schemas: { [evil]: { description: evil } } },
    });
    expect(page).not.toContain('<script');
  });
});

test('the start page says what runs and links the documentation', () => {
  expect(startPage(VERSION)).toContain(`Spate ${VERSION}`);
  expect(startPage(VERSION)).toContain('href="/api/docs"');
});
