import type { makeModules } from '../src/template/index.js';
import type { LanguageReference } from '../src/ui/pages/workbench/language/reference.js';

type ParamsOf = (path: string, name: string) => string | null;

export function languageReference(readText: (path: string) => string, paramsOf?: ParamsOf): LanguageReference;
export function moduleParams(make: typeof makeModules): ParamsOf;
export function builtReference(root: string): Promise<LanguageReference>;
