import { readGif } from './gif.ts'
import { readJpeg } from './jpeg.ts'
import { type LogoType, logoTypeOf } from './logo.ts'
import { BrokenPicture, type PackedPixels, type Picture } from './picture.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

/** A logo is shown 36 pixels high; a reader's browser needs four bytes for each pixel that it has. */
const MAX_SIDE = 4_096
const MAX_PIXELS = 8_388_608
const MAX_FRAMES = 100
/** Of all frames: browsers decode them again and again. */
const MAX_ANIMATED_PIXELS = 2 * MAX_PIXELS

/** Whether packed bytes unpack to exactly the number that they must have, at the cost of no more than that. */
export type Unpacks = (pixels: PackedPixels) => Promise<boolean>

export type JudgedLogo = { type: LogoType } | { fault: string }

const READERS: Record<LogoType, (image: Uint8Array) => Picture> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/webp': readWebp,
  'image/gif': readGif,
}

/** Judges an image by its content; a fault is a clause about it. */
export async function judgeLogo(image: Uint8Array, unpacks: Unpacks): Promise<JudgedLogo> {
  const type = logoTypeOf(image)
  if (type === null) return { fault: 'must be a PNG, JPEG, WebP or GIF image' }
  let picture: Picture
  try {
    picture = READERS[type](image)
  } catch (error) {
    if (!(error instanceof BrokenPicture)) throw error
    return { fault: error.kind === 'more' ? MORE : DAMAGED }
  }
  const fault = sizeFault(picture)
  if (fault !== null) return { fault }
  for (const pixels of picture.packed) if (!(await unpacks(pixels))) return { fault: DAMAGED }
  return { type }
}

const DAMAGED = 'must be a whole image: this one is damaged, or ends too early'
const MORE = 'must be an image alone: there is something behind its end'

function sizeFault({ canvas, frames }: Picture): string | null {
  const large = [canvas, ...frames].find(
    ({ width, height }) => Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS,
  )
  if (large) {
    return `must have at most ${MAX_SIDE} pixels a side and ${MAX_PIXELS} in all, got ${large.width} × ${large.height}`
  }
  const pixels = frames.reduce((sum, { width, height }) => sum + width * height, 0)
  if (frames.length === 1 || (frames.length <= MAX_FRAMES && pixels <= MAX_ANIMATED_PIXELS)) return null
  return `must have at most ${MAX_FRAMES} frames, of ${MAX_ANIMATED_PIXELS} pixels together, got ${frames.length} frames of ${pixels}`
}
