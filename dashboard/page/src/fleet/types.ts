// The interface between the shell of the page and the drawing of the fleet.
import type { NodeRow, PoolRow } from '../lib/contract.ts';
import type { FleetModel } from '../lib/model.ts';

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
}
