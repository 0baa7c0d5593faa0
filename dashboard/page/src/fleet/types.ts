// The interface between the shell of the page and the drawing of the fleet.
import type { NodeRow, PoolRow } from '../lib/contract.ts';
import type { FleetModel } from '../lib/model.ts';
import type { ColorMode } from './palette.ts';

/** Props of Fleet.svelte, the view below the top bar. It reads and writes `router.query` itself. */
export interface FleetProps {
  model: FleetModel;
  /** No rings, no repaint while the user has paused. */
  paused: boolean;
  /** Result of a plan to draw on the stage (view `whatif`). */
  plan?: PlannedDevices;
}

/** Positions of planned devices by id of node or pool. */
export interface PlannedDevices {
  nodes: ReadonlyMap<number, ReadonlySet<number>>;
  pools: ReadonlyMap<number, ReadonlySet<number>>;
  /** Nodes that the plan adds; they are drawn after the others of their group. */
  added: readonly NodeRow[];
}

/** A device, a unit of partitions, or only the node, as it was picked in a tile. */
export interface Picked {
  row: NodeRow | PoolRow;
  /** Position of the device in the shape, or -1. */
  position: number;
  /** Position of the unit in the shape, or -1. */
  unit: number;
}

/** Props of Tile.svelte: one node or pool as SVG at detail L, for the stage, Pending and What if. */
export interface TileProps {
  model: FleetModel;
  row: NodeRow | PoolRow;
  /** With name and use above the picture; without it only the NUMA boxes. Default: true. */
  header?: boolean;
  /** Planned devices: soft fill, bold dashes. */
  planned?: ReadonlySet<number>;
  /** Devices that would do: a ring. */
  ringed?: ReadonlySet<number>;
  /** Width in pixels; the height follows. Default: 264. */
  width?: number;
  /** Name in the header instead of the row's (a stack: `h100x8-05…07`). */
  name?: string;
  /** Number of equal nodes that the tile stands for. Default: 1. */
  times?: number;
  /** Colour of devices in use. Default: by state. */
  color?: ColorMode;
  /** 1 = matches the filter, by position; the others fade. Absent: all match. */
  match?: Uint8Array;
  /** Position of the selected device, or of its unit. */
  selected?: { position: number; unit: number };
  /** Devices that changed a moment ago. */
  changed?: ReadonlySet<number>;
  /** Called on a click. Without it the tile is a picture only. */
  onpick?: (picked: Picked) => void;
}
