import { Code, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { type LearnedFile, shownText } from './facts.js';

/** The files that would be written, one of them shown. */
export const Files = ({ files }: { readonly files: readonly LearnedFile[] }) => {
  const [path, setPath] = useState(files[0]?.path ?? null);
  const shown = files.find((file) => file.path === path);
  return (
    <Stack gap="xs">
      <Select
        label={`Show one of ${files.length} files`}
        data={files.map((file) => file.path)}
        value={path}
        onChange={setPath}
        allowDeselect={false}
        searchable
        nothingFoundMessage="No such file"
      />
      {shown !== undefined && (
        <Code block tabIndex={0} className="event" aria-label={`Content of ${shown.path}`}>
          {shownText(shown.text)}
        </Code>
      )}
    </Stack>
  );
};
