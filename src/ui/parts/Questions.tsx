import { Button, Group, List, Modal, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { NameFlaw } from '../../domain/identifiers.js';
import { ErrorNote, tellDone } from './notes.js';
import { counted } from './numbers.js';
import { startedNameOf } from './severalGenerators.js';

interface AskProps {
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
  /** What the button does, as a verb. */
  readonly verb: string;
  /** Color of the button. Red by default, for what destroys something. */
  readonly color?: string;
  readonly onYes: () => void;
  readonly onClose: () => void;
}

/** A question before something that cannot be taken back. */
export const Question = ({ isOpen, title, children, verb, color = 'red', onYes, onClose }: AskProps) => (
  <Modal opened={isOpen} onClose={onClose} title={title} centered>
    <Text size="sm" className="wrapped">
      {children}
    </Text>
    <Group justify="flex-end" mt="lg">
      <Button variant="default" onClick={onClose} data-autofocus>
        Cancel
      </Button>
      <Button
        color={color}
        onClick={() => {
          onClose();
          onYes();
        }}
      >
        {verb}
      </Button>
    </Group>
  </Modal>
);

interface QuestionProps {
  /** What happens, as a verb with a capital letter. */
  readonly verb: string;
  /** What follows the names in the title. */
  readonly suffix?: string;
  readonly ids: readonly string[];
  /** What the action means. */
  readonly text: string;
  /** Null when nothing destroys anything. */
  readonly color?: string;
  readonly isBusy?: boolean;
  readonly onYes: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done to generators, and names each. */
export const BulkQuestion = ({ isOpen, ...question }: QuestionProps & { readonly isOpen: boolean }) => (
  <Modal
    opened={isOpen}
    onClose={question.onClose}
    title={`${question.verb} ${startedNameOf(question.ids)}${question.suffix ?? ''}?`}
    centered
  >
    <Body {...question} />
  </Modal>
);

/** More generators than this need a typed confirmation. */
const MAX_UNTYPED = 10;

const Body = ({ verb, ids, text, color = 'red', isBusy = false, onYes, onClose }: QuestionProps) => {
  const [typed, setTyped] = useState('');
  const wanted = `${verb.toLowerCase()} ${ids.length}`;
  const isTyped = ids.length <= MAX_UNTYPED || typed.trim().toLowerCase() === wanted;
  return (
    <>
      <Text size="sm">{text}</Text>
      {ids.length > 1 && (
        <ScrollArea.Autosize mah="40vh" mt="sm" viewportProps={{ tabIndex: 0 }}>
          <List size="sm" aria-label={counted(ids.length, 'generator')}>
            {ids.map((id) => (
              <List.Item key={id} className="wrapped">
                {id}
              </List.Item>
            ))}
          </List>
        </ScrollArea.Autosize>
      )}
      {ids.length > MAX_UNTYPED && (
        <TextInput
          mt="sm"
          label={`Type "${wanted}" to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color={color} loading={isBusy} disabled={!isTyped} onClick={onYes}>
          {verb}
        </Button>
      </Group>
    </>
  );
};

interface RenameProps {
  readonly name: string;
  /** What the rename changes and what it leaves. */
  readonly children: ReactNode;
  readonly check: (name: string) => NameFlaw | null;
  readonly rename: (to: string) => Promise<unknown>;
  readonly onRenamed?: (to: string) => void;
  readonly onClose: () => void;
}

/** Asks for a new name. A name that is refused stays typed, with the reason. */
export const RenameDialog = ({ isOpen, ...rest }: RenameProps & { readonly isOpen: boolean }) => (
  <Modal opened={isOpen} onClose={rest.onClose} title={`Rename ${rest.name}`} centered>
    <RenameForm {...rest} />
  </Modal>
);

const RenameForm = ({ name, children, check, rename, onRenamed, onClose }: RenameProps) => {
  const client = useQueryClient();
  const [to, setTo] = useState(name);
  const [hasTried, setTried] = useState(false);
  const renaming = useMutation({
    mutationFn: () => rename(to),
    onSuccess: () => {
      tellDone(`${name} is now ${to}.`);
      onClose();
      onRenamed?.(to);
      void client.invalidateQueries();
    },
  });
  const flaw = to === name ? 'must be another name' : (check(to)?.message ?? null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (flaw === null) renaming.mutate();
  };
  return (
    <Stack component="form" gap="sm" onSubmit={submit}>
      <TextInput
        label="New name"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
        error={hasTried ? flaw : null}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
      />
      {children}
      {renaming.isError && <ErrorNote title={`${name} was not renamed`} error={renaming.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={renaming.isPending}>
          Rename
        </Button>
      </Group>
    </Stack>
  );
};
