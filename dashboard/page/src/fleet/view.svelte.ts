// State of the Fleet view: options from the URL, frames and places, filter, changes. Places are computed anew only when
// the user or the window asks for it, so that events never move a tile.
import { untrack } from 'svelte';
import type { NodeRow, PoolRow, Shape } from '../lib/contract.ts';
import type { FleetModel, ModelChange } from '../lib/model.ts';
import { palette } from '../lib/palette.ts';
import { router } from '../lib/router.svelte.ts';
import type { Arrangement, Detail, PlacedTile } from './arrange.ts';
import { arrange, detailFor, NEW_FRAME } from './arrange.ts';
import { changedDevices, Ghosts, Rings } from './changes.ts';
import type { CelMatch, Filter } from './filter.ts';
import { isEmpty, matchRow, parseFilter } from './filter.ts';
import type { Frame } from './frames.ts';
import { appearance, framesOf, groupChoices, hasDevices } from './frames.ts';
import type { ColorMode } from './palette.ts';
import { namespaceTotals } from './palette.ts';
import { CATEGORIES } from './states.ts';
import type { PlannedDevices } from './types.ts';
import { countStates } from './words.ts';

type Row = NodeRow | PoolRow;

/** Answer of the server to a CEL filter. */
export interface CelAnswer {
  expression: string;
  nodes: CelMatch;
  pools: CelMatch;
  devices: number;
  errors: number;
  firstError: string;
}

const REARRANGE_SHARE = 0.2;
const DETAILS = ['S', 'M', 'L'];

export class FleetView {
  readonly model: FleetModel;
  plan = $state.raw<PlannedDevices | undefined>(undefined);
  paused = $state(false);
  width = $state(0);
  /** Changes when frames and places are to be computed anew. */
  structure = $state(0);
  /** Changes with every batch of events. */
  version = $state(0);
  /** Changes when a ring or ghost begins or ends. */
  marks = $state(0);
  folds = $state.raw<ReadonlyMap<string, boolean>>(new Map());
  unfolded = $state.raw<ReadonlySet<string>>(new Set());
  cel = $state.raw<CelAnswer | undefined>(undefined);
  /** Ids of nodes that came after the places were computed. */
  #added = $state.raw<readonly number[]>([]);
  #outOfPlace = $state.raw<ReadonlySet<string>>(new Set());
  readonly rings = new Rings();
  readonly ghosts = new Ghosts();
  /** Called with the rows that are to be drawn again; `undefined` = all. */
  onDirty: (ids: ReadonlySet<number> | undefined) => void = () => {};
  #seen = new Map<string, Row>();
  #matches = new Map<string, { row: Row; match: Uint8Array | undefined }>();
  #matchFilter: unknown;

