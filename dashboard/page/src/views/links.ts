// Links to the pages of objects.
import { href } from '../lib/router.svelte.ts';
import type { DeviceId } from '../lib/tables.ts';

export function claimLink(namespace: string, name: string): string {
  return href(['claims', namespace, name]);
}

export function podLink(namespace: string, pod: string): string {
  return href(['pending', namespace, pod]);
}

export function gangLink(namespace: string, name: string): string {
  return href(['gangs', namespace, name]);
}

export function deviceLink(id: DeviceId): string {
  return href(['devices', id.driver, id.pool, id.device]);
}

/** Fleet with a filter. */
export function fleetLink(filter: string): string {
  return href(['fleet'], { q: filter });
}

/** The page of `driver/pool/device`, as explanations write devices; a pool name may contain slashes. */
export function deviceIdOf(text: string): DeviceId {
  const first = text.indexOf('/');
  const last = text.lastIndexOf('/');
  return { driver: text.slice(0, first), pool: text.slice(first + 1, last), device: text.slice(last + 1) };
}
