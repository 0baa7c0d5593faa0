// What if: changes that a plan tries. Changes are in the URL; manifests are in session storage, since they can be long.
import { ApiError, post } from './api.ts';
import type { Shape } from './contract.ts';

export interface PlannedDevice {
  request: string;
  driver: string;
  pool: string;
  device: string;
}

export interface PlannedPod {
  namespace: string;
  name: string;
  node?: string;
  claims?: { name: string; allocatedBefore?: boolean; devices?: PlannedDevice[] }[];
  pending?: string;
  reasons?: { reason: string; nodes?: string[] }[];
}

export interface PlannedClass {
  class: string;
  devices: number;
  inUse: number;
  fits?: { size: string; scope?: string; now: number | 'unlimited'; profile?: string }[];
}

export interface PlanBody {
  rev?: string;
  plan: {
    fits: boolean;
    pods?: PlannedPod[];
    requestedClasses?: string[];
    utilisation?: { before?: PlannedClass[]; after?: PlannedClass[] };
    notes?: string[];
    addNodes?: { node: string; limit?: number; needed?: number };
  };
  moved?: { namespace: string; name: string; from: string; to?: string }[];
  ended?: string[];
  addedNodes?: { name: string; shape: number; of: string }[];
  shapes?: Shape[];
  command?: string;
}

/** Changes in the URL; lists are joined with commas, which no name of Kubernetes contains. */
export interface Changes {
  release: string[];
  tolerate: string[];
  remove: string[];
  add: string;
  addLimit: number;
  policy: string;
  replicas: number;
}

export function changesOf(query: Record<string, string>): Changes {
  const list = (name: string) => (query[name] ?? '').split(',').filter(Boolean);
  return {
    release: list('release'),
    tolerate: list('tolerate'),
    remove: list('remove'),
    add: query.add ?? '',
    addLimit: Number(query.limit ?? 0),
    policy: query.policy ?? '',
    replicas: Number(query.replicas ?? 1),
  };
}

export function queryOf(changes: Changes): Record<string, string | undefined> {
  const text = (list: string[]) => (list.length === 0 ? undefined : list.join(','));
  return {
    release: text(changes.release),
    tolerate: text(changes.tolerate),
    remove: text(changes.remove),
    add: changes.add || undefined,
    limit: changes.add && changes.addLimit > 0 ? String(changes.addLimit) : undefined,
    policy: changes.policy || undefined,
    replicas: changes.replicas > 1 ? String(changes.replicas) : undefined,
  };
}

export function isEmpty(changes: Changes, manifests: string): boolean {
  return Object.values(queryOf(changes)).every((value) => value === undefined) && manifests.trim() === '';
}

const MANIFESTS = 'berth-manifests';

class WhatIf {
  manifests = $state(sessionStorage.getItem(MANIFESTS) ?? '');
  result = $state.raw<PlanBody | undefined>(undefined);
  error = $state.raw<ApiError | undefined>(undefined);
  running = $state(false);
  #aborter: AbortController | undefined;
  #key = '';

  setManifests(text: string): void {
    this.manifests = text;
    sessionStorage.setItem(MANIFESTS, text);
  }

  clear(): void {
    this.#aborter?.abort();
    this.#key = '';
    this.result = undefined;
    this.error = undefined;
    this.running = false;
  }

  /** Plans the pod (or all pending pods) with the changes; a plan that still runs is cancelled. */
  async plan(changes: Changes, pod?: { namespace: string; name: string }): Promise<void> {
    const body = {
      ...(this.manifests.trim() === '' ? {} : { manifests: this.manifests, replicas: changes.replicas }),
      ...(pod ? { pod } : {}),
      ...(changes.release.length > 0 ? { release: changes.release } : {}),
      ...(changes.tolerate.length > 0 ? { tolerate: changes.tolerate } : {}),
      ...(changes.remove.length > 0 ? { removeNodes: changes.remove } : {}),
      ...(changes.add ? { addNodes: { node: changes.add, limit: changes.addLimit || 16 } } : {}),
      ...(changes.policy ? { policy: changes.policy } : {}),
    };
    const key = JSON.stringify(body);
    if (key === this.#key) {
      return;
    }
    this.#aborter?.abort();
    this.#key = key;
    const aborter = new AbortController();
    this.#aborter = aborter;
    this.running = true;
    try {
      const result = await this.#post(body, aborter.signal);
      if (this.#aborter === aborter) {
        this.result = result;
        this.error = undefined;
      }
    } catch (failure) {
      if (this.#aborter === aborter) {
        this.result = undefined;
        this.error = failure instanceof ApiError ? failure : new ApiError({ message: String(failure) });
      }
    } finally {
      if (this.#aborter === aborter) {
        this.running = false;
      }
    }
  }

  /** The server plans one at a time; a cancelled plan needs a moment to end. */
  async #post(body: unknown, signal: AbortSignal): Promise<PlanBody> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await post<PlanBody>('plan', body, signal);
      } catch (failure) {
        if (!(failure instanceof ApiError) || failure.reason !== 'Busy' || attempt === 20) {
          throw failure;
        }
        await new Promise((resume) => setTimeout(resume, 250));
      }
    }
  }
}

export const whatIf = new WhatIf();
