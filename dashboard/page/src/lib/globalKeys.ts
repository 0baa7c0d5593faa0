// Keys that work in every view.
import { keys } from './keys.ts';
import { live } from './live.svelte.ts';
import { href, router } from './router.svelte.ts';
import { ui } from './ui.svelte.ts';

const VIEWS: [string, string, string][] = [
  ['f', 'fleet', 'Fleet'],
  ['p', 'pending', 'Pending'],
  ['u', 'use', 'Use'],
  ['g', 'gangs', 'Gangs'],
  ['c', 'claims', 'Claims'],
  ['l', 'classes', 'Classes'],
  ['s', 'slices', 'Slices'],
  ['d', 'drivers', 'Drivers'],
  ['q', 'quotas', 'Quotas'],
];

export function copyLink(): void {
  void ui.copy(location.href, 'Link');
}

export function registerGlobalKeys(): () => void {
  const section = 'Everywhere';
  return keys.register(
    {
      keys: '/',
      section,
      help: 'find',
      run: () => document.querySelector<HTMLInputElement>('[data-find]')?.focus(),
    },
    {
      keys: 'Escape',
      section,
      help: 'leave the field',
      inFields: true,
      run: () => (document.activeElement as HTMLElement | null)?.blur(),
    },
    { keys: '?', section, help: 'these keys', run: () => (ui.helpOpen = !ui.helpOpen) },
    { keys: 'l', section, help: 'copy a link to this view', run: copyLink },
    { keys: 'd', section, help: 'light or dark', run: () => ui.toggleTheme() },
    { keys: 'p', section, help: 'pause, go on', run: () => live.pause(!live.paused) },
    ...VIEWS.map(([key, view, name]) => ({
      keys: `g ${key}`,
      section: 'Go to',
      help: name,
      run: () => router.go(href([view])),
    })),
  );
}