  readonly query = $derived(router.query);
  readonly q = $derived(this.query['q'] ?? '');
  readonly filter: Filter = $derived(parseFilter(this.q));
  readonly filtering = $derived(!isEmpty(this.filter));
  readonly color = $derived<ColorMode>(
    this.query['color'] === 'holder' || this.query['color'] === 'class' ? this.query['color'] : 'state',
  );
  readonly groups = $derived.by(() => (void this.structure, untrack(() => groupChoices(this.model))));
  readonly group = $derived(
    this.groups.includes(this.query['group'] ?? '') ? this.query['group']! : this.groups[0]!,
  );
  readonly #stacked = $derived.by(() => this.#frames(true));
  readonly #tiles = $derived(
    this.#stacked.reduce(
      (sum, frame) => sum + frame.sections.reduce((all, section) => all + section.stacks.length, 0),
      0,
    ),
  );
  readonly detail: Detail = $derived(
    DETAILS.includes(this.query['detail'] ?? '') ? (this.query['detail'] as Detail) : detailFor(this.#tiles, this.width),
  );
  readonly stack = $derived(
    this.query['stack'] === undefined ? this.detail !== 'S' : this.query['stack'] === 'on',
  );
  readonly frames: Frame[] = $derived.by(() => (this.stack ? this.#stacked : this.#frames(false)));
  readonly #placedIds = $derived(new Set(this.frames.flatMap((frame) => frame.ids)));
  readonly newcomers = $derived([
    ...this.#added.filter((id) => !this.#placedIds.has(id)),
    ...(this.plan?.added.map((row) => row.id) ?? []),
  ]);
  readonly arrangement: Arrangement = $derived.by(() => this.#arrange());
  /** Tiles whose place no longer fits their state; "sort" puts them right. */
  readonly changes = $derived(this.#outOfPlace.size + this.newcomers.length);
  readonly counts: number[] = $derived.by(() => (void this.version, void this.structure, this.#count()));

  constructor(model: FleetModel) {
    this.model = model;
    this.#remember();
    palette.prepare(namespaceTotals(model.classes));
  }

  #frames(stack: boolean): Frame[] {
    void this.structure;
    const options = { group: this.group, stack, unfolded: this.unfolded };
    return untrack(() => framesOf(this.model, options));
  }

  #arrange(): Arrangement {
    const frames = [...this.frames];
    if (this.newcomers.length > 0) {
      const stacks = this.newcomers.map((id) => ({ key: `${id}`, ids: [id] }));
      const title = this.plan ? 'Added nodes' : 'New nodes';
      const ids = [...this.newcomers];
      frames.push({ key: NEW_FRAME, title, level: '', ids, sections: [{ key: NEW_FRAME, title: '', stacks }] });
    }
    void this.structure;
    const pools = untrack(() => [...this.model.pools.values()].filter((row) => row.state !== ''));
    return arrange(frames, { width: this.width, detail: this.detail, folds: this.folds, pools });
  }

  row(tile: PlacedTile): Row | undefined {
    const id = tile.ids.find((each) => this.model.nodes.has(each)) ?? tile.ids[0]!;
    return tile.pool ? this.model.pools.get(id) : this.node(id);
  }

  node(id: number): NodeRow | undefined {
    return (
      this.model.nodes.get(id) ?? this.ghosts.get(id) ?? this.plan?.added.find((each) => each.id === id)
    );
  }

  isGhost(tile: PlacedTile): boolean {
    return !tile.pool && tile.ids.every((id) => !this.model.nodes.has(id)) && this.ghosts.get(tile.ids[0]!) !== undefined;
  }

  shape(row: Row): Shape {
    return this.model.shapeOf(row);
  }

  planned(row: Row, pool: boolean): ReadonlySet<number> | undefined {
    return (pool ? this.plan?.pools : this.plan?.nodes)?.get(row.id);
  }

  /** Devices of a row that match the filter; undefined = all. */
  match(row: Row, pool: boolean): Uint8Array | undefined {
    const answer = this.filter.cel !== '' && this.cel?.expression === this.filter.cel ? this.cel : undefined;
    if (!this.filtering) {
      return undefined;
    }
    const basis = `${this.q} ${answer ? 1 : 0} ${this.version}`;
    if (this.#matchFilter !== basis) {
      this.#matchFilter = basis;
      this.#matches.clear();
    }
    const key = keyOf(row, pool);
    let known = this.#matches.get(key);
    if (!known || known.row !== row) {
      const cel = answer && (pool ? answer.pools : answer.nodes);
      known = { row, match: matchRow(this.filter, this.model, row, cel) };
      this.#matches.set(key, known);
    }
    return known.match;
  }

  /** Applies the next arrangement: stacks, order and new nodes as they are now. */
  sort(): void {
    this.#added = [];
    this.#outOfPlace = new Set();
    this.structure++;
  }

  fold(key: string, folded: boolean): void {
    this.folds = new Map([...this.folds, [key, folded]]);
  }

  unfold(key: string): void {
    this.unfolded = new Set([...this.unfolded, key]);
  }

  /** Follows one batch of events. */
  follow(change: ModelChange): void {
    palette.prepare(namespaceTotals(this.model.classes));
    if (change.all) {
      this.#remember();
      this.sort();
      this.version++;
      this.onDirty(undefined);
      return;
    }
    const now = performance.now();
    const fresh: number[] = [];
    for (const id of change.nodes) {
      const row = this.model.nodes.get(id);
      if (row) {
        this.#compare(row, false, now);
        if (!this.#placedIds.has(id) && !this.#added.includes(id) && hasDevices(this.model, row)) {
          fresh.push(id);
        }
      }
    }
    for (const id of change.pools) {
      const row = this.model.pools.get(id);
      if (row) {
        this.#compare(row, true, now);
      }
    }
    for (const row of change.removedNodes) {
      this.#seen.delete(keyOf(row, false));
      this.ghosts.add(row, now);
    }
    this.#place(fresh, change);
    this.version++;
    this.onDirty(new Set([...change.nodes, ...change.removedNodes.map((row) => row.id)]));
  }

  #place(fresh: number[], change: ModelChange): void {
    const added = this.#added.length + fresh.length;
    const pools = [...change.pools].some((id) => !this.arrangement.tiles.some((tile) => tile.pool && tile.ids[0] === id));
    if (added > Math.max(1, this.#placedIds.size * REARRANGE_SHARE) || pools) {
      this.sort();
      return;
    }
    if (fresh.length > 0) {
      this.#added = [...this.#added, ...fresh];
    }
    const changed = new Set([...change.nodes, ...change.removedNodes.map((row) => row.id)]);
    const places = new Map([...this.#outOfPlace].map((key) => [key, true]));
    for (const tile of this.arrangement.tiles) {
      if (!tile.pool && tile.ids.some((id) => changed.has(id))) {
        places.set(tile.key, !this.#isInPlace(tile));
      }
    }
    this.#outOfPlace = new Set([...places].filter(([, out]) => out).map(([key]) => key));
  }

  #isInPlace(tile: PlacedTile): boolean {
    const rows = tile.ids.map((id) => this.model.nodes.get(id));
    if (rows.some((row) => row === undefined)) {
      return false;
    }
    return rows.length === 1 || new Set(rows.map((row) => appearance(this.model, row!))).size === 1;
  }

  #compare(row: Row, pool: boolean, now: number): void {
    const key = keyOf(row, pool);
    const before = this.#seen.get(key);
    this.#seen.set(key, row);
    if (before && !this.paused && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.rings.add(key, changedDevices(before, row), now);
    }
  }

  /** Ends rings and ghosts that are over. */
  expire(): void {
    if (this.rings.size + this.ghosts.size === 0) {
      return;
    }
    const now = performance.now();
    const rings = this.rings.expire(now);
    const nodes = rings.filter((key) => !key.startsWith('pool')).map(Number);
    const ids = new Set([...nodes, ...this.ghosts.expire(now)]);
    if (rings.length + ids.size > 0) {
      this.marks++;
      this.onDirty(ids);
    }
  }

  #remember(): void {
    this.#seen.clear();
    this.model.nodes.forEach((row) => this.#seen.set(keyOf(row, false), row));
    this.model.pools.forEach((row) => this.#seen.set(keyOf(row, true), row));
  }

  #count(): number[] {
    const counts = CATEGORIES.map(() => 0);
    this.model.nodes.forEach((row) => countStates(this.model.shapeOf(row), row, counts));
    this.model.pools.forEach((row) => countStates(this.model.shapeOf(row), row, counts));
    return counts;
  }
}

export function keyOf(row: { id: number }, pool: boolean): string {
  return pool ? `pool ${row.id}` : `${row.id}`;
}
