import {
  ActionIcon,
  Alert,
  AppShell,
  Burger,
  Button,
  Container,
  Group,
  Indicator,
  NavLink,
  Progress,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import {
  Building2,
  CircleHelp,
  Globe,
  KeyRound,
  LayoutList,
  ListStart,
  LogOut,
  Moon,
  Network,
  PanelLeftClose,
  PanelLeftOpen,
  Plus,
  ScrollText,
  Send,
  Settings,
  Siren,
  Sun,
  UsersRound,
  WifiOff,
} from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut } from '../api/client.js';
import { useConnection, useUnwell } from '../api/live.js';
import { useReturn } from '../api/useReturn.js';
import '../parts/loading.css';
import { shownCount } from '../parts/numbers.js';
import { useCluster } from '../parts/useCluster.js';
import { type KeyPlace, Keys } from './Keys.js';
import { Palette } from './Palette.js';
import { useMay, useSignedIn } from './role.js';
import { titleOf } from './titles.js';

const ColorSwitch = () => {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={isDark ? 'Use light colors' : 'Use dark colors'}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <Sun size={18} /> : <Moon size={18} />}
    </ActionIcon>
  );
};

/** What the roles below admin may do. */
const LIMITED: Readonly<Record<string, string>> = {
  read: 'You can look at everything and change nothing.',
  operate: 'You can start, stop and steer generators, and change no files or settings.',
};

const SignOut = () => {
  const client = useQueryClient();
  const signedIn = useSignedIn();
  if (signedIn === null) return null;
  const { user, role } = signedIn;
  const limit = LIMITED[role];
  const leave = (): void => {
    void signOut().finally(() => client.resetQueries());
  };
  return (
    <>
      {limit !== undefined && (
        <Text size="sm" title={limit}>
          {user}: {role}
        </Text>
      )}
      <ActionIcon variant="default" size="lg" aria-label={`Sign out ${user}`} onClick={leave}>
        <LogOut size={18} />
      </ActionIcon>
    </>
  );
};

/** Says that what is shown is old, without hiding it. */
const Connection = () => {
  const connection = useConnection();
  const client = useQueryClient();
  // What failed meanwhile is asked for again.
  useReturn(connection, () => void client.invalidateQueries());
  if (connection !== 'lost') return null;
  return (
    <Alert color="yellow" icon={<WifiOff size={18} />} mb="md" role="status">
      The connection to the service is lost. The numbers are old; they update once the service answers.
    </Alert>
  );
};

const ICON = new URL('./icon.svg', import.meta.url).href;
const FAILING_ICON = new URL('./icon-failing.svg', import.meta.url).href;

/** Names the page in the tab, and how many generators are failing; the icon shows that some are. */
const TabLabel = ({ path }: { readonly path: string }) => {
  const { failing } = useUnwell();
  const title = titleOf(path, failing);
  const icon = failing === 0 ? ICON : FAILING_ICON;
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    document.querySelector('link[rel=icon]')?.setAttribute('href', icon);
  }, [icon]);
  return null;
};

/** How many generators are not well; each number leads to those generators. */
const Unwell = ({ isSmall, onChosen }: Pick<PlacesProps, 'isSmall' | 'onChosen'>) => {
  const unwell = useUnwell();
  return (['failing', 'degraded'] as const)
    .filter((health) => unwell[health] > 0)
    .map((health) => {
      const label = `${shownCount(unwell[health])} ${health}`;
      return (
        <Tooltip key={health} label={label} position="right" disabled={!isSmall}>
          <NavLink
            component={Link}
            href={`/?only=${health}`}
            className={`unwell ${health}`}
            label={isSmall ? shownCount(unwell[health]) : label}
            {...(isSmall ? { 'aria-label': label } : {})}
            onClick={onChosen}
          />
        </Tooltip>
      );
    });
};

/** Shows that a page waits for its first answer. */
const Waiting = () => {
  const waiting = useIsFetching({ predicate: ({ state }) => state.status === 'pending' });
  if (waiting === 0) return null;
  return <Progress className="progress" value={100} animated size={3} radius={0} aria-label="Loading" />;
};

const PLACES = [
  { href: '/', letter: 'g', label: 'Generators', icon: LayoutList, owns: ['/', '/r', '/g', '/new'] },
  { href: '/s', letter: 's', label: 'Scenarios', icon: Globe, owns: ['/s'] },
  { href: '/incidents', letter: 'i', label: 'Incidents', icon: Siren, owns: ['/incidents'] },
  { href: '/worlds', letter: 'w', label: 'Worlds', icon: Building2, owns: ['/worlds'] },
  { href: '/destinations', letter: 'd', label: 'Destinations', icon: Send, owns: ['/destinations'] },
  { href: '/startup', letter: 't', label: 'Startup', icon: ListStart, owns: ['/startup'] },
  { href: '/cluster', letter: 'c', label: 'Cluster', icon: Network, owns: ['/cluster'] },
  { href: '/secrets', letter: 'k', label: 'Secrets', icon: KeyRound, owns: ['/secrets'] },
  { href: '/settings', letter: 'o', label: 'Settings', icon: Settings, owns: ['/settings'] },
  { href: '/users', letter: 'u', label: 'Users and tokens', icon: UsersRound, owns: ['/users'] },
  { href: '/audit', letter: 'a', label: 'Audit log', icon: ScrollText, owns: ['/audit'] },
  { href: '/help', letter: 'h', label: 'Help', icon: CircleHelp, owns: ['/help'] },
] as const;

