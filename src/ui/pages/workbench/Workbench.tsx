import './workbench.css';
import { Button, Drawer, Group, SegmentedControl, Title } from '@mantine/core';
import { useDebouncedValue, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { FolderTree } from 'lucide-react';
import { type CSSProperties, lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { FileNode } from '../../../domain/directory.js';
import { isJsonObject, type JsonObject } from '../../../domain/json.js';
import { call } from '../../api/client.js';
import { Loading } from '../../parts/Loading.js';
import { ErrorNote } from '../../parts/notes.js';
import { WorkbenchActions } from './Actions.js';
import {
  addressLineOf,
  type Editing,
  searchOf,
  type View,
  type WorkbenchAddress,
  workbenchAddressOf,
} from './address.js';
import { draftFiles } from './draftFiles.js';
import { FileTree } from './files/FileTree.js';
import type { FileAction } from './files/fileActions.js';
import { useLanguage } from './language/useLanguage.js';
import { FileTabs, TreeToggle, tabIds, useOpenTabs } from './layout/FileTabs.js';
import type { PaneSizes } from './layout/panes.js';
import { Separator, usePanes } from './layout/Separator.js';
import { OpenFile } from './OpenFile.js';
import { filesOf, renamedPath } from './paths.js';
import { PreviewPane } from './preview/PreviewPane.js';
import type { FileProblem } from './problemLocations.js';
import { useFile, useWindowKey } from './storedFile.js';
import { PAUSE_MS, useChecked } from './useChecked.js';
import { useDrafts } from './useDrafts.js';

const SearchPanel = lazy(() => import('./files/SearchPanel.js'));

const NONE: readonly never[] = [];

const NARROW = '(max-width: 62em)';

/** The open file and preview, in the address. */
const useAddress = (name: string) => {
  const address = workbenchAddressOf(useSearch());
  const [, go] = useLocation();
  const setAddress = (change: Partial<WorkbenchAddress>, isNew: boolean): void =>
    go(`/g/${encodeURIComponent(name)}${searchOf({ ...address, ...change })}`, { replace: !isNew });
  return [address, setAddress] as const;
};

interface BenchProps {
  readonly name: string;
  readonly nodes: readonly FileNode[];
  readonly configPath: string;
  readonly ids: readonly string[] | null;
}

const Bench = ({ name, nodes, configPath, ids }: BenchProps) => {
  const [address, setAddress] = useAddress(name);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const [isTreeOpen, tree] = useDisclosure(false);
  const [pane, setPane] = useState('editor');
  const [params, setParams] = useState<JsonObject>({});
  const [revision, setRevision] = useState(0);
  const [found, setFound] = useState<readonly FileProblem[]>([]);
  const file = address.file ?? configPath;
  const paths = useMemo(() => filesOf(nodes), [nodes]);
  const open = useOpenTabs(name, file, paths);
  const { sizes, resize, hideTree } = usePanes();
  const grid = useRef<HTMLDivElement>(null);
  /** Counts requests for the search: each takes the focus there. Null while it is closed. */
  const [searchAt, setSearchAt] = useState<number | null>(null);
  const line = addressLineOf(useSearch());
  const [goal, setGoal] = useState<FileProblem | null>(
    line === null ? null : { path: file, line, column: 1, message: '', severity: 'error' },
  );
  const drafts = useDrafts(name);
  const config = useFile(name, configPath);
  const configText = drafts.byPath.get(configPath)?.text ?? config.data?.text ?? null;
  const checked = useChecked(configText, params);
  const event = checked?.event ?? null;
  const [typed] = useDebouncedValue(drafts.byPath, PAUSE_MS, { leading: true });
  const { files: draftTexts, unseen } = useMemo(
    () => draftFiles(typed, configPath, event),
    [typed, configPath, event],
  );
  const zone = useConfigZone(ids);
  // Typing changes drafts all the time, but rarely which files have one.
  const unsavedKey = JSON.stringify([...drafts.byPath.keys()].sort());
  const unsaved = useMemo(() => new Set(JSON.parse(unsavedKey) as readonly string[]), [unsavedKey]);
  const onSaved = useCallback(() => setRevision((former) => former + 1), []);

  const problems = useMemo(
    () => [
      ...(file === configPath ? (checked?.problems ?? []) : []),
      ...found.filter(({ path }) => path === file),
    ],
    [checked, found, file, configPath],
  );

  const choose = useStable((path: string): void => {
    tree.close();
    setPane('editor');
    setAddress({ file: path === configPath ? null : path }, true);
  });

  const showText = (): void => {
    if (address.editing === 'form') setAddress({ editing: 'both' }, false);
  };

  const search = useStable((): void => {
    setSearchAt((former) => (former ?? 0) + 1);
    if (isNarrow) tree.open();
    else hideTree(false);
  });

  useWindowKey(
    ({ ctrlKey, metaKey, shiftKey, code }) => (ctrlKey || metaKey) && shiftKey && code === 'KeyF',
    search,
  );

  const close = (path: string): void => {
    const next = open.close(path);
    setAddress({ file: next === configPath ? null : next }, false);
  };

  const goTo = useStable((problem: FileProblem): void => {
    tree.close();
    if (problem.path === file) showText();
    else choose(problem.path);
    setPane('editor');
    setGoal({ ...problem });
  });

  const language = useLanguage({ name, nodes, configPath, configText, drafts, onGo: goTo });

  const setView = useStable((view: View): void => setAddress({ view }, false));

  const setEditing = useStable((editing: Editing): void => setAddress({ editing }, false));

  const follow = useStable((action: FileAction): void => {
    onSaved();
    if (['create', 'upload', 'restore'].includes(action.kind)) choose(action.path);
    if (action.kind === 'move') {
      drafts.move(action.path, action.to);
      open.move(action.path, action.to);
      const moved = renamedPath(file, action.path, action.to);
      if (moved !== file) setAddress({ file: moved }, false);
    }
    if (action.kind === 'delete') {
      drafts.drop(action.path);
      close(action.path);
    }
  });

  const files =
    searchAt === null ? (
      <FileTree
        name={name}
        nodes={nodes}
        chosen={file}
        configPath={configPath}
        unsaved={unsaved}
        onChoose={choose}
        onDone={follow}
        onSearch={search}
      />
    ) : (
      <Suspense>
        <SearchPanel
          name={name}
          paths={paths}
          drafts={drafts.byPath}
          focusAt={searchAt}
          onOpen={(path, to) => goTo({ path, line: to, column: 1, message: '', severity: 'error' })}
          onClose={() => setSearchAt(null)}
        />
      </Suspense>
    );
  const isShown = (one: string): boolean => !isNarrow || pane === one;
  const isTreeShown = !isNarrow && !sizes.isTreeHidden;
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Title order={1} size="h3">
          {name}
        </Title>
        <WorkbenchActions
          name={name}
          configPath={configPath}
          ids={ids ?? NONE}
          params={checked?.params ?? NONE}
          missing={checked?.missing ?? NONE}
          values={params}
          hasDrafts={unsaved.size > 0}
        />
      </Group>
      {isNarrow && (
        <Group mb="xs" wrap="nowrap">
          <Button
            variant="default"
            size="compact-md"
            leftSection={<FolderTree size={16} />}
            onClick={tree.open}
          >
            Files
          </Button>
          <SegmentedControl
            size="xs"
            aria-label="Shown part"
            data={[
              { value: 'editor', label: 'Editor' },
              { value: 'preview', label: 'Preview' },
            ]}
            value={pane}
            onChange={setPane}
          />
        </Group>
      )}
      <div
        ref={grid}
        className="workbench"
        data-narrow={isNarrow || undefined}
        data-tree={isTreeShown || undefined}
        style={sizesStyle(sizes)}
      >
        {isTreeShown && (
          <>
            <div className="pane">{files}</div>
            <Separator
              pane="tree"
              label="Width of the files"
              size={sizes.tree}
              grid={grid}
              onResize={(size) => resize('tree', size)}
              onHide={() => hideTree(true)}
            />
          </>
        )}
        <section className="pane shared-pane" hidden={!isShown('editor')} aria-label="Editor">
          <Group gap={2} wrap="nowrap" className="tab-bar">
            {!isNarrow && (
              <TreeToggle isHidden={sizes.isTreeHidden} onToggle={() => hideTree(!sizes.isTreeHidden)} />
            )}
            <FileTabs tabs={open.tabs} shown={file} unsaved={unsaved} onShow={choose} onClose={close} />
          </Group>
          <div className="tab-panels">
            {open.mounted.map((path) => (
              <div
                key={path}
                role="tabpanel"
                id={tabIds(path).panel}
                aria-labelledby={tabIds(path).tab}
                className="tab-panel"
                inert={path !== file}
              >
                <OpenFile
                  name={name}
                  path={path}
                  isShown={path === file}
                  editing={path === configPath ? address.editing : null}
                  onEditing={setEditing}
                  drafts={drafts}
                  problems={path === file ? problems : NONE}
                  goal={goal?.path === path ? goal : null}
                  onGo={(problem) => goTo({ ...problem, path })}
                  onSaved={onSaved}
                  language={language.of(path)}
                />
              </div>
            ))}
          </div>
        </section>
        {!isNarrow && (
          <Separator
            pane="editor"
            label="Width of the editor"
            size={sizes.editor}
            grid={grid}
            onResize={(size) => resize('editor', size)}
          />
        )}
        <section className="pane shared-pane" hidden={!isShown('preview')} aria-label="Preview">
          {checked !== null && (
            <PreviewPane
              name={name}
              checked={checked}
              zone={zone}
              revision={revision}
              view={address.view}
              onView={setView}
              params={params}
              onParams={setParams}
              configPath={configPath}
              onProblems={setFound}
              onGo={goTo}
              files={draftTexts}
              unseen={unseen}
            />
          )}
        </section>
      </div>
      <Drawer opened={isTreeOpen} onClose={tree.close} title={name} size="18rem">
        {files}
      </Drawer>
      {language.dialog}
    </>
  );
};

/** Sizes of the columns for the style sheet. */
const sizesStyle = ({ tree, editor }: PaneSizes): CSSProperties =>
  ({ '--tree': `${tree}px`, '--editor': `${editor}fr`, '--preview': `${100 - editor}fr` }) as CSSProperties;

/** A generator directory on one screen: its files, the open one, and what the config makes. */
export default function Workbench({ name }: { readonly name: string }) {
  const tree = useQuery({
    queryKey: ['tree', name],
    queryFn: () => call('readGeneratorFileTree', { path: { name } }),
  });
  const path = useQuery({
    queryKey: ['config-path', name],
    queryFn: () => call('readGeneratorPath', { path: { name } }),
  });
  const generators = useQuery({ queryKey: ['generators'], queryFn: () => call('listGenerators') });
  const ids = useMemo(
    () => generators.data?.filter((one) => one.path === path.data).map(({ id }) => id) ?? null,
    [generators.data, path.data],
  );
  const error = tree.error ?? path.error;
  if (error !== null) return <ErrorNote title={`${name} cannot be opened`} error={error} />;
  if (tree.data === undefined || path.data === undefined) return <Loading />;
  return <Bench name={name} nodes={tree.data} configPath={path.data.slice(name.length + 1)} ids={ids} />;
}

/** The same function for the life of a component, which calls the latest one: what gets it need not render again. */
const useStable = <P extends readonly unknown[], R>(latest: (...given: P) => R): ((...given: P) => R) => {
  const held = useRef(latest);
  held.current = latest;
  return useCallback((...given: P) => held.current(...given), []);
};

const UTC = 'UTC';

const zoneOfSettings = async (): Promise<string> => {
  const settings: unknown = await call('readSettings');
  const generation = isJsonObject(settings) ? settings['generation'] : null;
  const zone = isJsonObject(generation) ? generation['timezone'] : null;
  return typeof zone === 'string' ? zone : UTC;
};

/** Returns the time zone of the first generator of a directory, else of the settings. Null when not known yet. */
const useConfigZone = (ids: readonly string[] | null): string | null => {
  const [id] = ids ?? [];
  const zone = useQuery({
    queryKey: ['zone', id ?? null],
    queryFn: async () =>
      id === undefined ? zoneOfSettings() : (await call('readGenerator', { path: { id } })).timezone,
    enabled: ids !== null,
    staleTime: 60_000,
  });
  return zone.isError ? UTC : (zone.data ?? null);
};
