// Planned devices of a plan as positions in rows of the model.
import type { NodeRow } from './contract.ts';
import type { FleetModel } from './model.ts';
import type { PlannedDevices } from '../fleet/types.ts';
import type { PlanBody, PlannedPod } from './whatif.svelte.ts';

/** Rows of added nodes have negative ids, which the server never uses. */
export function plannedDevices(model: FleetModel, body: PlanBody): PlannedDevices {
  const added: NodeRow[] = (body.addedNodes ?? []).map((each, index) => ({
    id: -1 - index,
    name: each.name,
    shape: each.shape,
    state: '.'.repeat(model.shapes.get(each.shape)?.devices.length ?? 0),
  }));
  const nodes = new Map<number, Set<number>>();
  const pools = new Map<number, Set<number>>();
  for (const pod of body.plan.pods ?? []) {
    for (const [row, positions] of positionsOf(model, pod, added)) {
      const target = 'driver' in row ? pools : nodes;
      const all = target.get(row.id) ?? new Set<number>();
      positions.forEach((position) => all.add(position));
      target.set(row.id, all);
    }
  }
  return { nodes, pools, added };
}

type Row = ReturnType<FleetModel['find']> extends infer P ? (P extends { row: infer R } ? R : never) : never;

/** Positions of the devices that the plan gives to a pod, by row. Devices that the pod has already are left out. */
export function positionsOf(
  model: FleetModel,
  pod: PlannedPod,
  added: readonly NodeRow[] = [],
): Map<Row, Set<number>> {
  const found = new Map<Row, Set<number>>();
  for (const claim of pod.claims ?? []) {
    for (const device of claim.allocatedBefore ? [] : (claim.devices ?? [])) {
      const place = placeOf(model, device, added);
      if (place) {
        const positions = found.get(place.row) ?? new Set<number>();
        found.set(place.row, positions.add(place.position));
      }
    }
  }
  return found;
}

function placeOf(
  model: FleetModel,
  id: { driver: string; pool: string; device: string },
  added: readonly NodeRow[],
): { row: Row; position: number } | undefined {
  for (const row of added) {
    const position = model.positionOf(row, id.driver, id.pool, id.device);
    if (position >= 0) {
      return { row, position };
    }
  }
  return model.find(id.driver, id.pool, id.device);
}
