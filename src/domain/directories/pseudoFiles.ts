/** Kernel file systems, by the magic number of statfs(2): their files look regular, but a read may hang (/proc/kmsg). */
const PSEUDO: ReadonlyMap<number, string> = new Map([
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x64626720, 'debugfs'],
  [0x74726163, 'tracefs'],
  [0x73636673, 'securityfs'],
  [0x62656570, 'configfs'],
  [0x0027e0eb, 'cgroup'],
  [0x63677270, 'cgroup2'],
  [0xcafe4a11, 'bpf'],
  [0x6165676c, 'pstore'],
  [0xde5e81e4, 'efivarfs'],
  [0x65735543, 'fusectl'],
  [0xf97cff8c, 'selinuxfs'],
  [0x42494e4d, 'binfmt_misc'],
  [0x19800202, 'mqueue'],
]);

/** Returns the name of a pseudo file system, or null for a real one. */
export const pseudoFileSystem = (type: number): string | null => PSEUDO.get(type) ?? null;

interface Kind {
  readonly isFile: () => boolean;
  readonly isDirectory: () => boolean;
  readonly isFIFO: () => boolean;
  readonly isSocket: () => boolean;
}

/** Returns why an open file cannot be read, or null for a regular file on a real file system. `type` is of statfs. */
export const whyNoFile = (kind: Kind, type: number | null): string | null => {
  if (kind.isDirectory()) return 'it is a directory';
  if (kind.isFIFO()) return 'it is a named pipe, not a regular file';
  if (kind.isSocket()) return 'it is a socket, not a regular file';
  if (!kind.isFile()) return 'it is not a regular file';
  const system = type === null ? null : pseudoFileSystem(type);
  return system === null ? null : `it belongs to the kernel (${system}), and a read of it may never end`;
};
