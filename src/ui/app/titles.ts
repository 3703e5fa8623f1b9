import { counted } from '../parts/numbers.js';

const SECTIONS: Readonly<Record<string, string>> = {
  '': 'Generators',
  new: 'New generator',
  s: 'Scenarios',
  incidents: 'Incidents',
  destinations: 'Destinations',
  worlds: 'Worlds',
  startup: 'Startup',
  cluster: 'Cluster',
  secrets: 'Secrets',
  settings: 'Settings',
  audit: 'Audit log',
  users: 'Users and tokens',
  about: 'About',
  help: 'Help',
};

/** What a page of this kind shows of its subject; a generator needs no word. */
const KINDS: Readonly<Record<string, string>> = {
  r: '',
  g: ' files',
  s: ' scenario',
  incidents: ' incident',
  destinations: ' destination',
  worlds: ' world',
  help: ' help',
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The title of the page at a path. No two pages have the same. */
export const titleOf = (path: string, failing: number): string => {
  const [, section = '', ...rest] = path.split('/');
  const subject = decoded(rest.join('/'));
  const place =
    subject === ''
      ? (SECTIONS[section] ?? 'Nothing here')
      : section in KINDS
        ? `${subject}${KINDS[section]}`
        : 'Nothing here';
  return `${failing === 0 ? '' : `(${counted(failing, 'failing', 'failing')}) `}${place} – Spate`;
};
