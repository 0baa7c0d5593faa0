// The live connection: one EventSource for all tabs of a browser. The tab that holds the Web Lock reads the stream and
// passes events on by BroadcastChannel, since HTTP/1.1 allows six connections per host.
import { ApiError, getWhenLoaded } from './api.ts';
import type { ChangeBody, FleetBody, Progress } from './contract.ts';
import { FleetModel } from './model.ts';

export type Phase = 'loading' | 'live' | 'cutOff' | 'noSession' | 'failed';

/** Events that the stream carries, as they are passed between tabs. */
interface Passed {
  type: string;
  data: string;
}

const GATHER_MILLIS = 100;
const RETRY_MILLIS = 1000;
const NAMES = ['change', 'sample', 'status', 'pending', 'resync', 'end'];

export class Live {
  readonly model = new FleetModel();
  phase = $state<Phase>('loading');
  progress = $state.raw<Progress>({});
  error = $state.raw<ApiError | undefined>(undefined);
  /** Time of the last sign of life of the stream, in milliseconds. */
  heardAt = $state(0);
  clusterMessage = $state('');
  paused = $state(false);
  /** Numbers that change when the model, the list of pending pods or the history changed. */
  version = $state(0);
  pendingVersion = $state(0);
  sampleVersion = $state(0);
  #gathered: ChangeBody[] = [];
  #timer = 0;
  #flushedAt = 0;
  #channel: BroadcastChannel | undefined;
  #source: EventSource | undefined;

  /** Reads the fleet, then follows its changes until the page is closed. */
  async start(): Promise<void> {
    this.#channel = new BroadcastChannel('berth-live');
    this.#channel.onmessage = (message: MessageEvent<Passed>) => this.#receive(message.data);
    if (await this.#read()) {
      this.#lead();
    }
  }

  pause(paused: boolean): void {
    this.paused = paused;
    if (!paused) {
      this.#flush();
    }
  }

  async #read(): Promise<boolean> {
    try {
      const report = (progress: Progress) => (this.progress = progress);
      const body = await getWhenLoaded<FleetBody>('fleet', {}, report);
      this.model.load(body);
      this.phase = 'live';
      this.error = undefined;
      this.heardAt = Date.now();
      this.version++;
      this.pendingVersion++;
      this.#flush();
      return true;
    } catch (failure) {
      this.#fail(failure);
      return false;
    }
  }

  #fail(failure: unknown): void {
    const error = failure instanceof ApiError ? failure : new ApiError({ message: String(failure) });
    this.error = error;
    this.phase = error.reason === 'NoSession' ? 'noSession' : this.model.rev === '' ? 'failed' : 'cutOff';
  }

  /** Waits for the lock, which ends with the tab that holds it, then opens the stream. */
  #lead(): void {
    // Only pages of a secure context have locks; without them each tab has a stream of its own.
    if (!('locks' in navigator)) {
      this.#connect();
      return;
    }
    void navigator.locks.request('berth-live', () => {
      this.#connect();
      return new Promise(() => {});
    });
  }

  #connect(): void {
    const source = new EventSource(`/ui/api/events?from=${encodeURIComponent(this.model.rev)}`);
    this.#source = source;
    source.onopen = () => this.#pass({ type: 'open', data: '' });
    source.onerror = () => {
      this.#pass({ type: 'cut', data: '' });
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(() => this.#reconnect(), RETRY_MILLIS);
      }
    };
    for (const name of NAMES) {
      source.addEventListener(name, (event) =>
        this.#pass({ type: name, data: (event as MessageEvent<string>).data }),
      );
    }
  }

  async #reconnect(): Promise<void> {
    this.#source?.close();
    if (await this.#read()) {
      this.#connect();
      this.#channel?.postMessage({ type: 'resync', data: '' });
    } else if (this.phase !== 'noSession') {
      setTimeout(() => this.#reconnect(), RETRY_MILLIS);
    }
  }

  #pass(passed: Passed): void {
    this.#channel?.postMessage(passed);
    this.#receive(passed);
  }

  #receive(passed: Passed): void {
    if (passed.type === 'cut' || passed.type === 'end') {
      if (this.phase === 'live') {
        this.phase = 'cutOff';
        this.heardAt = Date.now();
      }
      return;
    }
    this.heardAt = Date.now();
    if (this.phase === 'cutOff') {
      this.phase = 'live';
    }
    switch (passed.type) {
      case 'change':
        this.#gather(JSON.parse(passed.data) as ChangeBody);
        break;
      case 'sample':
        this.sampleVersion++;
        break;
      case 'pending':
        this.pendingVersion++;
        break;
      case 'resync':
        void this.#read();
        break;
      case 'status': {
        const status = JSON.parse(passed.data) as { connected: boolean; message?: string };
        this.clusterMessage = status.connected ? '' : (status.message ?? 'the cluster does not respond');
        break;
      }
    }
  }

  /** Applies the first change at once, and those of the next 100 ms together. */
  #gather(change: ChangeBody): void {
    this.#gathered.push(change);
    if (!this.paused && this.#timer === 0) {
      const wait = Math.max(0, this.#flushedAt + GATHER_MILLIS - performance.now());
      this.#timer = window.setTimeout(() => this.#flush(), wait);
    }
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const changes = this.#gathered;
    this.#gathered = [];
    this.#flushedAt = performance.now();
    if (changes.length === 0) {
      return;
    }
    const apply = () => {
      this.model.apply(changes);
      this.version++;
    };
    // A hidden page has no frames; it stays up to date without them.
    if (document.hidden) {
      apply();
    } else {
      requestAnimationFrame(apply);
    }
  }
}

export const live = new Live();
