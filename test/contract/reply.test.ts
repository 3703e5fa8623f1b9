import { expect, test } from '@jest/globals';
import { attachment, tagged } from '../../src/contract/reply.js';

test.each([
  ['web.zip', 'attachment; filename="web.zip"'],
  ['a b.zip', 'attachment; filename="a b.zip"'],
  ['ä.zip', `attachment; filename="_.zip"; filename*=UTF-8''%C3%A4.zip`],
  ['a"b.zip', `attachment; filename="a_b.zip"; filename*=UTF-8''a%22b.zip`],
  ["it's.zip", `attachment; filename="it's.zip"`],
  ['100%.zip', `attachment; filename="100_.zip"; filename*=UTF-8''100%25.zip`],
])('the file name %s is saved under its name', (name, header) => {
  expect(attachment(name)).toBe(header);
});

test.each([
  ['v1', '"v1"'],
  ['"v1"', '"v1"'],
  ['W/"v1"', 'W/"v1"'],
])('the entity tag %s is sent as %s', (etag, header) => {
  expect(tagged(etag, null).headers).toEqual({ ETag: header });
});
