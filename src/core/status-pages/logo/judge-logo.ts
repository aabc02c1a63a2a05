import { type Said, said } from '../../language/said.ts'
import { type LogoType, logoTypeOf } from './logo.ts'

/** A logo is shown 36 pixels high; a reader's browser needs four bytes for each pixel that it has. */
const MAX_SIDE = 4_096
const MAX_PIXELS = 8_388_608
const MAX_FRAMES = 100
/** Pixels of all frames together: browsers decode them again and again. */
const MAX_ANIMATED_PIXELS = 2 * MAX_PIXELS

/** Browsers need a fraction of a second for a picture within the bounds. */
const MAX_DECODE_SECONDS = 20

/** A picture as its header says; `frames` is 1 unless it is animated, and all have the size of the picture. */
export type Picture = { type: LogoType; width: number; height: number; frames: number }

/** Makes pictures of bytes. Neither function throws because of what the bytes are. */
export type LogoDecoder = {
  /** Null where no picture can be made of the beginning; `missing` on a machine that cannot load the decoder. */
  measure: (image: Uint8Array) => Promise<Picture | 'missing' | null>
  /** Decodes every pixel of every frame. */
  decode: (
    image: Uint8Array,
    limits: { maxPixels: number; maxSeconds: number },
  ) => Promise<'whole' | 'damaged' | 'late'>
}

/** A fault of the machine, which is busy or has no decoder, says nothing of the image: it can pass later. */
export type JudgedLogo = { type: LogoType } | { fault: Said; isOfMachine?: true }

/** Judges an image by its content; a fault is a clause about it. */
export async function judgeLogo(image: Uint8Array, decoder: LogoDecoder): Promise<JudgedLogo> {
  const type = logoTypeOf(image)
  if (type === null) return { fault: said('must be a PNG, JPEG, WebP or GIF image') }
  const picture = await decoder.measure(image)
  if (picture === 'missing') return { fault: MISSING, isOfMachine: true }
  if (picture?.type !== type) return { fault: DAMAGED }
  // Its further frames are not decoded, and browsers show them.
  if (type === 'image/png' && find(image, ANIMATION_CONTROL) >= 0) {
    return { fault: said('must not be an animated PNG: save the animation as WebP or GIF') }
  }
  const fault = sizeFault(picture)
  if (fault !== null) return { fault }
  const limits = { maxPixels: MAX_ANIMATED_PIXELS, maxSeconds: MAX_DECODE_SECONDS }
  const decoded = await decoder.decode(image, limits)
  if (decoded === 'late') {
    return {
      fault: said('must be decoded within {seconds} s', { seconds: MAX_DECODE_SECONDS }),
      isOfMachine: true,
    }
  }
  const end = endOf(image, type)
  if (decoded === 'damaged' || end === 'early') return { fault: DAMAGED }
  if (end === 'late') return { fault: said('must be an image alone: there is something behind its end') }
  return { type }
}

const MISSING = said('must wait: what decodes images cannot be loaded on this machine')
const DAMAGED = said('must be a whole image: this one is damaged, or ends too early')

/** The length is part of it, so that compressed pixels do not hold it by chance. */
const ANIMATION_CONTROL = '\x00\x00\x00\x08acTL'

/** The last bytes of an image; a WebP says its length in its header. */
const ENDS: Record<Exclude<LogoType, 'image/webp'>, string> = {
  'image/png': '\x00\x00\x00\x00IEND\xae\x42\x60\x82',
  'image/jpeg': '\xff\xd9',
  'image/gif': ';',
}

/**
 * Tells whether the file ends as its format does. Decoders do not look behind the last pixel: a JPEG or GIF is taken
 * with something behind it that ends so, too.
 */
function endOf(image: Uint8Array, type: LogoType): 'early' | 'right' | 'late' {
  if (type === 'image/webp') {
    const size = 8 + new DataView(image.buffer, image.byteOffset).getUint32(4, true)
    if (size === image.length) return 'right'
    return size > image.length ? 'early' : 'late'
  }
  const end = ENDS[type]
  const at = find(image, end)
  if (at < 0) return 'early'
  if (at + end.length === image.length) return 'right'
  return type !== 'image/png' && find(image.subarray(-end.length), end) === 0 ? 'right' : 'late'
}

function find(image: Uint8Array, text: string): number {
  for (let at = 0; at + text.length <= image.length; at++) {
    let same = 0
    while (same < text.length && image[at + same] === text.charCodeAt(same)) same++
    if (same === text.length) return at
  }
  return -1
}

function sizeFault({ width, height, frames }: Picture): Said | null {
  if (Math.max(width, height) > MAX_SIDE || width * height > MAX_PIXELS) {
    return said('must have at most {side} pixels a side and {max} in all, got {width} × {height}', {
      side: MAX_SIDE,
      max: MAX_PIXELS,
      width,
      height,
    })
  }
  const pixels = frames * width * height
  if (frames <= MAX_FRAMES && pixels <= MAX_ANIMATED_PIXELS) return null
  return said('must have at most {max} frames, of {pixels} pixels together, got {count} frames of {got}', {
    max: MAX_FRAMES,
    pixels: MAX_ANIMATED_PIXELS,
    count: frames,
    got: pixels,
  })
}
