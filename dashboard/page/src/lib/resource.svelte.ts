// A resource of the data API that a view shows. While it is read again, the old data stay.
import { ApiError, getWhenLoaded, type Query } from './api.ts';

export class Resource<T> {
  data = $state.raw<T | undefined>(undefined);
  error = $state.raw<ApiError | undefined>(undefined);
  loading = $state(false);
  #current = '';
  #aborter: AbortController | undefined;

  /** Reads the resource. Data of another address are dropped first. */
  async load(address: string, query: Query = {}, keep = false): Promise<void> {
    const key = keep ? address : address + JSON.stringify(query);
    this.#aborter?.abort();
    const aborter = new AbortController();
    this.#aborter = aborter;
    if (key !== this.#current) {
      this.data = undefined;
      this.error = undefined;
    }
    this.#current = key;
    this.loading = true;
    try {
      const data = await getWhenLoaded<T>(address, query, () => {}, aborter.signal);
      if (this.#aborter === aborter) {
        this.data = data;
        this.error = undefined;
      }
    } catch (failure) {
      if (this.#aborter === aborter) {
        this.error =
          failure instanceof ApiError ? failure : new ApiError({ message: String(failure) });
      }
    } finally {
      if (this.#aborter === aborter) {
        this.loading = false;
      }
    }
  }

  stop(): void {
    this.#aborter?.abort();
  }
}
