import { defaulted, taggedBy } from '../../../schema/index.js';
import { FORMATTER_SPECS } from '../../formatters/specs.js';
import { variantsOf } from '../../paramsShape.js';

/** A formatter by its `format`, with its options beside it. */
export const formatterShape = taggedBy('format', variantsOf(FORMATTER_SPECS));

/** The `formatter` field of an output: any row of the table of formatters, `plain` when not given. */
export const formatterField = () =>
  defaulted(
    formatterShape,
    { kind: 'plain', alias: 'plain', params: {} },
    { help: 'How each event is written; `format` selects the kind.', example: { format: 'plain' } },
  );
