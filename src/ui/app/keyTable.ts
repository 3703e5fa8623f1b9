/** Keys of every page, as the dialog and the docs show them. */
export const KEYS: readonly { readonly keys: string; readonly effect: string }[] = [
  { keys: '?', effect: 'Show the keys.' },
  { keys: 'Ctrl-K, Cmd-K', effect: 'Open the command palette.' },
  { keys: '/', effect: 'Go to the filter or search of the page.' },
  { keys: 'j, k', effect: 'Go to the next or the last row of a table.' },
  { keys: 'x', effect: 'Choose the row, or leave it out.' },
  { keys: 'Shift-X', effect: 'Do the same with all rows from the last one to this.' },
  { keys: 'F1, F2, F12', effect: 'In the editor: docs, new name of a sample, definition.' },
  { keys: 'Ctrl-S, Cmd-S', effect: 'Save the open file of the workbench.' },
  { keys: 'Ctrl-Shift-F', effect: 'Search in all files of the workbench.' },
  { keys: 'Shift-Alt-F', effect: 'Format the open YAML or JSON file.' },
];
