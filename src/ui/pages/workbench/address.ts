export const VIEWS = ['events', 'explore', 'timeline', 'state'] as const;
export type View = (typeof VIEWS)[number];

/** How the config is edited. */
export const EDITINGS = ['text', 'form', 'both'] as const;
export type Editing = (typeof EDITINGS)[number];

/** What of the workbench the address holds. */
export interface WorkbenchAddress {
  /** The open file. Null for the config. */
  readonly file: string | null;
  readonly view: View;
  readonly editing: Editing;
}

export const workbenchAddressOf = (search: string): WorkbenchAddress => {
  const params = new URLSearchParams(search);
  const view = VIEWS.find((one) => one === params.get('view'));
  const editing = EDITINGS.find((one) => one === params.get('edit'));
  return { file: params.get('file'), view: view ?? 'events', editing: editing ?? 'text' };
};

/** The search part of an address; defaults are left out. */
export const searchOf = ({ file, view, editing }: WorkbenchAddress): string => {
  const params = new URLSearchParams();
  if (file !== null) params.set('file', file);
  if (view !== 'events') params.set('view', view);
  if (editing !== 'text') params.set('edit', editing);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
};

/** The line of the open file that a link leads to. Null without one. */
export const addressLineOf = (search: string): number | null => {
  const line = Number(new URLSearchParams(search).get('line'));
  return Number.isInteger(line) && line > 0 ? line : null;
};
