import type { Value } from '../../../../../template/index.js';
import { oneOf, whole } from '../faker/args.js';
import { pick, wholeBetween } from '../faker/draws.js';
import { fileWord, MIME_TYPES, ofKind } from '../faker/groups/files.js';
import { userName } from '../faker/groups/names.js';
import type { Group } from '../faker/providers.js';
import { LANGUAGES } from './deviceTables.js';
import { plainOf } from './enums.js';
import { FILE_EXTENSIONS } from './tables.js';

const SIZE_UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];
const USER_FOLDERS = [
  'Books',
  'Desktop',
  'Development',
  'Documents',
  'Downloads',
  'Movies',
  'Music',
  'Pictures',
  'Videos',
];

export const file: Group = (locale) => {
  const { random } = locale;
  const extension = (type: Value | undefined): string =>
    ofKind(random, FILE_EXTENSIONS, oneOf(plainOf(type), 'file_type', Object.keys(FILE_EXTENSIONS)));
  return {
    'file_name(file_type=None)': (type) => `${fileWord(locale)}${extension(type)}`,
    'extension(file_type=None)': extension,
    'mime_type(type_=None)': (type) =>
      ofKind(random, MIME_TYPES, oneOf(plainOf(type), 'type_', Object.keys(MIME_TYPES))),
    'size(minimum=1, maximum=100)': (low, high) =>
      `${wholeBetween(random, whole(low, 'minimum'), whole(high, 'maximum'), 'size')} ${pick(random, SIZE_UNITS)}`,
  };
};

/** Linux paths. */
export const path: Group = (locale) => {
  const { random } = locale;
  const user = (): string => `/home/${userName(locale)}`;
  const folder = (): string => `${user()}/Development/${pick(random, LANGUAGES).replace(/[^A-Za-z]/g, '')}`;
  return {
    'root()': () => '/',
    'home()': () => '/home',
    'user()': user,
    'users_folder()': () => `${user()}/${pick(random, USER_FOLDERS)}`,
    'dev_dir()': folder,
    'project_dir()': () => `${folder()}/${fileWord(locale)}`,
  };
};
