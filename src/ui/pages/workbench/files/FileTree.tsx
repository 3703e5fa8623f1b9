import { ActionIcon, Box, Button, Group, Modal, Text, Tooltip } from '@mantine/core';
import { FilePlus, FolderPlus, History, Search, Upload } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import type { FileNode } from '../../../../domain/directory.js';
import { Needs } from '../../../app/role.js';
import { ErrorNote } from '../../../parts/notes.js';
import {
  copyPath,
  filesOf,
  foldersAround,
  joinedPath,
  lastSegmentOf,
  type TreeRow,
  treeRows,
} from '../paths.js';
import { DRAGGED, FileRow, type RowCommand } from './FileRow.js';
import { DeletedDialog } from './FileVersions.js';
import { type FileAction, PathDialog, type PathQuestion, useFileActions } from './fileActions.js';

interface FileTreeProps {
  readonly name: string;
  readonly nodes: readonly FileNode[];
  readonly chosen: string | null;
  readonly configPath: string;
  readonly unsaved: ReadonlySet<string>;
  readonly onChoose: (path: string) => void;
  readonly onDone: (action: FileAction) => void;
  readonly onSearch: () => void;
}

/** The files of a generator directory, and what can be done with them. */
export const FileTree = memo(
  ({ name, nodes, chosen, configPath, unsaved, onChoose, onDone, onSearch }: FileTreeProps) => {
    const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(foldersAround(chosen ?? '')));
    const [question, setQuestion] = useState<PathQuestion | null>(null);
    const [hasDeleted, setHasDeleted] = useState(false);
    const [doomed, setDoomed] = useState<TreeRow | null>(null);
    const picker = useRef<HTMLInputElement>(null);
    const folderOfUpload = useRef('');
    const acting = useFileActions(name, onDone);
    const act = (action: FileAction): void => acting.mutate(action);

    const toggle = (path: string): void =>
      setOpen((former) => {
        const next = new Set(former);
        if (!next.delete(path)) next.add(path);
        return next;
      });

    const show = (path: string): void => setOpen((former) => new Set([...former, ...foldersAround(path)]));

    const askNew = (kind: 'create' | 'folder', folder: string): void =>
      setQuestion({
        title: kind === 'create' ? 'New file' : 'New folder',
        label: 'Path in the generator directory',
        action: 'Create',
        start: folder === '' ? '' : `${folder}/`,
        onAnswer: (path) => {
          show(path);
          act({ kind, path });
        },
      });

    const upload = (folder: string, files: readonly File[]): void => {
      for (const file of files) act({ kind: 'upload', path: joinedPath(folder, file.name), content: file });
    };

    const pick = (folder: string): void => {
      folderOfUpload.current = folder;
      picker.current?.click();
    };

    const askTo = (kind: 'move' | 'copy', { path }: TreeRow): void =>
      setQuestion({
        title: kind === 'move' ? `Rename or move ${lastSegmentOf(path)}` : `Copy ${lastSegmentOf(path)}`,
        label: 'New path in the generator directory',
        action: kind === 'move' ? 'Move' : 'Copy',
        start: kind === 'move' ? path : copyPath(path, filesOf(nodes)),
        onAnswer: (to) => act({ kind, path, to }),
      });

    const command = (row: TreeRow, chosenCommand: RowCommand): void => {
      switch (chosenCommand) {
        case 'new-file':
          return askNew('create', row.path);
        case 'new-folder':
          return askNew('folder', row.path);
        case 'upload':
          return pick(row.path);
        case 'move':
        case 'copy':
          return askTo(chosenCommand, row);
        case 'delete':
          return setDoomed(row);
      }
    };

    return (
      <Box
        className="file-tree"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          const moved = event.dataTransfer.getData(DRAGGED);
          if (moved === '') upload('', [...event.dataTransfer.files]);
          else act({ kind: 'move', path: moved, to: lastSegmentOf(moved) });
        }}
      >
        <Group justify="space-between" wrap="nowrap" px="xs" py={4}>
          <Text size="sm" fw={600} component="h2">
            Files
          </Text>
          <Group gap={2} wrap="nowrap">
            <Tooltip label="Search in files (Ctrl-Shift-F)">
              <ActionIcon variant="subtle" color="gray" aria-label="Search in files" onClick={onSearch}>
                <Search size={16} />
              </ActionIcon>
            </Tooltip>
            <Needs to="createGeneratorFile">
              <Tooltip label="New file">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label="New file"
                  onClick={() => askNew('create', '')}
                >
                  <FilePlus size={16} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label="New folder">
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label="New folder"
                  onClick={() => askNew('folder', '')}
                >
                  <FolderPlus size={16} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label="Upload files, or drop them here">
                <ActionIcon variant="subtle" color="gray" aria-label="Upload files" onClick={() => pick('')}>
                  <Upload size={16} />
                </ActionIcon>
              </Tooltip>
            </Needs>
          </Group>
        </Group>
        <ul aria-label="Files">
          {treeRows(nodes, open).map((row) => (
            <FileRow
              key={row.path}
              row={row}
              isOpen={open.has(row.path)}
              isChosen={row.path === chosen}
              isUnsaved={unsaved.has(row.path)}
              isConfig={row.path === configPath}
              onChoose={() => (row.isFolder ? toggle(row.path) : onChoose(row.path))}
              onCommand={(one) => command(row, one)}
              onDropped={(files) => upload(row.path, files)}
              onMoved={(from) =>
                act({ kind: 'move', path: from, to: joinedPath(row.path, lastSegmentOf(from)) })
              }
            />
          ))}
        </ul>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          m={4}
          leftSection={<History size={14} />}
          onClick={() => setHasDeleted(true)}
        >
          Deleted files
        </Button>
        {hasDeleted && (
          <DeletedDialog
            name={name}
            paths={filesOf(nodes)}
            onRestore={(path, text) => {
              show(path);
              act({ kind: 'restore', path, content: text });
            }}
            onClose={() => setHasDeleted(false)}
          />
        )}
        {acting.isError && <ErrorNote title={`${acting.variables.path} is unchanged`} error={acting.error} />}
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to upload"
          onChange={(event) => {
            upload(folderOfUpload.current, [...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = '';
          }}
        />
        <PathDialog question={question} onClose={() => setQuestion(null)} />
        <Modal
          opened={doomed !== null}
          onClose={() => setDoomed(null)}
          title={`Delete ${doomed?.path ?? ''}?`}
          centered
        >
          <Text size="sm">
            {doomed?.isFolder ? 'The folder and everything in it is deleted.' : 'The file is deleted.'} Texts
            of up to 1 MiB can be brought back with <b>Deleted files</b>, other files cannot.
          </Text>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={() => setDoomed(null)} data-autofocus>
              Cancel
            </Button>
            <Button
              color="red"
              onClick={() => {
                if (doomed !== null) act({ kind: 'delete', path: doomed.path });
                setDoomed(null);
              }}
            >
              Delete
            </Button>
          </Group>
        </Modal>
      </Box>
    );
  },
);
