// Files of the fleet: SVG and PNG of the picture, CSV of the devices. The SVG is built by DOM, so names are escaped.
import { csv } from '../lib/csv.ts';
import { DEVICE_HEADER, deviceLines } from './csv.ts';
import { pictureOf } from './picture.ts';
import type { FleetView } from './view.svelte.ts';

type Format = 'svg' | 'png' | 'csv';

const PNG_SCALE = 2;

export async function exportFleet(view: FleetView, format: Format): Promise<void> {
  const name = `berth-fleet-${view.model.time.replaceAll(':', '').replace(/\.\d+/, '')}.${format}`;
  switch (format) {
    case 'csv':
      save(name, new Blob([csv(DEVICE_HEADER, deviceLines(view.model))], { type: 'text/csv' }));
      break;
    case 'svg':
      save(name, svgBlob(pictureOf(view)));
      break;
    case 'png':
      save(name, await png(pictureOf(view)));
      break;
  }
}

function svgBlob(picture: SVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: 'image/svg+xml' });
}

async function png(picture: SVGElement): Promise<Blob> {
  const url = URL.createObjectURL(svgBlob(picture));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Number(picture.getAttribute('width')) * PNG_SCALE;
    canvas.height = Number(picture.getAttribute('height')) * PNG_SCALE;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large for PNG')))),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

function save(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
