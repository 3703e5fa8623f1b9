import {
  distinctText,
  entropyText,
  fieldName,
  isUniqueLike,
  itemsText,
  lengthText,
  numbersText,
  typesText,
} from '../facts.js';
import type { FieldReport, TopValue } from '../report.js';
import { showCount, showShare } from '../show.js';
import { phraseHtml, visibleHtml } from './escape.js';
import { shareBar } from './plots.js';

const idOf = (index: number): string => `field-${index + 1}`;

const cell = (text: string, isNumber = true): string =>
  `<td${isNumber ? ' class="number"' : ''}>${phraseHtml(text)}</td>`;

const rowOf = (field: FieldReport, index: number): string =>
  `<tr><th scope="row"><a href="#${idOf(index)}">${visibleHtml(fieldName(field))}</a></th>${[
    cell(showShare(field.share)),
    cell(typesText(field), false),
    cell(distinctText(field)),
    cell(entropyText(field)),
    cell(
      [numbersText(field), lengthText(field), itemsText(field)].filter((text) => text !== '').join('; '),
      false,
    ),
  ].join('')}</tr>`;

const valueRow = ({ value, count, share, type, is_cut, is_exact }: TopValue): string => {
  const text = type === 'string' ? `${value}${is_cut ? '…' : ''}` : value;
  const name = text === '' ? '<span class="faint">(empty)</span>' : visibleHtml(text);
  return `<tr><th scope="row">${name}</th><td class="bar">${shareBar(share)}</td>${cell(
    `${is_exact ? '' : 'at least '}${showCount(count)}`,
  )}${cell(showShare(share))}</tr>`;
};

const captionOf = (field: FieldReport): string => {
  if (isUniqueLike(field)) return 'Some values; none is frequent';
  return field.distinct.count > field.top.length ? 'Most frequent values' : 'All values';
};

const topTable = (field: FieldReport): string =>
  field.top.length === 0
    ? ''
    : `<div class="scroll" role="region" aria-label="Values of ${visibleHtml(fieldName(field))}" tabindex="0"><table class="values">
<caption>${captionOf(field)}</caption>
<thead><tr><th scope="col">Value</th><th scope="col" class="bar">Bar</th><th scope="col" class="number">Count</th><th scope="col" class="number">Share</th></tr></thead>
<tbody>${field.top.map(valueRow).join('\n')}</tbody></table></div>`;

const sectionOf = (field: FieldReport, index: number): string => {
  const facts = [
    `in ${showShare(field.share)} of the events`,
    typesText(field),
    ...(field.distinct.count === 0
      ? []
      : [
          `${distinctText(field)} distinct ${field.distinct.count === 1 ? 'value' : 'values'}`,
          `entropy ${entropyText(field)} bits`,
        ]),
    numbersText(field),
    lengthText(field),
    itemsText(field),
  ].filter((text) => text !== '');
  return `<section aria-labelledby="${idOf(index)}">
<h3 id="${idOf(index)}">${visibleHtml(fieldName(field))}</h3>
<p class="faint">${phraseHtml(facts.join('; '))}</p>
${topTable(field)}
</section>`;
};

/** The overview of the fields, then each with its values. */
export const fieldsHtml = (fields: readonly FieldReport[]): string =>
  fields.length === 0
    ? '<p>The events are text without fields: neither JSON, CEF nor key=value.</p>'
    : `<div class="scroll" role="region" aria-label="Overview of the fields" tabindex="0"><table class="fields">
<caption>${showCount(fields.length)} ${fields.length === 1 ? 'field' : 'fields'}; a tilde marks an estimate</caption>
<thead><tr><th scope="col">Field</th><th scope="col" class="number">Events</th><th scope="col">Type</th><th scope="col" class="number">Distinct</th><th scope="col" class="number">Entropy, bits</th><th scope="col">Range</th></tr></thead>
<tbody>${fields.map(rowOf).join('\n')}</tbody></table></div>
${fields.map(sectionOf).join('\n')}`;
