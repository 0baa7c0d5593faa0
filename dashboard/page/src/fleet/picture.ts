// The fleet as one SVG element with title, time, filter and legend; colours are those of the page at this moment.
import type { Holder, PoolRow } from '../lib/contract.ts';
import type { PlacedTile } from './arrange.ts';
import { HEAD_HEIGHT, layoutOf } from './layout.ts';
import { CanvasColors } from './paint.ts';
import { colorOf } from './palette.ts';
import { patternDefs, svgElement } from './patterns.ts';
import { networkScene } from './scene-network.ts';
import type { Prim, Scene } from './scene.ts';
import { devicePrims, FADED, sceneOf } from './scene.ts';
import { primElement } from './svg.ts';
import type { Resolve } from './svg.ts';
import type { Rects } from './small.ts';
import { addNode, emptyPicture } from './small.ts';
import { CATEGORIES } from './states.ts';
import type { FleetView } from './view.svelte.ts';
import { grouped, stackName, textWidth } from './words.ts';

const MARGIN = 16;
const TOP = 56;
const FOOT = 40;
const LEGEND_MIN = 1180;

export function pictureOf(view: FleetView): SVGElement {
  const colors = new CanvasColors(document.documentElement);
  const resolve: Resolve = (token) =>
    token === 'none' ? token : token.startsWith('#') ? `url(#berth-${token.slice(1)})` : colors.color(token);
  const { arrangement } = view;
  const width = Math.max(LEGEND_MIN, view.width + 2 * MARGIN);
  const height = arrangement.height + TOP + FOOT;
  const title = `${view.model.cluster}: ${grouped(view.model.nodes.size)} nodes`;
  const stage = svgElement('g', { transform: `translate(${MARGIN} ${TOP})` }, ...framesOf(view, resolve));
  arrangement.tiles.forEach((tile) => stage.append(tileOf(view, tile, resolve)));
  return svgElement(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': colors.color('sans') },
    svgElement('title', {}, title),
    patternDefs(resolve),
    svgElement('rect', { width, height, fill: resolve('bg') }),
    label(MARGIN, 26, title, 15, resolve('ink'), 600),
    label(MARGIN, 44, [view.model.time, view.q].filter(Boolean).join('   filter: '), 11, resolve('ink-2')),
    stage,
    legendOf(view, resolve, height - FOOT + 14, width),
  );
}

function label(x: number, y: number, value: string, size: number, fill: string, weight = 400): SVGElement {
  return svgElement('text', { x, y, 'font-size': size, 'font-weight': weight, fill }, value);
}

function framesOf(view: FleetView, resolve: Resolve): SVGElement[] {
  return view.arrangement.frames.flatMap((frame) => {
    const box = { x: frame.x + 0.5, y: frame.y + 0.5, width: frame.w - 1, height: frame.h - 1 };
    const y = frame.y + (frame.detail === 'S' ? 12 : 17);
    return [
      svgElement('rect', { ...box, rx: 8, fill: 'none', stroke: resolve('line-2') }),
      label(frame.x + 7, y, frame.title, frame.detail === 'S' ? 10.5 : 12, resolve('ink'), 600),
    ];
  });
}

function tileOf(view: FleetView, tile: PlacedTile, resolve: Resolve): SVGElement {
  const row = view.row(tile);
  const group = svgElement('g', { transform: `translate(${tile.x} ${tile.y})` });
  if (!row) {
    return group;
  }
  const { model } = view;
  const shape = view.shape(row);
  const color = (at: number): string => colorOf(view.color, model.classes, shape, at, model.holdersOf(row, at)[0]);
  const match = view.match(row, tile.pool);
  const holders = (at: number): Holder[] => model.holdersOf(row, at);
  const planned = view.planned(row, tile.pool);
  if (tile.pool) {
    const pool = row as PoolRow;
    const nodes = (pool.reach ?? []).flatMap((id) => view.node(id) ?? []);
    const scene = networkScene({ shape, row: pool, nodes, planned, match, selected: -1, changed: undefined, color, holders });
    appendScene(group, group, scene, tile, (prims) => prims.map((prim) => primElement(prim, resolve)), resolve);
    return group;
  }
  if (tile.detail === 'S') {
    const picture = emptyPicture();
    addNode(picture, { shape, row, planned, color }, 0, 0);
    const faded = match !== undefined && !match.includes(1);
    group.setAttribute('opacity', faded ? `${FADED}` : '1');
    [picture.ground, picture.outlines, picture.inner, picture.fills].forEach((rects) => group.append(rectsOf(rects, resolve)));
    return group;
  }
  const names = tile.ids.map((id) => view.node(id)?.name ?? '');
  const name = tile.ids.length > 1 ? stackName(names) : row.name;
  const scene = sceneOf({
    shape,
    layout: layoutOf(shape),
    row,
    header: tile.detail === 'L',
    name,
    times: tile.ids.length,
    planned,
    ringed: undefined,
    changed: undefined,
    match,
    selected: undefined,
    color,
    holders,
  });
  const half = tile.detail === 'M';
  const inner = svgElement('g', half ? { transform: `translate(0 ${18 - HEAD_HEIGHT / 2}) scale(0.5)` } : {});
  const shown = (prims: readonly Prim[]): SVGElement[] =>
    prims.filter((prim) => !half || prim.t !== 'text').map((prim) => primElement(prim, resolve));
  appendScene(group, inner, scene, tile, shown, resolve);
  if (half) {
    group.append(label(4, 13, name, 10.5, resolve('ink'), 600));
  }
  return group;
}

/** Appends the ground of a tile and its scene. */
function appendScene(
  group: SVGElement,
  inner: SVGElement,
  scene: Scene,
  tile: PlacedTile,
  shown: (prims: readonly Prim[]) => SVGElement[],
  resolve: Resolve,
): void {
  const ground = { width: tile.w, height: tile.h, rx: 6, fill: resolve('surface'), stroke: resolve('line') };
  group.append(svgElement('rect', ground));
  inner.append(...shown(scene.back));
  for (const mark of scene.marks) {
    const title = svgElement('title', {}, mark.title);
    inner.append(svgElement('g', mark.faded ? { opacity: FADED } : {}, title, ...shown(mark.prims)));
  }
  if (inner !== group) {
    group.append(inner);
  }
}

function rectsOf(rects: Rects, resolve: Resolve): SVGElement {
  const group = svgElement('g', {});
  for (const [token, list] of rects) {
    let d = '';
    for (let i = 0; i < list.length; i += 4) {
      const [x, y, w, h] = list.slice(i, i + 4).map((each) => Math.round(each * 100) / 100) as [number, number, number, number];
      d += `M${x} ${y}h${w}v${h}h${-w}z`;
    }
    group.append(svgElement('path', { d, fill: resolve(token) }));
  }
  return group;
}

/** Entries of the legend that the width holds, in the order of the page. */
function legendOf(view: FleetView, resolve: Resolve, y: number, width: number): SVGElement {
  const group = svgElement('g', {});
  let x = MARGIN;
  CATEGORIES.forEach((category, i) => {
    const count = view.counts[i] ?? 0;
    const text = `${category.label} ${grouped(count)}`;
    const room = 40 + textWidth(text, 12);
    if (count > 0 && x + room <= width) {
      const box = { x, y, w: 16, h: 14, radius: 2 };
      group.append(...devicePrims(box, category.sample, '', '').map((prim) => primElement(prim, resolve)));
      group.append(label(x + 22, y + 11, text, 12, resolve('ink-2')));
      x += room;
    }
  });
  return group;
}
