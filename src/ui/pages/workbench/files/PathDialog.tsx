import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { pathProblem } from '../paths.js';

export interface PathQuestion {
  readonly title: string;
  readonly label: string;
  readonly action: string;
  readonly start: string;
  readonly onAnswer: (path: string) => void;
}

const Form = ({ question, onClose }: { readonly question: PathQuestion; readonly onClose: () => void }) => {
  const [path, setPath] = useState(question.start);
  const [isAsked, setIsAsked] = useState(false);
  const problem = pathProblem(path);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsAsked(true);
    if (problem !== null) return;
    question.onAnswer(path);
    onClose();
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        label={question.label}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        error={isAsked ? problem : null}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit">{question.action}</Button>
      </Group>
    </form>
  );
};

/** Asks for a path or a name. */
export const PathDialog = ({
  question,
  onClose,
}: {
  readonly question: PathQuestion | null;
  readonly onClose: () => void;
}) => (
  <Modal opened={question !== null} onClose={onClose} title={question?.title} centered>
    {question !== null && <Form question={question} onClose={onClose} />}
  </Modal>
);
