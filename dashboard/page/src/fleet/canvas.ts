// The canvas of the stage: tiles at detail S and M inside a window of the stage, drawn whole when the window moves and
// tile by tile when nodes change.
import type { NodeRow, PoolRow } from '../lib/contract.ts';
import type { Arrangement, PlacedTile } from './arrange.ts';
import { inWindow, SIZES } from './arrange.ts';
import { HEAD_HEIGHT, layoutOf } from './layout.ts';
import { CanvasColors, paintPrim, paintSmall } from './paint.ts';
import { colorOf } from './palette.ts';
import type { Scene } from './scene.ts';
import { FADED, sceneOf } from './scene.ts';
import { addNode, emptyPicture } from './small.ts';
import { isTainted } from './states.ts';
import type { FleetView } from './view.svelte.ts';
import { keyOf } from './view.svelte.ts';
import { clipped, stackName, useOf } from './words.ts';

const HALF = 0.5;
const MEDIUM_HEAD = 18;
const GHOST_ALPHA = 0.35;
/** Rings and the edges of stacks reach beyond their tile. */
const EDGE = 6;

export class StageCanvas {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #view: FleetView;
  #colors: CanvasColors;
  #top = 0;
  #bottom = 0;
  #scenes = new Map<string, { row: NodeRow | PoolRow; scene: Scene }>();
  #sceneBasis = '';

