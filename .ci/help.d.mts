import type { Marked } from 'marked';

export interface RenderedPage {
  readonly entry: {
    readonly name: string;
    readonly title: string;
    readonly group: string;
    readonly summary: string;
  };
  readonly page: {
    readonly html: string;
    readonly sections: readonly { readonly id: string; readonly title: string }[];
  };
  readonly search: readonly { readonly id: string; readonly title: string; readonly text: string }[];
}

export function checkMarkup(name: string, html: string): void;
export function pageNameOf(path: string): string | null;
export function renderPage(marked: typeof Marked, path: string, text: string): RenderedPage;
export function helpSources(root: string): readonly string[];
/** `path`: the file, relative to the root. */
export function helpPages(
  root: string,
  readText?: (path: string) => string,
): Promise<readonly (RenderedPage & { readonly path: string })[]>;
export function writeHelp(root: string, folder: string): Promise<void>;
