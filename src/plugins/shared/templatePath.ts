import { text } from '../../schema/index.js';
import { defect } from '../../schema/issues.js';

/** Relative path of a template below the folder of the generator; `ending` may be empty. */
export const templatePath = (ending: string) =>
  text({
    label: ending === '' ? 'relative path' : `relative path ending in ${ending}`,
    minLength: 1,
    check: (path) => {
      if (path.includes('\0')) return defect('not_allowed', 'must not contain a NUL character');
      if (path.startsWith('/'))
        return defect('not_allowed', 'must be relative to the folder of the generator');
      if (path.split('/').includes('..'))
        return defect('not_allowed', "must not leave the folder of the generator with '..'");
      return path.endsWith(ending) ? null : defect('bad_format', `must end in ${ending}`);
    },
  });
