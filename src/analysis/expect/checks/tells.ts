import { plural, showCount } from '../../../domain/text/shown.js';
import { eventTable } from '../../inspect/tells/table.js';
import { type AttackReport, findTells, MAX_TREE_ACCURACY, MIN_EVENTS } from '../../inspect/tells/tells.js';
import { type Checker, failed, passed, showCheckedShare } from '../checker.js';
import type { ParamsOf } from '../format.js';

/** Events that are compared; the others are not looked at. All of them are in memory. */
const MAX_COMPARED = 200_000;
/** Marks of an attack that are shown. */
const MAX_SHOWN = 3;

/** Nothing but the label and the declared indicators tells the events of an attack from normal ones. */
export const tellsChecker = ({ label, indicators }: ParamsOf<'tells'>): Checker => {
  const table = eventTable();
  let seen = 0;
  return {
    see: ({ micros, text }) => {
      if (seen++ < MAX_COMPARED) table.add(micros, text);
    },
    end: () => {
      const { events, attacks } = findTells(table.table(), { label, indicators });
      if (attacks.length === 0)
        return failed(`none of ${plural(events, 'event')} has the label of an attack in ${label}`);
      const measured = attacks.map(measuredOf).join('; ');
      const told = attacks.filter(({ is_within, tree }) => !is_within || tree === null);
      return told.length === 0 ? passed(measured) : failed(measured, told.flatMap(differencesOf));
    },
  };
};

const measuredOf = ({ attack, events, tree }: AttackReport): string =>
  `${attack}: ${plural(events, 'event')}, tree ${tree === null ? 'of too few events' : showCheckedShare(tree.accuracy)}`;

const differencesOf = ({ attack, events, tells, tree }: AttackReport): readonly string[] => [
  ...(tree === null
    ? [`${attack}: expected at least ${MIN_EVENTS} of it and of normal events, measured ${events} of it`]
    : []),
  ...tells
    .slice(0, MAX_SHOWN)
    .map(({ share, text }) => `${attack}: ${showCheckedShare(share)} of it and no normal event: ${text}`),
  ...(tells.length > MAX_SHOWN ? [`${attack}: ${showCount(tells.length - MAX_SHOWN)} more marks`] : []),
  ...(tree !== null && tree.accuracy > MAX_TREE_ACCURACY
    ? [
        `${attack}: expected a tree of at most ${MAX_TREE_ACCURACY}, measured ${showCheckedShare(tree.accuracy)}: ${tree.questions.join('? ')}?`,
      ]
    : []),
];
