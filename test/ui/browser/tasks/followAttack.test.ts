import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings } from '../axe.js';
import { browserSuite, hasChromium, NEEDS_CHROMIUM } from '../browser.js';
import { command, enter } from './keyboard.js';

/** Usual traffic shows the address of the attacker, too, once it is known: an address proves nothing. */
const SCRIPT = `let n = 0;
export const produce = ({ globals, tags }) => {
  n++;
  const ip = globals.get('ip', globals.get('rumor', '192.0.2.' + (n % 250)));
  return JSON.stringify({ n, source: { ip }, user: { name: globals.get('login', 'nobody') } });
};
`;

const generator = (name: string): Record<string, string> => ({
  [`${name}/generator.yml`]: `input: [cron: {expression: '* * * * * *', count: 3}]
event: {script: {path: ../produce.mjs}}
output: [file: {path: /dev/null}]
`,
});

const phase = (name: string, at: number, member: string, events: number): string => `  - name: ${name}
    at: ${at}s
    for: 3s
    members: {${member}: {events: ${events}, globals: {ip: '\${attacker.ip}', login: '\${victim}'}}}
`;

const INCIDENT = `summary: Guessed at the gateway, used in the shop, stolen through the firewall.
duration: 16s
members:
  gateway: {path: ../generators/gateway}
  shop: {path: ../generators/shop}
  firewall: {path: ../generators/firewall}
entities:
  attacker: {ip: {address: 198.51.100.0/24}}
  victim: {pick: [ann.lee, bob.ray]}
phases:
${phase('guessing', 2, 'gateway', 12)}${phase('login', 6, 'shop', 5)}${phase('theft', 10, 'firewall', 8)}  - name: rumors
    at: 2s
    for: 6s
    globals: {rumor: '\${attacker.ip}'}
    members: {gateway: {rate_factor: 2}}
marks: json
ground_truth: {file: {path: '../out/{member}.truth', write_mode: overwrite}}
`;

interface Label {
  readonly at: string;
  readonly generator: string;
  readonly mark: string;
  readonly phase: string;
  readonly entities: { readonly attacker: { readonly ip: string } };
}

