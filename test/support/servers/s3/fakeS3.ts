import * as fs from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type ProgramServer, programServer } from '../programServer.js';

/** An object that the server has stored. */
export interface StoredObject {
  readonly key: string;
  readonly etag: string;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed, if its key ends with `.gz`. */
  readonly text: () => string;
}

export interface FakeS3 extends ProgramServer {
  /** Each stored version, in order. */
  readonly versions: () => readonly StoredObject[];
  /** Objects by key, as they are now, in the order of their first version. */
  readonly objects: () => readonly StoredObject[];
  /** Text of all objects. */
  readonly text: () => string;
  /** Multipart uploads that are neither complete nor aborted. */
  readonly uploads: () => number;
  /** Names of the operations asked for. */
  readonly operations: () => readonly string[];
  /** Removes all objects and uploads. */
  readonly empty: () => void;
}

const PROGRAM = `import(${JSON.stringify(join(import.meta.dirname, 'server.mjs'))}).then(({ serve }) => serve(folder, port));`;

/** Parameters of an output that writes to it. */
export const KEYS = {
  bucket: 'events',
  access_key_id: 'AKIATEST',
  secret_access_key: 'right-secret',
} as const;

export const startFakeS3 = async (): Promise<FakeS3> => {
  const server = await programServer(PROGRAM);
  const { folder } = server;
  const lines = (name: string): readonly string[] =>
    fs.readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
  const versions = (): readonly StoredObject[] =>
    lines('index').map((line) => {
      const { file, ...object } = JSON.parse(line) as StoredObject & { readonly file: string };
      const read = (): Buffer => fs.readFileSync(join(folder, 'objects', file));
      return { ...object, text: () => String(object.key.endsWith('.gz') ? gunzipSync(read()) : read()) };
    });
  const objects = (): readonly StoredObject[] => [
    ...new Map(versions().map((object) => [object.key, object])).values(),
  ];
  return {
    ...server,
    versions,
    objects,
    text: () =>
      objects()
        .map(({ text }) => text())
        .join(''),
    uploads: () => fs.readdirSync(join(folder, 'uploads')).length,
    operations: () => lines('requests').map((line) => line.split(' ')[0] as string),
    empty: () => {
      server.reset();
      fs.writeFileSync(join(folder, 'index'), '');
      for (const name of ['objects', 'uploads']) {
        for (const file of fs.readdirSync(join(folder, name))) {
          fs.rmSync(join(folder, name, file), { recursive: true });
        }
      }
    },
  };
};
