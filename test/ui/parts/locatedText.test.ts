import { describe, expect, test } from '@jest/globals';
import { locationIn, workbenchHref } from '../../../src/ui/parts/locatedText.js';

const hrefIn = (text: string, config = 'web/generator.yml'): string | null => {
  const place = locationIn(text);
  return place === null ? null : workbenchHref(config, place);
};

describe('a place that an error names', () => {
  test('is the part of the text that becomes the link', () => {
    const text = "template 'line': parts/line.jinja:3:36: unexpected '}'\n  {{ 1 }\n      ^";
    const place = locationIn(text);
    expect(text.slice(place?.from, place?.to)).toBe('parts/line.jinja:3:36');
    expect(hrefIn(text)).toBe('/g/web?file=parts%2Fline.jinja&line=3');
    expect(hrefIn('error in the script (produce.mjs:2)')).toBe('/g/web?file=produce.mjs&line=2');
  });

  test('below the directory of the generator is relative to it', () => {
    expect(hrefIn('/srv/spate/generators/web/generator.yml:1:9: must be a list')).toBe(
      '/g/web?file=generator.yml&line=1',
    );
    expect(hrefIn('web/generator.yml:4: is missing')).toBe('/g/web?file=generator.yml&line=4');
  });

  test('elsewhere is no link', () => {
    expect(hrefIn('/etc/spate/startup.yml:1:9: unknown key')).toBeNull();
    expect(hrefIn('../shared/a.jinja:1:9: unknown')).toBeNull();
    expect(hrefIn('a.jinja:1:9: unknown', '../elsewhere/generator.yml')).toBeNull();
    expect(hrefIn('at 14:30')).toBeNull();
  });
});
