import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import {
  ChevronDown,
  ChevronRight,
  Copy,
  Ellipsis,
  File,
  FilePlus,
  FolderPlus,
  Pencil,
  Trash2,
  Upload,
} from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { Needs } from '../../../app/role.js';
import type { TreeRow } from '../paths.js';

export type RowCommand = 'new-file' | 'new-folder' | 'upload' | 'move' | 'copy' | 'delete';

interface FileRowProps {
  readonly row: TreeRow;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  readonly isUnsaved: boolean;
  /** The config: without it, the directory is no generator. It can only be copied. */
  readonly isConfig: boolean;
  readonly onChoose: () => void;
  readonly onCommand: (command: RowCommand) => void;
  readonly onDropped: (files: readonly globalThis.File[]) => void;
  readonly onMoved: (from: string) => void;
}

/** The kind of data that a dragged line of the tree carries. */
export const DRAGGED = 'application/x-spate-path';

const RowMenu = ({ row, isConfig, onCommand }: Pick<FileRowProps, 'row' | 'isConfig' | 'onCommand'>) => (
  <Needs to="createGeneratorFile">
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={24} aria-label={`Actions for ${row.path}`}>
          <Ellipsis size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {row.isFolder && (
          <>
            <Menu.Item leftSection={<FilePlus size={14} />} onClick={() => onCommand('new-file')}>
              New file
            </Menu.Item>
            <Menu.Item leftSection={<FolderPlus size={14} />} onClick={() => onCommand('new-folder')}>
              New folder
            </Menu.Item>
            <Menu.Item leftSection={<Upload size={14} />} onClick={() => onCommand('upload')}>
              Upload
            </Menu.Item>
          </>
        )}
        {!isConfig && (
          <Menu.Item leftSection={<Pencil size={14} />} onClick={() => onCommand('move')}>
            Rename or move
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Copy size={14} />} onClick={() => onCommand('copy')}>
          Copy
        </Menu.Item>
        {!isConfig && (
          <Menu.Item leftSection={<Trash2 size={14} />} onClick={() => onCommand('delete')}>
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  </Needs>
);

const RowIcon = ({ row, isOpen }: Pick<FileRowProps, 'row' | 'isOpen'>) => {
  if (!row.isFolder) return <File size={14} aria-hidden />;
  return isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />;
};

/** A file or folder of the tree. Files are dropped into folders. */
export const FileRow = (props: FileRowProps) => {
  const { row, isOpen, isChosen, isUnsaved, isConfig, onChoose, onCommand, onDropped, onMoved } = props;
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setIsOver(false);
    const moved = event.dataTransfer.getData(DRAGGED);
    if (moved !== '') onMoved(moved);
    else onDropped([...event.dataTransfer.files]);
  };
  const target = row.isFolder
    ? {
        onDragOver: (event: DragEvent) => {
          event.preventDefault();
          setIsOver(true);
        },
        onDragLeave: () => setIsOver(false),
        onDrop: drop,
      }
    : {};
  return (
    <li
      className="file-row"
      data-chosen={isChosen || undefined}
      data-over={isOver || undefined}
      data-depth={Math.min(row.depth, 6)}
      draggable={!isConfig}
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, row.path)}
      {...target}
    >
      <UnstyledButton
        className="file-name"
        onClick={onChoose}
        {...(row.isFolder ? { 'aria-expanded': isOpen } : {})}
        {...(isChosen ? { 'aria-current': 'true' as const } : {})}
      >
        <RowIcon row={row} isOpen={isOpen} />
        <span>{row.name}</span>
        {isUnsaved && (
          <span className="unsaved" role="img" aria-label="unsaved">
            ●
          </span>
        )}
      </UnstyledButton>
      <RowMenu row={row} isConfig={isConfig} onCommand={onCommand} />
    </li>
  );
};
