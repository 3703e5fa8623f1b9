import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prepare } from '../../../conformance/support.js';

export const prepare: Prepare = (folder) =>
  writeFileSync(join(folder, 'visit.avsc'), '{"type": "map", "values": "int"}');
