import type { Metadata } from 'sharp'
import type { LogoDecoder, Picture } from '../../core/status-pages/logo/judge-logo.ts'
import { LOGO_TYPES } from '../../core/status-pages/logo/logo.ts'

type Sharp = typeof import('sharp')['default']

/** libvips has a loader for each of 20 formats: all others stay shut, whatever the first bytes of an image say. */
const LOADERS = [
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
]

let loaded: Promise<Sharp | null> | null = null

/** Decodes logos by sharp, beside the thread that answers; judged-logo.ts gives turns, as each takes one of few threads. */
export const logoDecoder: LogoDecoder = {
  async measure(image) {
    const sharp = await library()
    if (sharp === null) return 'missing'
    try {
      return pictureOf(await sharp(image, { pages: -1, limitInputPixels: false }).metadata())
    } catch {
      return null
    }
  },
  async decode(image, { maxPixels, maxSeconds }) {
    const sharp = await library()
    if (sharp === null) return 'damaged'
    try {
      // One channel: the pixels are decoded as they come, and only a byte of each is held.
      await sharp(image, { pages: -1, limitInputPixels: maxPixels, failOn: 'warning', ignoreIcc: true })
        .timeout({ seconds: maxSeconds })
        .removeAlpha()
        .greyscale()
        .raw()
        .toBuffer()
      return 'whole'
    } catch (error) {
      return /^timeout\b/.test((error as Error).message) ? 'late' : 'damaged'
    }
  },
}

function pictureOf({ format, width, height, pageHeight, pages }: Metadata): Picture | null {
  const type = LOGO_TYPES.find((known) => known === `image/${format}`)
  return type ? { type, width, height: pageHeight ?? height, frames: pages ?? 1 } : null
}

/**
 * Loads the library with the first logo: a service without one has no need of its 20 MB. Null where its binary is missing
 * or cannot be loaded: everything but logos works there.
 */
function library(): Promise<Sharp | null> {
  loaded ??= load().catch(() => null)
  return loaded
}

async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  return sharp
}
