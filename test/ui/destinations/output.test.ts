import { expect, test } from '@jest/globals';
import { SECRET_MASK } from '../../../src/schema/index.js';
import { withSecretsApart } from '../../../src/ui/pages/destinations/output.js';

const apart = (output: Parameters<typeof withSecretsApart>[0]) => withSecretsApart(output, 'my-siem.1');

test('a typed secret becomes a placeholder, named by destination and field', () => {
  expect(apart({ splunk_hec: { url: 'http://a', token: 'abc', index: 'web' } })).toEqual({
    value: {
      splunk_hec: { url: 'http://a', token: '${secrets.destination_my_siem_1_token}', index: 'web' },
    },
    secrets: [{ name: 'destination_my_siem_1_token', value: 'abc' }],
  });
});

test('masks, placeholders and empty texts stay, and so does what the page does not know', () => {
  for (const token of [SECRET_MASK, '${secrets.other}', '']) {
    const output = { splunk_hec: { url: 'http://a', token } };
    expect(apart(output)).toEqual({ value: output, secrets: [] });
  }
  expect(apart({ unknown: { token: 'abc' } })).toEqual({ value: { unknown: { token: 'abc' } }, secrets: [] });
});
