/**
 * Objects and multipart uploads in a folder. An object exists once its line is in `index`, and stays when the process
 * is killed, as do uploads that are not complete.
 */
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';

const MIN_PART = 5 * 1024 * 1024;

const md5 = (data) => createHash('md5').update(data);
const sha256 = (data) => createHash('sha256').update(data).digest('base64');

export const openStore = (folder) => {
  for (const name of ['objects', 'uploads']) fs.mkdirSync(join(folder, name), { recursive: true });
  const index = join(folder, 'index');
  fs.appendFileSync(index, '');
  let made = fs.readdirSync(join(folder, 'objects')).length;

  const add = (key, body, etag, headers) => {
    const file = `${process.pid}-${made++}`;
    fs.writeFileSync(join(folder, 'objects', file), body);
    fs.appendFileSync(index, `${JSON.stringify({ key, file, etag, headers, bytes: body.length })}\n`);
    return etag;
  };

  const uploadFolder = (id) => join(folder, 'uploads', /^[0-9a-f]+$/.test(id) ? id : 'none');
  const hasUpload = (id, key) => {
    try {
      return JSON.parse(fs.readFileSync(join(uploadFolder(id), 'about'), 'utf8')).key === key;
    } catch {
      return false;
    }
  };
  const partsOf = (id) =>
    fs
      .readdirSync(uploadFolder(id))
      .filter((name) => name.startsWith('part-'))
      .map((name) => ({ number: Number(name.slice(5)), path: join(uploadFolder(id), name) }))
      .sort((a, b) => a.number - b.number);
  const etagOf = (body) => `"${md5(body).digest('hex')}"`;
  const noUpload = [
    404,
    'NoSuchUpload',
    'The specified multipart upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  ];

  return {
    objects: () =>
      fs
        .readFileSync(index, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    read: ({ file }) => fs.readFileSync(join(folder, 'objects', file)),
    put: (key, body, headers) => add(key, body, etagOf(body), headers),
    begin: (key, headers) => {
      const id = createHash('sha256').update(`${process.pid} ${process.hrtime.bigint()}`).digest('hex');
      fs.mkdirSync(uploadFolder(id));
      fs.writeFileSync(join(uploadFolder(id), 'about'), JSON.stringify({ key, headers }));
      return id;
    },
    uploads: () =>
      fs.readdirSync(join(folder, 'uploads')).map((id) => ({
        id,
        ...JSON.parse(fs.readFileSync(join(uploadFolder(id), 'about'), 'utf8')),
      })),
    /** Left out: a tag in an array, or an error. */
    putPart: (key, id, number, body) => {
      if (!hasUpload(id, key)) return { error: noUpload };
      if (!(number >= 1 && number <= 10_000)) {
        return {
          error: [400, 'InvalidArgument', 'Part number must be an integer between 1 and 10000, inclusive'],
        };
      }
      const path = join(uploadFolder(id), `part-${number}`);
      fs.writeFileSync(`${path}.new`.replace('part-', 'new-'), body);
      fs.renameSync(`${path}.new`.replace('part-', 'new-'), path);
      return { etag: etagOf(body) };
    },
    parts: (key, id) =>
      hasUpload(id, key)
        ? {
            parts: partsOf(id).map(({ number, path }) => {
              const body = fs.readFileSync(path);
              return { number, etag: etagOf(body), bytes: body.length };
            }),
          }
        : { error: noUpload },
    /** `asked`: number, tag and checksum of each part, in the order of the request. */
    complete: (key, id, asked) => {
      if (!hasUpload(id, key)) return { error: noUpload };
      const about = JSON.parse(fs.readFileSync(join(uploadFolder(id), 'about'), 'utf8'));
      if (asked.length === 0) {
        return {
          error: [
            400,
            'MalformedXML',
            'The XML you provided was not well-formed or did not validate against our published schema',
          ],
        };
      }
      if (asked.some(({ number }, at) => at > 0 && number <= asked[at - 1].number)) {
        return { error: [400, 'InvalidPartOrder', 'The list of parts was not in ascending order.'] };
      }
      const there = new Map(partsOf(id).map(({ number, path }) => [number, fs.readFileSync(path)]));
      const bodies = [];
      for (const [at, { number, etag, checksum }] of asked.entries()) {
        const body = there.get(number);
        const isRight =
          body !== undefined &&
          etagOf(body).replaceAll('"', '') === etag.replaceAll('"', '') &&
          (checksum === null || checksum === sha256(body));
        if (!isRight) {
          return {
            error: [
              400,
              'InvalidPart',
              "One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
            ],
          };
        }
        if (at < asked.length - 1 && body.length < MIN_PART) {
          return {
            error: [400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size'],
          };
        }
        bodies.push(body);
      }
      const tags = md5(Buffer.concat(bodies.map((body) => md5(body).digest()))).digest('hex');
      add(key, Buffer.concat(bodies), `"${tags}-${bodies.length}"`, about.headers);
      fs.rmSync(uploadFolder(id), { recursive: true });
      return { etag: `"${tags}-${bodies.length}"` };
    },
    abort: (key, id) => {
      if (!hasUpload(id, key)) return { error: noUpload };
      fs.rmSync(uploadFolder(id), { recursive: true });
      return {};
    },
  };
};
