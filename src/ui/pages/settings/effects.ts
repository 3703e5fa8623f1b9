import type { Place } from '../../forms/document.js';

/** What applying a changed setting does. */
export type Effect = 'restarts all generators' | 'reopens the listener' | 'restarts changed generators';

/** As `fixedParts` of the daemon's reload. */
const FOR_THE_INSTANCE: ReadonlySet<string> = new Set([
  'path',
  'log',
  'server.api_enabled',
  'generation.plugins',
  'generation.allow_subprocess',
  'generation.max_pool_threads',
  'generation.max_script_threads',
  'generation.thread_heap_mb',
  'generation.thread_memory_mb',
]);

/** What a restart of the service does to apply a change at a place. */
export const effectOf = ([section, name]: Place): Effect => {
  if (FOR_THE_INSTANCE.has(String(section)) || FOR_THE_INSTANCE.has(`${section}.${name}`))
    return 'restarts all generators';
  return section === 'server' ? 'reopens the listener' : 'restarts changed generators';
};
