// What a batch of events changed in the picture: rings of devices, ghosts of removed nodes, tiles that are out of place.
import type { NodeRow, PoolRow } from '../lib/contract.ts';

export const RING_MILLIS = 1200;
export const GHOST_MILLIS = 5000;
/** More changed devices than this in a second get no rings. */
export const RINGS_MAX = 200;

/** Positions whose state or holder differs between two rows of one node. */
export function changedDevices(before: NodeRow | PoolRow, after: NodeRow | PoolRow): number[] {
  if (before.shape !== after.shape) {
    return [];
  }
  const changed = new Set<number>();
  for (let i = 0; i < after.state.length; i++) {
    if (before.state[i] !== after.state[i]) {
      changed.add(i);
    }
  }
  const holders = (row: NodeRow | PoolRow): Set<string> => {
    const found = new Set<string>();
    const holds = row.holds ?? [];
    for (let i = 0; i + 2 < holds.length; i += 3) {
      for (let device = holds[i]!; device < holds[i]! + holds[i + 1]!; device++) {
        found.add(`${device} ${holds[i + 2]}`);
      }
    }
    return found;
  };
  const first = holders(before);
  const second = holders(after);
  for (const each of [...first, ...second]) {
    if (first.has(each) !== second.has(each)) {
      changed.add(Number(each.split(' ')[0]));
    }
  }
  return [...changed];
}

interface Ring {
  positions: Set<number>;
  until: number;
}

/** Rings around devices that changed a moment ago, by key of the row. */
export class Rings {
  readonly #rings = new Map<string, Ring>();
  #second = 0;
  #count = 0;

  /** Adds rings at a time; none when too many devices change in one second. */
  add(key: string, positions: readonly number[], now: number): void {
    if (now - this.#second >= 1000) {
      this.#second = now;
      this.#count = 0;
    }
    this.#count += positions.length;
    if (this.#count > RINGS_MAX) {
      this.#rings.clear();
      return;
    }
    if (positions.length > 0) {
      const known = this.#rings.get(key);
      const all = new Set([...(known?.positions ?? []), ...positions]);
      this.#rings.set(key, { positions: all, until: now + RING_MILLIS });
    }
  }

  get(key: string): ReadonlySet<number> | undefined {
    return this.#rings.get(key)?.positions;
  }

  /** Removes rings that are over; returns their keys. */
  expire(now: number): string[] {
    const over = [...this.#rings].filter(([, ring]) => ring.until <= now).map(([key]) => key);
    over.forEach((key) => this.#rings.delete(key));
    return over;
  }

  get size(): number {
    return this.#rings.size;
  }
}

/** Removed nodes that are still drawn, dashed, so that the eye can follow. */
export class Ghosts {
  readonly #rows = new Map<number, { row: NodeRow; until: number }>();

  add(row: NodeRow, now: number): void {
    this.#rows.set(row.id, { row, until: now + GHOST_MILLIS });
  }

  get(id: number): NodeRow | undefined {
    return this.#rows.get(id)?.row;
  }

  expire(now: number): number[] {
    const over = [...this.#rows].filter(([, ghost]) => ghost.until <= now).map(([id]) => id);
    over.forEach((id) => this.#rows.delete(id));
    return over;
  }

  get size(): number {
    return this.#rows.size;
  }
}
