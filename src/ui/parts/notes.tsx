import { Alert, Anchor, Button, Code, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { RotateCw, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { ERRORS } from '../../domain/errors.js';
import { ApiError, isRefusal } from '../api/errors.js';
import { useKnownConnection } from '../api/live.js';
import { useReturn } from '../api/useReturn.js';
import { locationIn, workbenchHref } from './locatedText.js';

interface NoteProps {
  readonly title: string;
  readonly color?: 'orange' | 'red';
  readonly children: ReactNode;
}

/** Something that is wrong: read out at once, orange unless it is an error. */
export const Note = ({ title, color = 'orange', children }: NoteProps) => (
  <Alert color={color} title={title} icon={<TriangleAlert size={18} />} role="alert">
    {children}
  </Alert>
);

/** An error in words, with its code. That the service did not answer is over once it is back. */
export const ErrorNote = ({ error, title }: { readonly error: unknown; readonly title: string }) => {
  const known = error instanceof ApiError ? error : null;
  const [isOver, setIsOver] = useState(false);
  useReturn(useKnownConnection(), () => setIsOver(known?.status === 0));
  if (isOver) return null;
  return (
    <Note color="red" title={title}>
      <ErrorText text={known?.message ?? String(error)} />
      <Group gap="xs" mt={4}>
        {known !== null && <ErrorCodeLink code={known.code} />}
        <TryAgain error={error} />
      </Group>
    </Note>
  );
};

/** A button that asks again, for an answer that failed through no fault of the request. */
const TryAgain = ({ error }: { readonly error: unknown }) => {
  const client = useQueryClient();
  const failed = client.getQueryCache().findAll({ predicate: ({ state }) => state.error === error });
  if (isRefusal(error) || failed.length === 0) return null;
  const ask = (): void => {
    for (const { queryKey } of failed) void client.refetchQueries({ queryKey, exact: true });
  };
  return (
    <Button variant="default" size="compact-sm" leftSection={<RotateCw size={14} />} onClick={ask}>
      Try again
    </Button>
  );
};

/** An error code, linked to its explanation if there is one. */
export const ErrorCodeLink = ({
  code,
  size = 'sm',
}: {
  readonly code: string;
  readonly size?: 'xs' | 'sm';
}) => {
  if (code === '') return null;
  if (!(code in ERRORS)) return <Code>{code}</Code>;
  return (
    <Anchor component={Link} href={`/help/errors#${code}`} size={size} underline="always">
      <Code>{code}</Code>
    </Anchor>
  );
};

interface ErrorTextProps {
  readonly text: string;
  /** The config of the generator that the error is of, for links to its files. */
  readonly config?: string;
}

/** A caret below a line of a source points at a column. */
const SOURCE = /\n\s*\^/;

/** The words of an error; a source below its first line keeps its columns. */
export const ErrorText = ({ text, config = '' }: ErrorTextProps) => {
  const end = SOURCE.test(text) ? text.indexOf('\n') : text.length;
  return (
    <>
      <Text size="sm" className="wrapped">
        <Located text={text.slice(0, end)} config={config} />
      </Text>
      {end < text.length && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre className="source" tabIndex={0}>
          {text.slice(end + 1)}
        </pre>
      )}
    </>
  );
};

/** A text whose first location in a file of the generator is a link to it. */
export const Located = ({ text, config }: { readonly text: string; readonly config: string }) => {
  const location = locationIn(text);
  const href = location === null ? null : workbenchHref(config, location);
  if (location === null || href === null) return text;
  return (
    <>
      {text.slice(0, location.from)}
      <Anchor component={Link} href={href} inherit underline="always">
        {text.slice(location.from, location.to)}
      </Anchor>
      {text.slice(location.to)}
    </>
  );
};

const ERROR_MS = 12_000;

/** Mantine's gray has too little contrast. */
const styles = { description: { color: 'var(--mantine-color-text)' } };

export const tellError = (title: string, error: unknown): void => {
  notifications.show({
    title,
    message: listedWordsOf(error),
    color: 'red',
    autoClose: ERROR_MS,
    styles,
  });
};

export const tellDone = (message: string): void => {
  notifications.show({ message, color: 'teal' });
};

/** An error in words, with its code. */
export const listedWordsOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return String(error);
  return error.code === '' ? error.message : `${error.message} (${error.code})`;
};
