import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../domain/json.js';
import { decode, decodeStored, readBack } from '../../schema/index.js';
import { paramsShape } from '../paramsShape.js';
import { equals, holds, type Rule } from './rule.js';
import { decoded, type Subject } from './subject.js';

/** Rules of a declaration, for every kind. */
export const DECLARATION_RULES: readonly Rule<Subject>[] = [
  {
    title: 'has the name of its row, a summary and an example',
    check: async ({ kind, name, spec, load }) => {
      equals('the declaration', { kind: spec.kind, name: spec.name }, { kind, name });
      holds(
        /^[A-Z].*\.$/s.test(spec.summary),
        `the summary is no sentence with a capital letter and a period: ${JSON.stringify(spec.summary)}`,
      );
      holds(spec.examples.length > 0, 'the declaration has no example');
      const loaded = (await load()).spec;
      equals('the loaded plugin', { kind: loaded.kind, name: loaded.name }, { kind, name });
      return null;
    },
  },
  {
    title: 'its examples decode, and read back they decode to the same',
    check: async ({ spec }) => {
      const shape = paramsShape(spec);
      for (const { params } of spec.examples) {
        const first = decoded(spec, params);
        const shown = shape.codec.encode(first as never);
        equals('the encoded example', decode(shape, shown), E.right(first));
        const back = readBack(shape, params);
        equals('the example read back', readBack(shape, shown), back);
        equals('the example stored and read back', decodeStored(shape, back), E.right(back));
      }
      return null;
    },
  },
  {
    title: 'an unknown key and a wrong value are errors at their place',
    check: async ({ spec }) => {
      const shape = paramsShape(spec);
      const params = spec.examples[0]?.params ?? {};
      const pathsOf = (given: JsonObject): readonly unknown[] => {
        const result = decode(shape, given);
        return E.isLeft(result) ? result.left.map(({ path }) => path[0]) : [];
      };
      equals('places of an unknown key', pathsOf({ ...params, no_such_option: 1 }), ['no_such_option']);
      for (const [field, { free }] of Object.entries(spec.fields)) {
        const places = free === true ? [field] : pathsOf({ ...params, [field]: { nonsense: [] } });
        holds(places.includes(field), `${field}: an object of nonsense is no error there`);
      }
      return null;
    },
  },
];
