import { demand, type Frame, type Picture, PictureBytes } from './picture.ts'

const MARKER = 0xff
const END = 0xd9
const SCAN = 0xda
/** Progressive pictures have about ten; each costs the time of a whole picture. */
const MAX_SCANS = 100

/** Reads a JPEG segment by segment to its end; what lies between the markers of its scans is not decoded. */
export function readJpeg(image: Uint8Array): Picture {
  const bytes = new PictureBytes(image)
  bytes.take(2)
  let canvas: Frame | null = null
  let scans = 0
  for (;;) {
    const marker = readMarker(bytes)
    if (marker === END) break
    const length = bytes.big(2)
    demand(length >= 2)
    const segment = new PictureBytes(bytes.take(length - 2))
    if (isFrame(marker)) {
      demand(canvas === null)
      segment.take(1)
      const [height, width] = [segment.big(2), segment.big(2)]
      demand(width > 0 && height > 0 && [1, 3, 4].includes(segment.big(1)))
      canvas = { width, height }
    }
    if (marker === SCAN) {
      demand(canvas !== null && ++scans <= MAX_SCANS)
      skipScan(bytes)
    }
  }
  bytes.end()
  demand(canvas !== null && scans > 0)
  return { canvas, frames: [canvas], packed: [] }
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** Any number of filling bytes may stand before a marker. */
function readMarker(bytes: PictureBytes): number {
  demand(bytes.big(1) === MARKER)
  let marker = MARKER
  while (marker === MARKER) marker = bytes.big(1)
  // A second beginning would be another picture.
  demand(marker >= 0xc0 && marker !== 0xd8 && !isRestart(marker))
  return marker
}

/** To the next marker: in a scan, a byte of 0xff is followed by 0, and restarts belong to it. */
function skipScan(bytes: PictureBytes): void {
  const { bytes: all } = bytes
  const start = bytes.at
  for (;;) {
    const at = all.indexOf(MARKER, bytes.at)
    demand(at >= 0 && at + 1 < all.length)
    const next = all[at + 1] as number
    bytes.at = at
    if (next !== 0 && next !== MARKER && !isRestart(next)) break
    bytes.at = next === MARKER ? at + 1 : at + 2
  }
  demand(bytes.at > start)
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7
}
