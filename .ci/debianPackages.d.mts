export function sourceLine(suite: string, files?: readonly string[], release?: readonly string[]): string;
export function unpackPackages(folder: string, packages: readonly string[], suite?: string | null): void;
export function isClusterNats(program: string): boolean;
