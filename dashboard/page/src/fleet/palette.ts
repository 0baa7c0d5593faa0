// Colours of devices in use: by state, by the holder's namespace, or by class.
import type { ClassRow, Holder, Shape } from '../lib/contract.ts';
import { palette } from '../lib/palette.ts';

export type ColorMode = 'state' | 'holder' | 'class';

const COLOURS = 6;

/** Token of a namespace's colour: `h1` … `h6`, or `h0` for the others and for names that are withheld. */
export function namespaceToken(namespace: string): string {
  return `h${palette.of(namespace)}`;
}

/** Devices in use by namespace over all classes, most first. */
export function namespaceTotals(classes: readonly ClassRow[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const row of classes) {
    for (const [namespace, devices] of Object.entries(row.namespaces ?? {})) {
      totals.set(namespace, (totals.get(namespace) ?? 0) + devices);
    }
  }
  return new Map([...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}

/** Colour of each class, by its place among the classes that have devices. */
export function classToken(classes: readonly ClassRow[], name: string | undefined): string {
  const index = classes.filter((row) => row.devices > 0).findIndex((row) => row.name === name);
  return index >= 0 && index < COLOURS ? `h${index + 1}` : 'h0';
}

/** Colour of a device in use, or '' for the colour of its state. */
export function colorOf(
  mode: ColorMode,
  classes: readonly ClassRow[],
  shape: Shape,
  position: number,
  holder: Holder | undefined,
): string {
  switch (mode) {
    case 'holder':
      return namespaceToken(holder?.namespace ?? '');
    case 'class':
      return classToken(classes, shape.devices[position]?.classes?.[0]);
    default:
      return '';
  }
}
