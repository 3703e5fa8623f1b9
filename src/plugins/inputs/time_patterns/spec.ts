import { lazily, listOf, path, required } from '../../../schema/index.js';
import { inputPlugin } from '../../declare.js';

const MAX_PATTERNS = 100;

const fields = lazily(() => ({
  patterns: required(listOf(path(), { min: 1, max: MAX_PATTERNS }), {
    help: 'Paths of YAML files, one pattern each; they are merged by time.',
    example: ['patterns/visitors.yml', 'patterns/robots.yml'],
    reads: 'files',
  }),
}));

export const timePatternsSpec = inputPlugin({
  name: 'time_patterns',
  summary: 'Timestamps that repeat a pattern in each period, from files.',
  fields,
  notes: [
    'A pattern file has these keys; dotted keys (`oscillator.period: 1`) work too:',
    '`label`: any name.',
    '`oscillator`: `period` (> 0) and `unit` (weeks, days, hours, minutes, seconds, milliseconds, microseconds); `start` and `end` (date-time expressions; `end: never` is endless).',
    '`multiplier.ratio`: timestamps per period, an integer >= 1.',
    '`randomizer`: `deviation` from 0 to 1 and `direction` (decrease, increase, mixed): each period has `ratio` times a random factor within the deviation, rounded down. ' +
      '`sampling` (16 to 65536, default 1024) is the number of factors: drawn once, used in turn, shuffled after each pass.',
    '`spreader`: `distribution` and `parameters` of the positions within a period, where 0 is its start and 1 its end. uniform: `low` < `high`. triangular: `left` <= `mode` <= `right`. beta: `a` and `b`, above 0, at most 10000.',
    'Timestamps after `end` are cut; one exactly then stays. `skip_past` begins with the period of the start of generation and skips its timestamps at or before that.',
    'The files are read once, at the start of the generator. A bad one stops the start, and the error names it. `tags` in a pattern file are a warning: set those of the input.',
  ],
  examples: [
    { title: 'Two patterns', params: { patterns: ['patterns/visitors.yml', 'patterns/robots.yml'] } },
  ],
});