  constructor(canvas: HTMLCanvasElement, view: FleetView) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d', { alpha: true })!;
    this.#view = view;
    this.#colors = new CanvasColors(canvas);
  }

  /** Reads the colours of the theme again; the next draw uses them. */
  renewColors(): void {
    this.#colors = new CanvasColors(this.#canvas);
  }

  /** Draws all tiles between two heights of the stage. */
  draw(arrangement: Arrangement, width: number, from: number, to: number): void {
    const ratio = devicePixelRatio;
    const height = Math.max(0, to - from);
    const pixels = [Math.round(width * ratio), Math.round(height * ratio)] as const;
    if (this.#canvas.width !== pixels[0] || this.#canvas.height !== pixels[1]) {
      this.#canvas.width = pixels[0];
      this.#canvas.height = pixels[1];
      this.#canvas.style.setProperty('width', `${width}px`);
      this.#canvas.style.setProperty('height', `${height}px`);
    }
    this.#window(from, to);
    this.#context.clearRect(0, from, width, height);
    this.#drawTiles(inWindow(arrangement.tiles, from, to).filter((tile) => tile.detail !== 'L'));
  }

  /** Moves the window: keeps what both windows show, draws only tiles that come into view. */
  scroll(arrangement: Arrangement, width: number, from: number, to: number): void {
    const [oldFrom, oldTo] = [this.#top, this.#bottom];
    const sameSize = Math.round((to - from) * devicePixelRatio) === this.#canvas.height;
    if (!sameSize || from >= oldTo || to <= oldFrom) {
      this.draw(arrangement, width, from, to);
      return;
    }
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = 'copy';
    context.drawImage(this.#canvas, 0, Math.round((oldFrom - from) * devicePixelRatio));
    context.globalCompositeOperation = 'source-over';
    this.#window(from, to);
    const fresh = inWindow(arrangement.tiles, from, to).filter(
      (tile) => tile.detail !== 'L' && (tile.y - EDGE < oldFrom || tile.y + tile.h + EDGE > oldTo),
    );
    fresh.forEach((tile) => context.clearRect(tile.x - 2, tile.y - 2, tile.w + EDGE, tile.h + EDGE));
    this.#drawTiles(fresh);
  }

  #window(from: number, to: number): void {
    const ratio = devicePixelRatio;
    this.#canvas.style.setProperty('top', `${from}px`);
    this.#top = from;
    this.#bottom = to;
    this.#context.setTransform(ratio, 0, 0, ratio, 0, -from * ratio);
  }

  /** Draws the tiles of changed nodes again. */
  drawDirty(arrangement: Arrangement, ids: ReadonlySet<number>): void {
    const dirty = inWindow(arrangement.tiles, this.#top, this.#bottom).filter(
      (tile) => tile.detail !== 'L' && !tile.pool && tile.ids.some((id) => ids.has(id)),
    );
    for (const tile of dirty) {
      this.#context.clearRect(tile.x - 1, tile.y - 1, tile.w + 2, tile.h + 2);
    }
    this.#drawTiles(dirty);
  }

  #drawTiles(tiles: readonly PlacedTile[]): void {
    const plain = emptyPicture();
    const faded = emptyPicture();
    const outlined: PlacedTile[] = [];
    const basis = `${this.#view.color} ${this.#view.q} ${this.#view.plan === undefined}`;
    if (basis !== this.#sceneBasis) {
      this.#sceneBasis = basis;
      this.#scenes.clear();
    }
    for (const tile of tiles) {
      const row = this.#view.row(tile);
      if (!row) {
        continue;
      }
      if (tile.detail === 'M') {
        this.#drawMedium(tile, row);
        continue;
      }
      const match = this.#view.match(row, tile.pool);
      const shape = this.#view.shape(row);
      const planned = this.#view.planned(row, tile.pool);
      const input = { shape, row, planned, color: (at: number) => this.#color(row, at) };
      addNode(match !== undefined && !match.includes(1) ? faded : plain, input, tile.x, tile.y);
      if (this.#view.rings.get(keyOf(row, tile.pool)) || this.#view.isGhost(tile)) {
        outlined.push(tile);
      }
    }
    paintSmall(this.#context, this.#colors, plain, false);
    paintSmall(this.#context, this.#colors, faded, true);
    outlined.forEach((tile) => this.#outline(tile, this.#view.isGhost(tile)));
  }

  #color(row: NodeRow | PoolRow, position: number): string {
    const mode = this.#view.color;
    if (mode === 'state') {
      return '';
    }
    const model = this.#view.model;
    const holder = mode === 'holder' ? model.holdersOf(row, position)[0] : undefined;
    return colorOf(mode, model.classes, model.shapeOf(row), position, holder);
  }

  #outline(tile: PlacedTile, dashed: boolean): void {
    const context = this.#context;
    context.strokeStyle = this.#colors.color('ink');
    context.lineWidth = 1.5;
    context.setLineDash(dashed ? [3, 2] : []);
    context.strokeRect(tile.x - 0.5, tile.y - 0.5, tile.w + 1, tile.h + 1);
    context.setLineDash([]);
  }

  #scene(tile: PlacedTile, row: NodeRow | PoolRow): Scene {
    const key = keyOf(row, tile.pool);
    const known = this.#scenes.get(key);
    const changed = this.#view.rings.get(key);
    if (known?.row === row && changed === undefined) {
      return known.scene;
    }
    const shape = this.#view.shape(row);
    const scene = sceneOf({
      shape,
      layout: layoutOf(shape),
      row,
      header: false,
      name: '',
      times: tile.ids.length,
      planned: this.#view.planned(row, tile.pool),
      ringed: undefined,
      changed,
      match: this.#view.match(row, tile.pool),
      selected: undefined,
      color: (at) => this.#color(row, at),
      holders: () => [],
    });
    if (changed === undefined) {
      this.#scenes.set(key, { row, scene });
    }
    return scene;
  }

  #drawMedium(tile: PlacedTile, row: NodeRow | PoolRow): void {
    const context = this.#context;
    const colors = this.#colors;
    context.globalAlpha = this.#view.isGhost(tile) ? GHOST_ALPHA : 1;
    for (let edge = Math.min(2, tile.ids.length - 1); edge >= 0; edge--) {
      context.fillStyle = colors.color(edge === 0 ? 'line' : 'line-2');
      context.fillRect(tile.x + edge * 2, tile.y + edge * 2, tile.w, tile.h);
      context.fillStyle = colors.color('surface');
      context.fillRect(tile.x + edge * 2 + 1, tile.y + edge * 2 + 1, tile.w - 2, tile.h - 2);
    }
    this.#mediumHead(tile, row);
    context.save();
    context.translate(tile.x, tile.y + MEDIUM_HEAD - HEAD_HEIGHT * HALF);
    context.scale(HALF, HALF);
    const scene = this.#scene(tile, row);
    scene.back.forEach((prim) => prim.t !== 'text' && paintPrim(context, colors, prim));
    const alpha = context.globalAlpha;
    for (const mark of scene.marks) {
      for (const prim of mark.prims) {
        context.globalAlpha = (mark.faded ? FADED : (prim.alpha ?? 1)) * alpha;
        if (prim.t !== 'text') {
          paintPrim(context, colors, prim);
        }
      }
    }
    context.restore();
    context.globalAlpha = 1;
  }

  #mediumHead(tile: PlacedTile, row: NodeRow | PoolRow): void {
    const context = this.#context;
    const use = useOf(this.#view.shape(row), row);
    const number = use.share >= 0 ? `${Math.round(use.share * 100)}%` : `${use.used}/${use.total}`;
    const names = tile.ids.map((id) => this.#view.node(id)?.name ?? '');
    const name = names.length > 1 ? stackName(names) : row.name;
    const count = names.length > 1 ? ` ×${names.length}` : '';
    const flags = 'flags' in row ? (row.flags ?? []) : [];
    const bad = flags.includes('NotReady') || [...row.state].some((letter) => isTainted(letter));
    const sans = this.#colors.color('sans');
    const middle = tile.y + 13;
    context.textAlign = 'right';
    context.font = `400 10px ${sans}`;
    context.fillStyle = this.#colors.color(bad ? 'taint' : 'ink-3');
    const right = `${bad ? '! ' : ''}${number}`;
    context.fillText(right, tile.x + SIZES.M.w - 4, middle);
    const room = SIZES.M.w - 14 - context.measureText(right).width;
    context.textAlign = 'left';
    context.font = `600 10.5px ${sans}`;
    context.fillStyle = this.#colors.color('ink');
    context.fillText(clipped(name + count, 10.5, room), tile.x + 4, middle);
  }
}
