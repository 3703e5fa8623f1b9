export const VIEWS = ['events', 'timeline', 'state'] as const;
export type View = (typeof VIEWS)[number];

/** What of the workbench the address holds. */
export interface Place {
  /** The open file; `null`: the config. */
  readonly file: string | null;
  readonly view: View;
}

export const placeOf = (search: string): Place => {
  const params = new URLSearchParams(search);
  const view = VIEWS.find((one) => one === params.get('view'));
  return { file: params.get('file'), view: view ?? 'events' };
};

/** The search part of an address; defaults are left out. */
export const searchOf = ({ file, view }: Place): string => {
  const params = new URLSearchParams();
  if (file !== null) params.set('file', file);
  if (view !== 'events') params.set('view', view);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
};
