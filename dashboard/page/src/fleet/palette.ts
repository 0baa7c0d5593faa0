// Colours of holders: a namespace keeps its colour in all views. Six namespaces have a colour, the others share grey.
import type { ClassRow, Holder, Shape } from '../lib/contract.ts';

export type ColorMode = 'state' | 'holder' | 'class';

const SLOTS = 6;

/** Assigns colours to namespaces in the order in which they come; those with most devices first at the start. */
export class NamespaceColors {
  readonly #slots = new Map<string, number>();

  /** Token of a namespace's colour: `h1` … `h6`, or `h0` when all are taken or the name is withheld. */
  token(namespace: string): string {
    if (namespace === '') {
      return 'h0';
    }
    let slot = this.#slots.get(namespace);
    if (slot === undefined) {
      slot = this.#slots.size < SLOTS ? this.#slots.size + 1 : 0;
      this.#slots.set(namespace, slot);
    }
    return `h${slot}`;
  }

  /** Gives colours to the namespaces of classes, those with most devices first. */
  assign(classes: readonly ClassRow[]): void {
    const totals = new Map<string, number>();
    for (const row of classes) {
      for (const [namespace, devices] of Object.entries(row.namespaces ?? {})) {
        totals.set(namespace, (totals.get(namespace) ?? 0) + devices);
      }
    }
    const order = [...totals].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    order.forEach(([namespace]) => this.token(namespace));
  }

  entries(): [string, string][] {
    return [...this.#slots].map(([namespace, slot]) => [namespace, `h${slot}`]);
  }
}

/** The colours of this page, shared by all views. */
export const namespaceColors = new NamespaceColors();

/** Colour of each class, by its place among the classes that have devices. */
export function classToken(classes: readonly ClassRow[], name: string | undefined): string {
  const index = classes.filter((row) => row.devices > 0).findIndex((row) => row.name === name);
  return index >= 0 && index < SLOTS ? `h${index + 1}` : 'h0';
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
      return namespaceColors.token(holder?.namespace ?? '');
    case 'class':
      return classToken(classes, shape.devices[position]?.classes?.[0]);
    default:
      return '';
  }
}
