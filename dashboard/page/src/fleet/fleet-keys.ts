// Keys of the Fleet view, for the registry that `?` lists.
import type { KeyBinding } from '../lib/keys.ts';
import { router } from '../lib/router.svelte.ts';
import type { FleetView } from './view.svelte.ts';

const SECTION = 'Fleet';
const DETAILS = ['S', 'M', 'L'];
const COLORS = ['state', 'holder', 'class'];

export function fleetKeys(view: FleetView, find: () => void): KeyBinding[] {
  const bind = (keys: string, help: string, run: () => void): KeyBinding => ({
    keys,
    help,
    section: SECTION,
    run,
  });
  const zoom = (by: number): void => {
    const next = DETAILS[DETAILS.indexOf(view.detail) + by];
    if (next) {
      router.set({ detail: next });
    }
  };
  const color = (): void => {
    const next = COLORS[(COLORS.indexOf(view.color) + 1) % COLORS.length]!;
    router.set({ color: next === 'state' ? undefined : next });
  };
  return [
    bind('/', 'find', find),
    bind('+', 'more detail', () => zoom(1)),
    bind('-', 'less detail', () => zoom(-1)),
    bind('s', 'stack equal nodes', () => router.set({ stack: view.stack ? 'off' : 'on' })),
    bind('c', 'next colour', color),
    bind('t', 'table instead of the picture', () =>
      router.set({ as: router.query['as'] === 'table' ? undefined : 'table' }),
    ),
    bind('Escape', 'close the panel', () => router.set({ sel: undefined })),
  ];
}
