import './files.css';
import { Alert, Button, Group, Loader, Modal, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import type { FileVersion } from '../../../../domain/directory.js';
import { call } from '../../../api/client.js';
import { Needs } from '../../../app/role.js';
import { ErrorNote } from '../../../parts/notes.js';
import { shownBytes } from '../../../parts/numbers.js';
import { browserZone, shownTime } from '../../../parts/times.js';
import { changeWords, deletedFiles, shownAge } from './fileVersionList.js';

const CompareView = lazy(() => import('../editor/CompareView.js'));

interface VersionsDialogProps {
  readonly name: string;
  readonly path: string;
  /** The text of the editor. */
  readonly text: string;
  readonly onRestore: (text: string) => void;
  readonly onClose: () => void;
}

/** Former texts of a file beside the text of the editor. */
export const VersionsDialog = ({ name, path, text, onRestore, onClose }: VersionsDialogProps) => {
  const versions = useVersions(name, path);
  return (
    <Modal opened onClose={onClose} title={`Versions of ${path}`} size="min(72rem, 95vw)">
      <Browser
        name={name}
        versions={versions.data}
        error={versions.error}
        heading={null}
        none="No version yet: the next save through the service keeps the text before it."
        help="Restoring takes the red lines away and brings the green ones back, as an unsaved change."
        before={text}
        action="Restore"
        onAct={(version) => {
          onRestore(version.text);
          onClose();
        }}
        onClose={onClose}
      />
    </Modal>
  );
};

interface DeletedDialogProps {
  readonly name: string;
  /** Files that are there. */
  readonly paths: readonly string[];
  readonly onRestore: (path: string, text: string) => void;
  readonly onClose: () => void;
}

/** Files that were deleted or moved away over the API, each with its last text. */
export const DeletedDialog = ({ name, paths, onRestore, onClose }: DeletedDialogProps) => {
  const versions = useVersions(name, null);
  return (
    <Modal opened onClose={onClose} title={`Deleted files of ${name}`} size="min(72rem, 95vw)">
      <Browser
        name={name}
        versions={versions.data === undefined ? undefined : deletedFiles(versions.data, paths)}
        error={versions.error}
        heading={({ path }) => path}
        none="No deleted file is kept."
        help="Bringing it back creates the file with this text."
        before={null}
        action="Bring back"
        onAct={(version) => {
          onRestore(version.path, version.text);
          onClose();
        }}
        onClose={onClose}
      />
    </Modal>
  );
};

const useVersions = (name: string, path: string | null) =>
  useQuery({
    queryKey: ['file-versions', name, path],
    queryFn: () => call('listFileVersions', { path: { name }, query: path === null ? {} : { path } }),
    staleTime: 0,
  });

type ReadVersion = FileVersion & { readonly text: string };

interface BrowserProps {
  readonly name: string;
  readonly versions: readonly FileVersion[] | undefined;
  readonly error: unknown;
  /** Names a version in the list. Null when its age does. */
  readonly heading: ((version: FileVersion) => string) | null;
  readonly none: string;
  readonly help: string;
  /** What each version is compared with. Null when there is nothing. */
  readonly before: string | null;
  readonly action: string;
  readonly onAct: (version: ReadVersion) => void;
  readonly onClose: () => void;
}

/** A list of versions, and how the chosen one differs. */
const Browser = (props: BrowserProps) => {
  const { name, versions, error, heading, none, help, before, action, onAct, onClose } = props;
  const [chosen, choose] = useState<string | null>(null);
  const [now] = useState(() => Date.now());
  const version = versions?.find((one) => one.version === chosen) ?? versions?.[0] ?? null;
  const read = useQuery({
    queryKey: ['file-version', name, version?.version ?? ''],
    queryFn: () => call('readFileVersion', { path: { name, version: version?.version ?? '' } }),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isSame = read.data?.text === before;
  const title = (one: FileVersion): string => heading?.(one) ?? shownAge(one.at, now);
  if (error !== null && error !== undefined)
    return <ErrorNote title="The versions cannot be listed" error={error} />;
  if (versions === undefined) return <Loader size="sm" role="status" aria-label="Loading the versions" />;
  if (version === null) return <Text size="sm">{none}</Text>;
  return (
    <>
      <div className="versions">
        <ul aria-label="Versions" className="version-list">
          {versions.map((one) => (
            <li key={one.version}>
              <UnstyledButton
                className="version"
                aria-current={one.version === version.version ? 'true' : undefined}
                onClick={() => choose(one.version)}
              >
                <Text size="sm" fw={600} truncate component="span" title={title(one)}>
                  {title(one)}
                </Text>
                <Text size="xs" component="span">
                  {changeWords(one)}
                  {title(one) === shownAge(one.at, now) ? '' : ` ${shownAge(one.at, now)}`},{' '}
                  {shownBytes(one.size_bytes)}
                </Text>
                <Text size="xs" component="span">
                  {shownTime(one.at, browserZone())}
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </ul>
        <div className="version-text">
          {read.isError && <ErrorNote title="The version cannot be read" error={read.error} />}
          {isSame && (
            <Alert color="gray" p="xs" mb="xs">
              This is the text of the editor.
            </Alert>
          )}
          {read.data !== undefined && (
            <Suspense>
              <CompareView
                key={version.version}
                path={version.path}
                before={before ?? read.data.text}
                after={read.data.text}
              />
            </Suspense>
          )}
        </div>
      </div>
      <Group justify="space-between" mt="md">
        <Text size="sm">{help}</Text>
        <Group>
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Needs to="replaceGeneratorFile">
            <Button
              disabled={read.data === undefined || isSame}
              onClick={() => read.data !== undefined && onAct(read.data)}
            >
              {action}
            </Button>
          </Needs>
        </Group>
      </Group>
    </>
  );
};
