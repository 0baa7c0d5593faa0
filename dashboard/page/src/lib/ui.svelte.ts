// State of the page that is in no URL: theme, notes, the time, the object that is shown as YAML.
import { SvelteMap } from 'svelte/reactivity';

const THEME = 'berth-theme';
const NOTE_MILLIS = 2500;
const ANNOUNCE_MILLIS = 10_000;

export interface ObjectId {
  kind: string;
  namespace: string;
  name: string;
}

class Ui {
  theme = $state<'light' | 'dark'>('light');
  /** A short message that confirms an action. */
  note = $state('');
  /** Text of the polite live region. */
  announcement = $state('');
  helpOpen = $state(false);
  object = $state.raw<ObjectId | undefined>(undefined);
  /** The time in milliseconds, once per second. */
  now = $state(Date.now());
  readonly #waiting = new SvelteMap<string, string>();
  #announcedAt = 0;
  #noteTimer = 0;
  #announceTimer = 0;

  start(): void {
    const system = matchMedia('(prefers-color-scheme: dark)');
    const stored = localStorage.getItem(THEME);
    this.#show(stored === 'light' || stored === 'dark' ? stored : system.matches ? 'dark' : 'light');
    system.addEventListener('change', () => {
      if (localStorage.getItem(THEME) === null) {
        this.#show(system.matches ? 'dark' : 'light');
      }
    });
    setInterval(() => {
      // A hidden page needs no clock; the first tick after it is shown again brings it up to date.
      if (!document.hidden) {
        this.now = Date.now();
      }
    }, 1000);
  }

  toggleTheme(): void {
    const next = this.theme === 'light' ? 'dark' : 'light';
    localStorage.setItem(THEME, next);
    this.#show(next);
  }

  #show(theme: 'light' | 'dark'): void {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
  }

  say(note: string): void {
    this.note = note;
    clearTimeout(this.#noteTimer);
    this.#noteTimer = window.setTimeout(() => (this.note = ''), NOTE_MILLIS);
  }

  /** Tells screen readers, at most every ten seconds; a later text of the same topic replaces an earlier one. */
  announce(topic: string, text: string): void {
    this.#waiting.set(topic, text);
    if (this.#announceTimer === 0) {
      const wait = Math.max(0, this.#announcedAt + ANNOUNCE_MILLIS - Date.now());
      this.#announceTimer = window.setTimeout(() => {
        this.announcement = [...this.#waiting.values()].join('. ');
        this.#waiting.clear();
        this.#announcedAt = Date.now();
        this.#announceTimer = 0;
      }, wait);
    }
  }

  async copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`${what} copied`);
    } catch {
      this.say(`the browser does not allow copying; ${what.toLowerCase()}: ${text}`);
    }
  }
}

export const ui = new Ui();
