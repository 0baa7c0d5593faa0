// Colours of holders: a namespace keeps its colour in all views while the page is open.

const COLOURS = 6;

export class Palette {
  readonly #colours = new Map<string, number>();

  /** Gives the colours 1…6 to the largest namespaces first, so that those that matter have one. */
  prepare(devicesByNamespace: ReadonlyMap<string, number>): void {
    const sorted = [...devicesByNamespace].sort((a, b) => b[1] - a[1] || compare(a[0], b[0]));
    for (const [namespace] of sorted) {
      this.of(namespace);
    }
  }

  /** The colour of a namespace: 1…6, or 0 for all others. */
  of(namespace: string): number {
    if (namespace === '') {
      return 0;
    }
    const known = this.#colours.get(namespace);
    if (known !== undefined) {
      return known;
    }
    const next = this.#colours.size < COLOURS ? this.#colours.size + 1 : 0;
    this.#colours.set(namespace, next);
    return next;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export const palette = new Palette();
