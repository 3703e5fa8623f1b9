import type { GeneratorPhase } from '../../../domain/generator.js';
import { LOOKS } from '../../parts/phases.js';
import { KINDS, type RowKind, SORT_KEYS, type SortKey, type ViewOfRows } from './rows.js';

const isPhase = (text: string | null): text is GeneratorPhase => text !== null && text in LOOKS;
const isSortKey = (text: string | null): text is SortKey => SORT_KEYS.some((key) => key === text);

const isKind = (text: string | null): text is RowKind => text !== null && Object.hasOwn(KINDS, text);

/** The view that the query of an address describes. */
export const viewOf = (params: URLSearchParams): ViewOfRows => {
  const [only, phase, sort] = [params.get('only'), params.get('state'), params.get('sort')];
  return {
    filter: params.get('find') ?? '',
    only: isKind(only) ? only : null,
    phase: isPhase(phase) ? phase : null,
    sort: isSortKey(sort) ? sort : 'id',
    isDescending: params.get('order') === 'down',
  };
};

/** The query of an address for a view, without what is usual. */
export const paramsOf = ({ filter, only, phase, sort, isDescending }: ViewOfRows): URLSearchParams => {
  const params = new URLSearchParams();
  if (filter !== '') params.set('find', filter);
  if (only !== null) params.set('only', only);
  if (phase !== null) params.set('state', phase);
  if (sort !== 'id') params.set('sort', sort);
  if (isDescending) params.set('order', 'down');
  return params;
};
