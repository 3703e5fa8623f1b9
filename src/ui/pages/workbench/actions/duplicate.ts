import { call, callFile } from '../../../api/client.js';
import { filesOf } from '../paths.js';

/** Copies the config and all files of a generator directory into a new one. All or nothing. */
export const duplicateDirectory = async (from: string, to: string, configPath: string): Promise<void> => {
  const [config, tree] = await Promise.all([
    call('readGeneratorConfig', { path: { name: from } }),
    call('readGeneratorFileTree', { path: { name: from } }),
  ]);
  await call('createGeneratorConfig', { path: { name: to }, body: config });
  try {
    const newConfig = (await call('readGeneratorPath', { path: { name: to } })).slice(to.length + 1);
    for (const filepath of filesOf(tree)) {
      const { value: content } = await callFile('readGeneratorFile', { path: { name: from, filepath } });
      // The text of the config has the comments that its value lacks.
      if (filepath === configPath)
        await call('replaceGeneratorFile', { path: { name: to, filepath: newConfig }, content });
      else await call('createGeneratorFile', { path: { name: to, filepath }, content });
    }
  } catch (error) {
    await call('deleteGenerator', { path: { name: to } });
    throw error;
  }
};
