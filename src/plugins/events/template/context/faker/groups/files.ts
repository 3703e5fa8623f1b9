import type { Random } from '../../../../../../domain/random.js';
import { asciiName } from '../ascii.js';
import { characters, DIGITS, LOWER_LETTERS, pick } from '../draws.js';
import type { LoadedLocale } from '../locales.js';
import { count, drawnOneOf, flag, type Group, textOrNone } from '../providers.js';

export const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  audio: ['flac', 'mp3', 'wav'],
  image: ['bmp', 'gif', 'jpeg', 'jpg', 'png', 'tiff'],
  office: ['doc', 'docx', 'odp', 'ods', 'odt', 'pdf', 'ppt', 'pptx', 'xls', 'xlsx'],
  text: ['css', 'csv', 'html', 'js', 'json', 'txt'],
  video: ['avi', 'mov', 'mp4', 'webm'],
};

/** By first part (IANA). */
export const MIME_TYPES: Readonly<Record<string, readonly string[]>> = {
  application: [
    'application/gzip',
    'application/javascript',
    'application/json',
    'application/octet-stream',
    'application/pdf',
    'application/xml',
    'application/zip',
  ],
  audio: ['audio/aac', 'audio/mpeg', 'audio/ogg', 'audio/vorbis', 'audio/webm'],
  image: ['image/gif', 'image/jpeg', 'image/png', 'image/svg+xml', 'image/tiff', 'image/webp'],
  message: ['message/http', 'message/partial', 'message/rfc822'],
  model: ['model/iges', 'model/mesh', 'model/vrml'],
  multipart: ['multipart/alternative', 'multipart/form-data', 'multipart/mixed', 'multipart/signed'],
  text: ['text/css', 'text/csv', 'text/html', 'text/plain', 'text/xml'],
  video: ['video/mp4', 'video/mpeg', 'video/ogg', 'video/quicktime', 'video/webm'],
};

/** Picks a text of a kind, or of any kind when it is null. */
export const ofKind = (
  random: Random,
  table: Readonly<Record<string, readonly string[]>>,
  kind: string | null,
): string => pick(random, table[kind ?? ''] ?? Object.values(table).flat());

/** Valid on any file system. */
export const fileWord = (locale: LoadedLocale): string =>
  asciiName(locale.of((faker) => faker.lorem.word())) ?? locale.english((faker) => faker.lorem.word());

const kindOf = (
  category: Parameters<typeof drawnOneOf>[0],
  table: Readonly<Record<string, readonly string[]>>,
): string | null => drawnOneOf(category, 'category', Object.keys(table));

export const files: Group = (locale) => {
  const { random } = locale;
  const name = (
    category: Parameters<typeof drawnOneOf>[0],
    extension: Parameters<typeof drawnOneOf>[0],
  ): string => {
    const ending =
      textOrNone(extension, 'extension') ?? ofKind(random, EXTENSIONS, kindOf(category, EXTENSIONS));
    return ending === '' ? fileWord(locale) : `${fileWord(locale)}.${ending}`;
  };
  const device = (prefix: Parameters<typeof drawnOneOf>[0]): string =>
    `/dev/${textOrNone(prefix, 'prefix') ?? pick(random, ['sd', 'vd', 'xvd'])}${characters(random, LOWER_LETTERS, 1)}`;
  return {
    'file_extension(category=None)': (category) => ofKind(random, EXTENSIONS, kindOf(category, EXTENSIONS)),
    'file_name(category=None, extension=None)': name,
    "file_path(depth=1, category=None, extension=None, absolute=True, file_system_rule='linux')": (
      depth,
      category,
      extension,
      isAbsolute,
      rule,
    ) => {
      const isWindows = drawnOneOf(rule, 'file_system_rule', ['linux', 'windows']) === 'windows';
      const folders = Array.from({ length: count(depth, 'depth') }, () => fileWord(locale));
      const root = !flag(isAbsolute) ? '' : isWindows ? `${pick(random, ['C', 'D'])}:\\` : '/';
      return root + [...folders, name(category, extension)].join(isWindows ? '\\' : '/');
    },
    'mime_type(category=None)': (category) => ofKind(random, MIME_TYPES, kindOf(category, MIME_TYPES)),
    'unix_device(prefix=None)': device,
    'unix_partition(prefix=None)': (prefix) => device(prefix) + characters(random, DIGITS.slice(1), 1),
  };
};