(hasChromium ? describe : describe.skip)(`an incident over three sources ${NEEDS_CHROMIUM}`, () => {
  const ui = browserSuite({
    generators: {
      ...generator('gateway'),
      ...generator('shop'),
      ...generator('firewall'),
      'produce.mjs': SCRIPT,
    },
    incidents: { 'takeover.yml': INCIDENT, 'again.yml': INCIDENT.replace('../out/', '../out/again.') },
    startup: '- {id: gateway, path: gateway/generator.yml}\n- {id: firewall, path: firewall/generator.yml}\n',
  });

  const truthOf = async (prefix: string): Promise<readonly string[]> => {
    const files = ['gateway', 'shop', 'firewall'].map((member) =>
      ui.instance().file(`out/${prefix}${member}.truth`),
    );
    return (await Promise.all(files)).flatMap((text) => text.trimEnd().split('\n'));
  };
  const now = (page: Page, name: string) =>
    page.getByRole('table', { name: 'Phases' }).getByRole('row', { name: new RegExp(`^${name}.* now `) });
  const truth = (page: Page) => page.getByRole('region', { name: 'Ground truth' });
  const rows = (page: Page) =>
    truth(page).getByRole('table', { name: 'Events of the ground truth' }).locator('tbody tr');
  const entity = (page: Page) =>
    truth(page)
      .getByRole('group', { name: 'Entity' })
      .getByRole('button', { name: /^attacker 198\.51/ });
  const ends = (page: Page) => page.getByText(/^The last run finished at /).waitFor();

  test('is started by clicks, and its attacker followed: each event is named in the ground truth', async () => {
    const page = await ui.open('/incidents');
    const began = performance.now();
    await page.getByRole('link', { name: 'takeover' }).click();
    await truth(page).getByText('Each event that a phase adds is listed here').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click();
    await now(page, 'guessing').waitFor();
    // Live: the first source has told of the attack before the second one.
    await rows(page).first().waitFor();
    expect(await now(page, 'theft').count()).toBe(0);
    await page.getByRole('button', { name: /^Events of attacker\.ip: / }).click();
    expect(await entity(page).getAttribute('aria-pressed')).toBe('true');
    await now(page, 'login').waitFor();
    await now(page, 'theft').waitFor();
    await rows(page).filter({ hasText: 'theft' }).first().getByRole('link', { name: 'firewall' }).click();
    await page.getByRole('heading', { level: 1, name: 'firewall' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Search events' }).inputValue()).toMatch(
      /^"198\.51\.100\.\d+"$/,
    );
    await page.goBack();
    expect(await entity(page).getAttribute('aria-pressed')).toBe('true');
    await ends(page);
    await truth(page)
      .getByText(/^25 events\. gateway 12, shop 5, firewall 8 in all\.$/)
      .waitFor();
    await truth(page)
      .getByText(/[1-9]\d* more events of these sources show attacker and are not of the incident\./)
      .waitFor();
    const total_ms = performance.now() - began;

    const lines = await truthOf('');
    const labels = lines.map((line) => JSON.parse(line) as Label);
    expect(labels).toHaveLength(25);
    const shown: string[][] = [];
    for (const row of await rows(page).all())
      shown.push((await row.getByRole('cell').allTextContents()).slice(1));
    expect(shown.map(([source, name]) => `${source} ${name}`).sort()).toEqual(
      labels.map((label) => `${label.generator.replace('takeover.', '')} ${label.phase}`).sort(),
    );
    const address = labels[0]?.entities.attacker.ip ?? '';
    // The page has listened to most phases: it shows their events themselves, each with its mark in the ground truth.
    const texts = shown.flatMap(([, , text = '']) => (text.startsWith('{') ? [text] : []));
    expect(texts.length).toBeGreaterThan(12);
    expect(texts.filter((text) => !text.includes(address))).toEqual([]);
    const marks = texts.map((text) => (JSON.parse(text) as { readonly spate: string }).spate);
    expect(labels.map(({ mark }) => mark)).toEqual(
      expect.arrayContaining(marks.map((mark) => mark.split(':').slice(0, 2).join(':'))),
    );
    expect(new Set(marks).size).toBe(texts.length);

    const saving = page.waitForEvent('download');
    await truth(page).getByRole('button', { name: 'Download' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe('takeover-truth.ndjson');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString().trimEnd().split('\n').sort()).toEqual([...lines].sort());
    process.stdout.write(
      `An incident of 16 s is started and its attacker followed over three sources in ${Math.round(total_ms)} ms; ` +
        `${labels.length} events, ${texts.length} of them seen as they were made\n`,
    );
  });

  test('is started and followed without a mouse, on a narrow dark page that anybody can read', async () => {
    const page = await ui.open('/', { scheme: 'dark', width: 390, height: 844 });
    await page.getByRole('link', { name: 'gateway', exact: true }).waitFor();
    await command(page, 'again', /^again/);
    await enter(page, page.getByRole('button', { name: 'Start', exact: true }));
    await page.getByRole('dialog').getByRole('textbox', { name: 'Seed' }).waitFor();
    await page.keyboard.press('Enter');
    await enter(page, entity(page));
    await rows(page).filter({ hasText: '198.51.100.' }).first().waitFor();
    await ends(page);
    await enter(page, rows(page).filter({ hasText: '198.51.100.' }).first().getByRole('button'));
    await truth(page).getByRole('region', { name: 'In the ground truth' }).getByText('"again"').waitFor();
    await truth(page)
      .getByRole('region', { name: 'The event' })
      .getByText(/^"198\.51\.100\.\d+"$/)
      .waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
