// The registry of keys: each view registers its keys while it is shown; `?` lists them.

export interface KeyBinding {
  /** One key (`/`, `Escape`, `ArrowLeft`) or a sequence with spaces (`g f`). */
  keys: string;
  /** What it does, for the list of keys. */
  help: string;
  /** Heading in the list of keys. */
  section: string;
  run: (event: KeyboardEvent) => void;
  /** Also while a text field has the focus. */
  inFields?: boolean;
}

const SEQUENCE_MILLIS = 1200;

export class KeyRegistry {
  readonly #bindings: KeyBinding[] = [];
  #prefix = '';
  #prefixAt = 0;

  /** Adds keys; returns the function that removes them. Later ones win over earlier ones. */
  register(...bindings: KeyBinding[]): () => void {
    this.#bindings.push(...bindings);
    return () => {
      for (const binding of bindings) {
        const at = this.#bindings.indexOf(binding);
        if (at >= 0) {
          this.#bindings.splice(at, 1);
        }
      }
    };
  }

  list(): readonly KeyBinding[] {
    return this.#bindings;
  }

  handle(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    // A dialog has the browser's own keys, above all Escape.
    if (document.querySelector('dialog[open]') !== null) {
      return;
    }
    const inField = isField(event.target);
    const continued = event.timeStamp - this.#prefixAt < SEQUENCE_MILLIS ? this.#prefix : '';
    this.#prefix = '';
    const typed = continued === '' ? event.key : `${continued} ${event.key}`;
    const found = this.#bindings.findLast(
      (binding) => binding.keys === typed && (!inField || binding.inFields === true),
    );
    if (found) {
      event.preventDefault();
      found.run(event);
    } else if (!inField && this.#bindings.some((each) => each.keys.startsWith(`${typed} `))) {
      this.#prefix = typed;
      this.#prefixAt = event.timeStamp;
    }
  }
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  return target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select');
}

export const keys = new KeyRegistry();
