import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { Result, SpateError } from '../../../../src/domain/errors.js';
import type { TemplateLimits } from '../../../../src/domain/generator.js';
import { seededRandom } from '../../../../src/domain/random.js';
import { templateFormatterPlugin } from '../../../../src/plugins/formatters/template/plugin.js';
import type { TemplateParams } from '../../../../src/plugins/formatters/template/spec.js';
import { templateBatchPlugin } from '../../../../src/plugins/formatters/template-batch/plugin.js';
import type { Formatter } from '../../../../src/plugins/kit.js';
import { inputContext } from '../../../support/pipelines/inputs.js';
import { PLAIN_TEMPLATES } from '../../../support/templates/templates.js';

type Name = 'template' | 'template-batch';

/** Where a template comes from: its text, or the first of some files by their names. */
export type Given = string | Readonly<Record<string, string | Buffer>>;

const PLUGINS = { template: templateFormatterPlugin, 'template-batch': templateBatchPlugin };

/** Builds a formatter; files stand in a folder of their own, which is gone afterwards. */
export const build = async (
  name: Name,
  given: Given,
  more: {
    readonly inline?: string;
    readonly path?: string;
    readonly seed?: number;
    readonly limits?: Partial<TemplateLimits>;
  } = {},
): Promise<Result<Formatter>> => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'spate-formatter-'));
  try {
    const files = typeof given === 'string' ? {} : given;
    for (const [path, content] of Object.entries(files)) {
      fs.mkdirSync(join(folder, path, '..'), { recursive: true });
      fs.writeFileSync(join(folder, path), content);
    }
    const inline = typeof given === 'string' ? given : (more.inline ?? null);
    const [first = ''] = Object.keys(files);
    const params: TemplateParams = {
      template: inline,
      template_path: inline === null ? (more.path ?? first) : null,
    };
    const limits = { ...PLAIN_TEMPLATES.limits, ...more.limits };
    const context = {
      ...inputContext({ directory: folder, random: seededRandom(more.seed ?? 1) }),
      templates: { ...PLAIN_TEMPLATES, limits },
    };
    return await PLUGINS[name].build(params, context);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

/** A formatter that can be built. */
export const built = async (...given: Parameters<typeof build>): Promise<Formatter> => {
  const result = await build(...given);
  if (E.isLeft(result)) throw new Error(result.left.message);
  return result.right;
};

/** Why a formatter cannot be built. */
export const refusal = async (...given: Parameters<typeof build>): Promise<SpateError> => {
  const result = await build(...given);
  if (E.isRight(result)) throw new Error('it was built');
  return result.left;
};
