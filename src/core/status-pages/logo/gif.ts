import { demand, type Frame, type Picture, PictureBytes } from './picture.ts'

const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b
const MAX_CODES = 4_096

/** Reads a GIF block by block, and follows the codes of each frame to its last pixel. */
export function readGif(image: Uint8Array): Picture {
  const bytes = new PictureBytes(image)
  bytes.take(6)
  const canvas = { width: bytes.little(2), height: bytes.little(2) }
  demand(canvas.width > 0 && canvas.height > 0)
  const flags = bytes.big(1)
  bytes.take(2)
  skipColors(bytes, flags)
  const frames: Frame[] = []
  for (;;) {
    const block = bytes.big(1)
    if (block === TRAILER) break
    demand(block === EXTENSION || block === IMAGE)
    if (block === IMAGE) frames.push(readFrame(bytes))
    else {
      bytes.take(1)
      readParts(bytes)
    }
  }
  bytes.end()
  demand(frames.length > 0)
  return { canvas, frames, packed: [] }
}

function readFrame(bytes: PictureBytes): Frame {
  bytes.take(4)
  const frame = { width: bytes.little(2), height: bytes.little(2) }
  demand(frame.width > 0 && frame.height > 0)
  skipColors(bytes, bytes.big(1))
  const codeSize = bytes.big(1)
  demand(codeSize >= 1 && codeSize <= 8)
  demand(hasPixels(readParts(bytes), codeSize, frame.width * frame.height))
  return frame
}

function skipColors(bytes: PictureBytes, flags: number): void {
  if (flags & 0x80) bytes.take(3 * 2 ** ((flags & 7) + 1))
}

function readParts(bytes: PictureBytes): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let length = bytes.big(1); length > 0; length = bytes.big(1)) parts.push(bytes.take(length))
  return parts
}

/** Whether LZW codes stand for so many pixels: only their number is worked out, by the length of what each code repeats. */
function hasPixels(parts: Uint8Array[], codeSize: number, wanted: number): boolean {
  const clear = 2 ** codeSize
  const lengths = new Uint16Array(MAX_CODES).fill(1, 0, clear)
  let [next, width, previous, pixels, bits, held] = [clear + 2, codeSize + 1, 0, 0, 0, 0]
  for (const part of parts) {
    for (const byte of part) {
      held |= byte << bits
      bits += 8
      while (bits >= width) {
        const code = held & (2 ** width - 1)
        held >>>= width
        bits -= width
        if (code === clear + 1) return pixels >= wanted
        if (code === clear) {
          ;[next, width, previous] = [clear + 2, codeSize + 1, 0]
          continue
        }
        // The code that is being made may be named already.
        if (code > next || (code === next && previous === 0) || code >= MAX_CODES) return false
        const length = code === next ? previous + 1 : (lengths[code] as number)
        if (previous > 0 && next < MAX_CODES) {
          lengths[next++] = previous + 1
          if (next === 2 ** width && width < 12) width++
        }
        pixels += length
        if (pixels >= wanted) return true
        previous = length
      }
    }
  }
  return pixels >= wanted
}
