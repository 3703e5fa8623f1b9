import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prepare } from '../../../conformance/support.js';

const TEXT =
  '{% do shared.set("pages", shared.get("pages", 0) + 1) %}{{ timestamp }} {{ shared.pages }} ' +
  '{{ module.rand.string.hex(8) }} {{ samples.users.pick(none) if samples.users else "" }}';

export const prepare: Prepare = (folder, { templates }) => {
  const items = (templates as readonly Record<string, { readonly template: string }>[]).flatMap(
    Object.values,
  );
  for (const { template } of items) writeFileSync(join(folder, template), TEXT);
  writeFileSync(join(folder, 'users.csv'), 'name,weight\nada,3\nbob,1\n');
};
