import type { GeneratorPhase } from '../../../domain/generator.js';
import { LOOKS } from '../../parts/phases.js';
import { SORT_KEYS, type SortKey, type ViewOfRows } from './rows.js';

const isPhase = (text: string | null): text is GeneratorPhase => text !== null && text in LOOKS;
const isSortKey = (text: string | null): text is SortKey => SORT_KEYS.some((key) => key === text);

/** The view that the query of an address describes. */
export const viewOf = (params: URLSearchParams): ViewOfRows => {
  const [phase, sort] = [params.get('state'), params.get('sort')];
  return {
    filter: params.get('find') ?? '',
    phase: isPhase(phase) ? phase : null,
    sort: isSortKey(sort) ? sort : 'id',
    isDescending: params.get('order') === 'down',
  };
};

/** The query of an address for a view, without what is usual. */
export const paramsOf = ({ filter, phase, sort, isDescending }: ViewOfRows): URLSearchParams => {
  const params = new URLSearchParams();
  if (filter !== '') params.set('find', filter);
  if (phase !== null) params.set('state', phase);
  if (sort !== 'id') params.set('sort', sort);
  if (isDescending) params.set('order', 'down');
  return params;
};