type Place = (typeof PLACES)[number];

/** The pages; that of the cluster only if there is one, and the audit log only for those who may read it. */
const usePlaces = (): readonly Place[] => {
  const hasCluster = useCluster().data?.enabled === true;
  const mayReadAudit = useMay('readAudit') === true;
  return useMemo(
    () =>
      PLACES.filter(({ href }) => {
        if (href === '/cluster') return hasCluster;
        return href !== '/audit' || mayReadAudit;
      }),
    [hasCluster, mayReadAudit],
  );
};

interface PlacesProps {
  readonly places: readonly Place[];
  readonly path: string;
  /** Icons with tooltips instead of labels. */
  readonly isSmall: boolean;
  readonly onChosen: () => void;
}

const Places = ({ places, path, isSmall, onChosen }: PlacesProps) => {
  const first = `/${path.split('/')[1] ?? ''}`;
  return places.map(({ href, label, icon: Icon, owns }) => {
    const isHere = owns.some((place) => place === first);
    const link = (
      <Tooltip key={href} label={label} position="right" disabled={!isSmall}>
        <NavLink
          component={Link}
          href={href}
          {...(isSmall ? { label: null, 'aria-label': label } : { label })}
          leftSection={<Icon size={18} />}
          active={isHere}
          {...(isHere ? { 'aria-current': 'page' as const } : {})}
          onClick={onChosen}
        />
      </Tooltip>
    );
    return href === '/' ? [link, <Unwell key="unwell" isSmall={isSmall} onChosen={onChosen} />] : link;
  });
};

interface MenuProps {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** The button of the menu on narrow screens. It shows that generators are failing, which the menu counts. */
const Menu = ({ isOpen, onToggle }: MenuProps) => {
  const { failing } = useUnwell();
  const name = isOpen ? 'Close the menu' : 'Open the menu';
  return (
    <Indicator color="red" size={10} offset={4} disabled={failing === 0} hiddenFrom="md">
      <Burger
        opened={isOpen}
        onClick={onToggle}
        size="sm"
        aria-label={failing === 0 ? name : `${name}: ${shownCount(failing)} failing`}
      />
    </Indicator>
  );
};

/** Widths of the navigation. */
const WIDE = 200;
const SMALL = 60;

/** Whether the navigation shows only icons, as this browser remembers; never on narrow screens, where it is a menu. */
const useSmallNavigation = () => {
  const [isSmall, setIsSmall] = useLocalStorage({
    key: 'spate:small-navigation',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const isMenu = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  return { isSmall: isSmall && !isMenu, toggle: () => setIsSmall(!isSmall) };
};

/** Pages of data take all the width; those to read and to fill in do not. */
const OF_DATA = /^\/($|(r|g|s|incidents|worlds)\/|cluster|audit)/;

const NEW: KeyPlace = { href: '/new', label: 'New generator', letter: 'n' };

/** For the keyboard: the first thing that takes the focus leads over the menu. */
const SkipButton = () => (
  <button type="button" className="skip" onClick={() => document.getElementById('content')?.focus()}>
    Skip to the content
  </button>
);

/**
 * On a new page the keyboard begins at its content if what had the focus went with the former page. Inside of what
 * waits for the code of pages: the former page goes once the next one is loaded.
 */
export const PageFocus = () => {
  const [path] = useLocation();
  const former = useRef(path);
  useEffect(() => {
    if (former.current === path) return;
    former.current = path;
    if (document.activeElement === document.body)
      document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);
  return null;
};

export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const [path] = useLocation();
  const places = usePlaces();
  const keyPlaces = useMemo((): readonly KeyPlace[] => [...places, NEW], [places]);
  const [isOpen, menu] = useDisclosure(false);
  const { isSmall, toggle } = useSmallNavigation();
  const toggleLabel = isSmall ? 'Show the names of the pages' : 'Show only icons';
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: isSmall ? SMALL : WIDE, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <Keys places={keyPlaces} />
      <AppShell.Header px="md">
        <SkipButton />
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Menu isOpen={isOpen} onToggle={menu.toggle} />
            <Link href="/" className="brand" aria-label="Spate, overview">
              <img src={ICON} width={24} height={24} alt="" />
              Spate
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            {path !== '/new' && (
              <>
                <Button
                  component={Link}
                  href="/new"
                  leftSection={<Plus size={16} />}
                  size="compact-md"
                  visibleFrom="sm"
                >
                  New generator
                </Button>
                <ActionIcon component={Link} href="/new" size="lg" aria-label="New generator" hiddenFrom="sm">
                  <Plus size={18} />
                </ActionIcon>
              </>
            )}
            <Palette places={places} />
            <ColorSwitch />
            <SignOut />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label="Main">
        <AppShell.Section grow className="places" data-small={isSmall || undefined}>
          <Places places={places} path={path} isSmall={isSmall} onChosen={menu.close} />
        </AppShell.Section>
        <AppShell.Section visibleFrom="md">
          <Tooltip label={toggleLabel} position="right">
            <ActionIcon variant="subtle" color="gray" size="lg" aria-label={toggleLabel} onClick={toggle}>
              {isSmall ? <PanelLeftOpen size={18} /> : <PanelLeftClose size={18} />}
            </ActionIcon>
          </Tooltip>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <TabLabel path={path} />
        <Waiting />
        <Container size="xl" fluid={OF_DATA.test(path)} px={0}>
          <Connection />
          {children}
        </Container>
      </AppShell.Main>
    </AppShell>
  );
};
