// The selected device, unit or node as text in the URL: `DRIVER/POOL/DEVICE`, or `node//NAME` and `pool//NAME`.
import type { NodeRow, PoolRow } from '../lib/contract.ts';
import type { FleetModel } from '../lib/model.ts';
import { named } from '../lib/model.ts';
import type { Picked } from './types.ts';

/** A selection that exists. */
export interface Selected {
  row: NodeRow | PoolRow;
  pool: boolean;
  position: number;
  unit: number;
}

export function selectionOf(model: FleetModel, picked: Picked, pool: boolean): string {
  const shape = model.shapeOf(picked.row);
  const device = shape.units?.[picked.unit] ?? shape.devices[picked.position];
  if (!device) {
    return `${pool ? 'pool' : 'node'}//${picked.row.name}`;
  }
  const { name } = picked.row;
  return `${device.driver}/${named(device.pool, name)}/${named(device.name, name)}`;
}

export function findSelected(model: FleetModel, selection: string): Selected | undefined {
  const [driver, pool, ...rest] = selection.split('/');
  const device = rest.join('/');
  if (!driver || device === '') {
    return undefined;
  }
  if (pool === '') {
    const rows = driver === 'pool' ? model.pools : model.nodes;
    const row = [...rows.values()].find((each) => each.name === device);
    return row && { row, pool: driver === 'pool', position: -1, unit: -1 };
  }
  // Pool names may have slashes: the device is the text after the last one.
  const last = selection.lastIndexOf('/');
  const poolName = selection.slice(driver.length + 1, last);
  const deviceName = selection.slice(last + 1);
  const place = model.find(driver, poolName, deviceName);
  if (place) {
    const { row, position, shape } = place;
    const isFrame = (model.shapeOf(row).units ?? []).findIndex((unit) => unit.frame === position);
    return { row, pool: place.pool, position, unit: isFrame >= 0 ? isFrame : (shape.unit ?? -1) };
  }
  return findUnit(model, driver, poolName, deviceName);
}

function findUnit(model: FleetModel, driver: string, pool: string, name: string): Selected | undefined {
  for (const [rows, ofPool] of [[model.nodes, false], [model.pools, true]] as const) {
    for (const row of rows.values()) {
      const unit = (model.shapeOf(row).units ?? []).findIndex(
        (each) =>
          each.driver === driver && named(each.pool, row.name) === pool && named(each.name, row.name) === name,
      );
      if (unit >= 0) {
        return { row, pool: ofPool, position: -1, unit };
      }
    }
  }
  return undefined;
}
