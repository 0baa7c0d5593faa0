// Questions about shapes that both the pictures and the words ask.
import type { CapacityShape, DeviceShape } from '../lib/contract.ts';
import { named } from '../lib/model.ts';

const BARS_MAX = 3;

/** Whether a device can be shared by amounts. */
export function isShared(device: DeviceShape): boolean {
  return (device.capacities?.length ?? 0) > 0;
}

/** The capacities that have a bar; the panel lists the others. */
export function barsOf(device: DeviceShape): readonly CapacityShape[] {
  return (device.capacities ?? []).slice(0, BARS_MAX);
}

/** Name of a unit without the words that drivers put after the device's name: `gpu-0` of `gpu-0-counter-set`. */
export function unitName(unit: { name: string }, row: { name: string }): string {
  return named(unit.name, row.name).replace(/-(counter-set|counters|counter|mutex)$/, '');
}

/** Name of a device on a node. */
export function shortName(device: { name: string }, row: { name: string }): string {
  return named(device.name, row.name);
}
