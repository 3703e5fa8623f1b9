import { describe, expect, test } from '@jest/globals';
import { csvNames, fileWith, loadError, show } from './support.js';

const ROWS = '{{ samples.x | list }}';
const SUMMARY = '{{ samples.x }}';

const csvError = async (text: string | Buffer, options = {}) =>
  (await loadError({ type: 'csv', source: await fileWith(text, 'csv'), ...options })).replace(
    /^sample 'x' from data \d+\.csv: /,
    '',
  );

describe('CSV', () => {
  test.each<[string, string, Record<string, string | boolean>, string]>([
    ['values stay texts', 'a,1\nb,2.50\n', {}, "[Row(_0='a', _1='1'), Row(_0='b', _1='2.50')]"],
    ['a header names the columns', 'name,n\na,1\n', { header: true }, "[Row(name='a', n='1')]"],
    ['blank lines are left out', '\n\na,1\n\n\nb,2\n\n', {}, "[Row(_0='a', _1='1'), Row(_0='b', _1='2')]"],
    ['lines end with CRLF', 'a,1\r\nb,2\r\n\r\n', {}, "[Row(_0='a', _1='1'), Row(_0='b', _1='2')]"],
    ['lines end with CR', 'a\rb\r', {}, "[Row(_0='a'), Row(_0='b')]"],
    [
      'lines end each in its own way',
      'a\r\nb\nc\rd',
      {},
      "[Row(_0='a'), Row(_0='b'), Row(_0='c'), Row(_0='d')]",
    ],
    ['the last line needs no end', 'a\nb', {}, "[Row(_0='a'), Row(_0='b')]"],
    [
      'quoted values hold delimiters, quotes and line ends',
      '"a,b","c""d","e\nf"\n',
      {},
      `[Row(_0='a,b', _1='c"d', _2='e\\nf')]`,
    ],
    ['a quoted CRLF is kept', '"a\r\nb",c', {}, "[Row(_0='a\\r\\nb', _1='c')]"],
    ['a quoted empty value is a row', '""\n\na\n', {}, "[Row(_0=''), Row(_0='a')]"],
    [
      'a quote inside a value without quotes is text',
      'a"b,12" disk\nc,"d""e"\n',
      {},
      `[Row(_0='a"b', _1='12" disk'), Row(_0='c', _1='d"e')]`,
    ],
    ['blanks around values are kept', ' a , b\n', {}, "[Row(_0=' a ', _1=' b')]"],
    ['empty values are empty texts', 'a,,\n', {}, "[Row(_0='a', _1='', _2='')]"],
    ['another delimiter', 'a;"b;c"\n', { delimiter: ';' }, "[Row(_0='a', _1='b;c')]"],
    ['a tab as delimiter', 'a\tb,c\n', { delimiter: '\t' }, "[Row(_0='a', _1='b,c')]"],
    ['another quotechar', "'a,b','c''d','\"'\n", { quotechar: "'" }, `[Row(_0='a,b', _1="c'd", _2='"')]`],
    [
      'characters of several bytes as delimiter and quotechar',
      '«a§b«§c««d\n',
      { delimiter: '§', quotechar: '«' },
      "[Row(_0='a§b', _1='c««d')]",
    ],
    ['an empty name of the header is the place', ',b\n1,2\n', { header: true }, "[Row(_0='1', b='2')]"],
  ])('%s', async (_, text, options, expected) => {
    expect(show(await csvNames(text, options), ROWS)).toBe(expected);
  });

  test.each([
    ['an empty file', '', {}, 'Sample(rows=0, columns=[])'],
    ['blank lines only', '\n\r\n', {}, 'Sample(rows=0, columns=[])'],
    ['an empty file that should have a header', '', { header: true }, 'Sample(rows=0, columns=[])'],
    ['a header only', 'a,b\n', { header: true }, "Sample(rows=0, columns=['a', 'b'])"],
  ])('%s is an empty sample', async (_, text, options, expected) => {
    expect(show(await csvNames(text, options), SUMMARY)).toBe(expected);
  });

  test('a byte order mark is no part of the first name', async () => {
    expect(show(await csvNames('\uFEFF"name",n\nä,1\n', { header: true }), ROWS)).toBe(
      "[Row(name='ä', n='1')]",
    );
  });

  test.each<[string, string | Buffer, Record<string, string | boolean>, string]>([
    [
      'a row with too many values',
      'a,b\n\n1,2\n1,2,3\n',
      { header: true },
      'line 4: the row has 3 values, but the header has 2: put " around a value that contains the delimiter, a line break or ", and double " inside it',
    ],
    [
      'a row with too few values, behind quoted line ends',
      '"a\r\na",b\r\n\r\n1\r\n',
      { quotechar: '"' },
      'line 4: the row has 1 value, but the first row has 2: put " around a value that contains the delimiter, a line break or ", and double " inside it',
    ],
    [
      'a quote that is never closed',
      'a,b\nc,"d\ne,f\n',
      {},
      'line 2: a value starts with " that is never closed: close it',
    ],
    [
      'text behind a closing quote',
      'a\n"b"c\n',
      {},
      'line 2: text follows the closing " of a value: write "" for " inside a value',
    ],
    [
      'text behind a closing quote in a file with loose quotes',
      'a"a\n\n"b"c\n',
      {},
      'line 3: text follows the closing " of a value: write "" for " inside a value',
    ],
    [
      'a name given twice',
      'a,b,a\n1,2,3\n',
      { header: true },
      "line 1: columns 1 and 3 of the header are both named 'a': give each column a unique name (an empty name becomes _0, _1 ...)",
    ],
    [
      'an empty name whose place is a name already',
      '_1,\n1,2\n',
      { header: true },
      "line 1: columns 1 and 2 of the header are both named '_1': give each column a unique name (an empty name becomes _0, _1 ...)",
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from('a\nb\nm\xfcller\n', 'latin1'),
      {},
      'line 3 is not valid UTF-8: save the file as UTF-8',
    ],
    [
      'UTF-16',
      Buffer.from('\uFEFFa,b\n', 'utf16le'),
      {},
      'line 1 is not valid UTF-8: save the file as UTF-8',
    ],
  ])('%s is an error that names the line', async (_, text, options, message) => {
    expect(await csvError(text, options)).toBe(message);
  });
});
