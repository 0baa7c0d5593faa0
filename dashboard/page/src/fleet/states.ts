// The letters of device states (docs/dashboard-api.md) and how each looks: fill, outline and a second channel beside colour.

/** A group of letters with one entry in the legend and one word for `state:`. */
export interface Category {
  word: string;
  label: string;
  letters: string;
  /** The letter that is drawn in the legend. */
  sample: string;
}

export const CATEGORIES: readonly Category[] = [
  { word: 'free', label: 'Free', letters: '.', sample: '.' },
  { word: 'use', label: 'In use', letters: '#o', sample: '#' },
  { word: 'partly', label: 'Partly used', letters: '~', sample: '~' },
  { word: 'blocked', label: 'Blocked by a partition', letters: '%', sample: '%' },
  { word: 'held', label: 'Held for a gang or pod', letters: 'h', sample: 'h' },
  { word: 'attaching', label: 'Being attached', letters: 'a', sample: 'a' },
  { word: 'tainted', label: 'Tainted, unhealthy', letters: 'xXu', sample: 'x' },
  { word: 'usetainted', label: 'In use and tainted', letters: '!EU', sample: '!' },
  { word: 'unknown', label: 'Not published, unknown', letters: '-_?', sample: '?' },
];

export const PLANNED = 'P';

const WORDS: Readonly<Record<string, string>> = {
  '.': 'free',
  '#': 'in use',
  '~': 'partly used',
  '%': 'blocked by a partition',
  h: 'held',
  a: 'being attached',
  o: 'in use',
  '-': 'not usable, its pool is incomplete',
  x: 'tainted',
  X: 'tainted NoExecute',
  '!': 'in use, tainted',
  E: 'in use, tainted NoExecute',
  u: 'unhealthy',
  U: 'in use, unhealthy',
  _: 'not known whether in use',
  '?': 'not published',
  [PLANNED]: 'planned',
};

const CATEGORY_OF = new Map(
  CATEGORIES.flatMap((category, i) => [...category.letters].map((letter) => [letter, i] as const)),
);

/** Index in CATEGORIES; letters of later versions are unknown. */
export function categoryOf(letter: string): number {
  return CATEGORY_OF.get(letter) ?? CATEGORIES.length - 1;
}

/** Letters that `state:WORD` selects: those of all categories and states whose words begin so. */
export function lettersOf(word: string): string {
  const wanted = word.toLowerCase().replace(/[^a-z]/g, '');
  const found = CATEGORIES.filter((category) => category.word.startsWith(wanted));
  const exact = found.filter((category) => category.word === wanted);
  const letters = (exact.length > 0 ? exact : found).flatMap((category) => [...category.letters]);
  if (letters.length > 0) {
    return letters.join('');
  }
  const described = Object.entries(WORDS).filter(([, text]) => text.replace(/[^a-z]/gi, '').includes(wanted));
  return described.map(([letter]) => letter).join('');
}

export function describeState(letter: string): string {
  return WORDS[letter] ?? `state ${letter}`;
}

/** Whether a holder has the device, so that it counts as used. */
export function isUsed(letter: string): boolean {
  return letter !== '' && '#o~!EU'.includes(letter);
}

export function isTainted(letter: string): boolean {
  return letter !== '' && 'xXuE!U'.includes(letter);
}

/** A colour token, or a pattern. */
export type Paint = string;

export interface Look {
  fill: Paint;
  stroke: Paint;
  strokeWidth: number;
  dash: string;
  /** Colour of the label in the box; '' = no label. */
  ink: Paint;
  mark: '' | 'cross' | 'notch' | 'question';
}

const PLAIN = { strokeWidth: 1, dash: '', mark: '' } as const;
const GHOST: Look = { ...PLAIN, fill: 'none', stroke: 'free-b', dash: '2.5 2', ink: '', mark: 'question' };

const LOOKS: Readonly<Record<string, Look>> = {
  '.': { ...PLAIN, fill: 'free', stroke: 'free-b', ink: 'ink-2' },
  '#': { ...PLAIN, fill: 'use', stroke: 'use', ink: 'on-use' },
  '~': { ...PLAIN, fill: 'free', stroke: 'use', ink: 'ink-2' },
  '%': { ...PLAIN, fill: '#hatch', stroke: 'block-b', ink: '' },
  h: { ...PLAIN, fill: '#dots', stroke: 'held-b', ink: 'on-held' },
  a: { ...PLAIN, fill: '#stripes', stroke: 'attach-b', dash: '3 2', ink: '' },
  x: { ...PLAIN, fill: 'bad-bg', stroke: 'taint', ink: '', mark: 'cross' },
  X: { ...PLAIN, fill: 'bad-bg', stroke: 'taint', strokeWidth: 2.4, ink: '', mark: 'cross' },
  '!': { ...PLAIN, fill: 'use', stroke: 'use', ink: 'on-use', mark: 'notch' },
  E: { ...PLAIN, fill: 'use', stroke: 'taint', strokeWidth: 2.4, ink: 'on-use', mark: 'notch' },
  '-': GHOST,
  _: GHOST,
  '?': GHOST,
  [PLANNED]: { ...PLAIN, fill: 'use-soft', stroke: 'use', strokeWidth: 1.8, dash: '4 2.5', ink: 'ink' },
};

const SAME: Readonly<Record<string, string>> = { o: '#', u: 'x', U: '!' };

/** Look of a state; `color` replaces the blue of devices in use (holder or class colours). */
export function lookOf(letter: string, color = ''): Look {
  const look = LOOKS[SAME[letter] ?? letter] ?? GHOST;
  if (color === '' || look.fill !== 'use') {
    return color !== '' && letter === '~' ? { ...look, stroke: color } : look;
  }
  const stroke = look.stroke === 'use' ? color : look.stroke;
  return { ...look, fill: color, stroke, ink: `on-${color}` };
}
