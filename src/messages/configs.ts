import type { Readable } from 'node:stream';
import type {
  DirectoryInfo,
  FileContent,
  FileNode,
  FileVersion,
  GlobalsUsageReport,
  Upload,
} from '../domain/directory.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { LibraryItem, LibraryText } from '../domain/library.js';
import type { CheckedOutput } from '../domain/preview.js';
import type { WorldItem, WorldQuestion } from '../domain/worlds/reports.js';

/** `path` is relative to the generator directory, parts separated by slashes. */
interface FileAddress {
  readonly name: string;
  readonly path: string;
}

/** Who changes a file: versions tell it. */
interface Changed {
  readonly user: string;
}

/** Requests to the single writer of the generators directory. */
export interface ConfigRequests {
  'configs.list': {
    payload: { readonly extended: boolean };
    answer: readonly (DirectoryInfo | Pick<DirectoryInfo, 'name'>)[];
  };
  'configs.create': { payload: { readonly name: string; readonly config: Json }; answer: null };
  /** `etag`: of the stored text. */
  'configs.read': {
    payload: { readonly name: string };
    answer: { readonly config: Json; readonly etag: string };
  };
  'configs.update': {
    payload: Changed & { readonly name: string; readonly config: Json; readonly if_match: string | null };
    answer: { readonly etag: string };
  };
  /** Replaces whole sections (`input`, `event`, `output`) of the stored config. */
  'configs.patch': { payload: { readonly name: string; readonly sections: JsonObject }; answer: null };
  /** `force`: also when a generator uses it. */
  'configs.delete': { payload: { readonly name: string; readonly force: boolean }; answer: null };
  /** A new directory with all files of the upload, or none; see `readGeneratorTexts`. The sender removes the upload. */
  'configs.import': { payload: { readonly name: string; readonly upload: Upload }; answer: null };
  /** Path of the config file, relative to the generators directory. */
  'configs.path': { payload: { readonly name: string }; answer: string };
  /** Use of the globals of the scenario by the templates of a directory. */
  'configs.globals_usage': { payload: { readonly name: string }; answer: GlobalsUsageReport };
  'configs.tree': { payload: { readonly name: string }; answer: readonly FileNode[] };
  /** A ZIP archive, written while it is read. */
  'configs.export': {
    payload: { readonly name: string; readonly exclude: readonly string[] };
    answer: Readable;
  };
  /** The receiver reads the content to the end or destroys it. */
  'configs.read_file': { payload: FileAddress; answer: FileContent };
  /** Consumes the upload, or leaves it to the sender. */
  'configs.create_file': {
    payload: FileAddress & { readonly upload: Upload };
    answer: { readonly etag: string };
  };
  'configs.replace_file': {
    payload: FileAddress & Changed & { readonly upload: Upload; readonly if_match: string | null };
    answer: { readonly etag: string };
  };
  /** A file or a whole directory. `force`: also the config of a generator. */
  'configs.delete_file': {
    payload: FileAddress & Changed & { readonly force: boolean; readonly if_match: string | null };
    answer: null;
  };
  'configs.make_directory': { payload: FileAddress; answer: null };
  'configs.move_file': {
    payload: {
      readonly name: string;
      readonly source: string;
      readonly destination: string;
      readonly force: boolean;
    };
    answer: null;
  };
  'configs.copy_file': {
    payload: { readonly name: string; readonly source: string; readonly destination: string };
    answer: null;
  };
  /** Former texts of a file, or of all files; newest first. */
  'configs.versions': {
    payload: { readonly name: string; readonly path: string | null };
    answer: readonly FileVersion[];
  };
  'configs.read_version': {
    payload: { readonly name: string; readonly version: string };
    answer: FileVersion & { readonly text: string };
  };
}

/** A named output that generators use. */
export interface DestinationItem {
  readonly name: string;
  /** Output plugin. Null when the file is invalid. */
  readonly plugin: string | null;
  /** Why it cannot be used. */
  readonly error: string | null;
  /** Ids of the generators whose config names it, sorted. */
  readonly used_by: readonly string[];
}

/** Requests for destinations; secrets in answers are masked, a mask in a request keeps the stored secret. */
export interface DestinationRequests {
  'destinations.list': { payload: null; answer: readonly DestinationItem[] };
  'destinations.read': {
    payload: { readonly name: string };
    answer: { readonly output: Json; readonly etag: string };
  };
  'destinations.write': {
    payload: { readonly name: string; readonly output: Json; readonly if_match: string | null };
    answer: { readonly etag: string };
  };
  /** `force`: also when a generator uses it. */
  'destinations.delete': { payload: { readonly name: string; readonly force: boolean }; answer: null };
  /** Opens an output, stored or not, and closes it. `masked`: the destination whose secrets masks stand for. */
  'destinations.check': {
    payload: { readonly output: Json; readonly masked: string | null };
    answer: CheckedOutput;
  };
}

/** A world, and the generators whose config names its file, sorted by id. */
export type UsedWorld = WorldItem & { readonly used_by: readonly string[] };

/** Requests for worlds. */
export interface WorldRequests {
  'worlds.list': { payload: null; answer: readonly UsedWorld[] };
  /** The answer is JSON text, made on a thread. */
  'worlds.ask': {
    payload: Exclude<WorldQuestion, { readonly kind: 'list' }>;
    answer: AsyncIterable<Uint8Array>;
  };
}

/** Requests for ready-made generators; the writer of the generators directory makes the copies. */
export interface LibraryRequests {
  'library.list': { payload: null; answer: readonly LibraryItem[] };
  'library.read': {
    payload: { readonly name: string };
    answer: LibraryItem & { readonly files: readonly LibraryText[] };
  };
  /** `path`: of the new config, relative to the generators directory. */
  'library.copy': {
    payload: { readonly library: string; readonly name: string };
    answer: { readonly name: string; readonly path: string };
  };
}
