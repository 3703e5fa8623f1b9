import './files.css';
import { ActionIcon, Alert, Button, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { CaseSensitive, FolderTree, Regex, Search as SearchIcon } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ErrorNote } from '../../../parts/notes.js';
import { counted } from '../../../parts/numbers.js';
import type { FileDraft } from '../drafts.js';
import { readTextOf } from '../storedFile.js';
import {
  type FoundFile,
  type FoundLine,
  lineMatcher,
  readTexts,
  type SearchResult,
  searchTexts,
} from './searchFiles.js';

const PAUSE_MS = 250;

interface SearchPanelProps {
  readonly name: string;
  /** All files of the directory. */
  readonly paths: readonly string[];
  readonly drafts: ReadonlyMap<string, Pick<FileDraft, 'text'>>;
  /** Another number takes the focus to the field. */
  readonly focusAt: number;
  readonly onOpen: (path: string, line: number) => void;
  readonly onClose: () => void;
}

/** Finds a text in all files of the directory, in unsaved texts as they are typed. */
const SearchPanel = ({ name, paths, drafts, focusAt, onOpen, onClose }: SearchPanelProps) => {
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request for the focus
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [focusAt]);
  const [text, setText] = useState('');
  const [isRegex, setIsRegex] = useState(false);
  const [isCaseSensitive, setIsCaseSensitive] = useState(false);
  const [wanted] = useDebouncedValue(text, PAUSE_MS);
  const [typed] = useDebouncedValue(drafts, PAUSE_MS);
  const stored = useQuery({
    queryKey: ['search-texts', name, paths],
    queryFn: () => readTexts(paths, (path) => readTextOf(client, name, path)),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
    // A save changes them.
    staleTime: 5_000,
  });
  const result = useMemo((): SearchResult | string | null => {
    if (wanted === '' || stored.data === undefined) return null;
    const matcher = lineMatcher({ text: wanted, isRegex, isCaseSensitive });
    if (typeof matcher === 'string') return matcher;
    const { texts, leftOut } = stored.data;
    const found = searchTexts(
      texts.map(({ path, text: saved }) => ({ path, text: typed.get(path)?.text ?? saved })),
      matcher,
    );
    return { ...found, leftOut: [...leftOut, ...found.leftOut] };
  }, [wanted, isRegex, isCaseSensitive, stored.data, typed]);
  const mistake = typeof result === 'string' ? `Not a regular expression: ${result}` : null;
  return (
    <section className="file-search" aria-label="Search in files">
      <Group justify="space-between" wrap="nowrap" px="xs" py={4}>
        <Text size="sm" fw={600} component="h2">
          Search
        </Text>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<FolderTree size={14} />}
          onClick={onClose}
          title="Esc in the field"
        >
          Files
        </Button>
      </Group>
      <TextInput
        ref={field}
        px="xs"
        size="xs"
        aria-label="Search in files"
        placeholder={isRegex ? 'Regular expression' : 'Text'}
        leftSection={<SearchIcon size={14} />}
        value={text}
        error={mistake}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <Group gap={4} px="xs" py={6}>
        <ActionIcon
          variant={isCaseSensitive ? 'filled' : 'default'}
          size="sm"
          aria-label="Match case"
          title="Match case"
          aria-pressed={isCaseSensitive}
          onClick={() => setIsCaseSensitive(!isCaseSensitive)}
        >
          <CaseSensitive size={14} />
        </ActionIcon>
        <ActionIcon
          variant={isRegex ? 'filled' : 'default'}
          size="sm"
          aria-label="Regular expression"
          title="Regular expression"
          aria-pressed={isRegex}
          onClick={() => setIsRegex(!isRegex)}
        >
          <Regex size={14} />
        </ActionIcon>
        <Text size="xs" c="dimmed" role="status">
          {countText(result, wanted !== '' && stored.isLoading)}
        </Text>
      </Group>
      {stored.isError && <ErrorNote title="The files cannot be searched" error={stored.error} />}
      {result !== null && typeof result !== 'string' && <Found result={result} onOpen={onOpen} />}
    </section>
  );
};

const countText = (result: SearchResult | string | null, isLoading: boolean): string => {
  if (isLoading) return 'Reading the files…';
  if (result === null || typeof result === 'string') return '';
  if (result.matches === 0) return 'Nothing found';
  return `${counted(result.matches, 'match', 'matches')} in ${counted(result.files.length, 'file')}`;
};

const Found = ({
  result,
  onOpen,
}: {
  readonly result: SearchResult;
  readonly onOpen: SearchPanelProps['onOpen'];
}) => (
  <div className="file-search-found">
    {result.files.map((file) => (
      <FoundIn key={file.path} file={file} onOpen={onOpen} />
    ))}
    {result.leftOut.length > 0 && (
      <Alert color="gray" m="xs" p="xs" role="note">
        {result.leftOut.map((one) => (
          <Text key={one} size="xs" className="wrapped">
            {one}
          </Text>
        ))}
      </Alert>
    )}
  </div>
);

const FoundIn = ({
  file,
  onOpen,
}: {
  readonly file: FoundFile;
  readonly onOpen: SearchPanelProps['onOpen'];
}) => (
  <>
    <Text size="xs" fw={600} px="xs" pt={6} className="wrapped" component="h3">
      {file.path}
    </Text>
    <ul aria-label={`Matches in ${file.path}`}>
      {file.lines.map((line) => (
        <li key={line.line}>
          <UnstyledButton className="found-line" onClick={() => onOpen(file.path, line.line)}>
            <span className="found-number">{line.line}</span>
            <code>{marked(line)}</code>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  </>
);

/** The text of a line with its matches marked. */
const marked = ({ shown, marks }: FoundLine) => {
  let at = 0;
  const parts = marks.map(([from, to]) => {
    const before = shown.slice(at, from);
    at = to;
    return (
      <span key={from}>
        {before}
        <mark>{shown.slice(from, to)}</mark>
      </span>
    );
  });
  return (
    <>
      {parts}
      {shown.slice(at)}
    </>
  );
};

export default SearchPanel;
