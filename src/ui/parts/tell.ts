import { notifications } from '@mantine/notifications';
import { ApiError } from '../api/errors.js';

const ERROR_MS = 12_000;
/** Mantine's gray has too little contrast. */
const styles = { description: { color: 'var(--mantine-color-text)' } };

/** An error in words, with its code. */
export const wordsOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return String(error);
  return error.code === '' ? error.message : `${error.message} (${error.code})`;
};

export const tellError = (title: string, error: unknown): void => {
  notifications.show({
    title,
    message: wordsOf(error),
    color: 'red',
    autoClose: ERROR_MS,
    styles,
  });
};

export const tellDone = (message: string): void => {
  notifications.show({ message, color: 'teal' });
};
