import { ENCODING_NAMES, encodingOf } from '../../domain/text/encodings.js';
import { didYouMean } from '../../domain/text/shown.js';
import { defaulted, text } from '../../schema/index.js';

const label = 'name of an encoding';

const encoding = text({
  label,
  check: (spelling) => {
    if (encodingOf(spelling) !== null) return null;
    const hint = didYouMean(spelling, ENCODING_NAMES);
    const problem = { type: 'not_allowed', message: `must be the ${label}, such as utf_8 or cp1252` };
    return hint === null ? problem : { ...problem, hint };
  },
});

/** The `encoding` field: any spelling of a codec name; read-back keeps it. */
export const encodingField = (help: string) => defaulted(encoding, 'utf_8', { help });
