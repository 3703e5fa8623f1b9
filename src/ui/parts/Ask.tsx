import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

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
export const Ask = ({ isOpen, title, children, verb, color = 'red', onYes, onClose }: AskProps) => (
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
