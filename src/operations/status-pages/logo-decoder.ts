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

let loaded: Promise<Sharp> | null = null
let last: Promise<unknown> = Promise.resolve()

/** Decodes logos by sharp, beside the thread that answers. */
export const logoDecoder: LogoDecoder = {
  measure: (image) =>
    next(async (sharp) => {
      try {
        return pictureOf(await sharp(image, { pages: -1, limitInputPixels: false }).metadata())
      } catch {
        return null
      }
    }),
  decode: (image, { maxPixels, maxSeconds }) =>
    next(async (sharp) => {
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
    }),
}

function pictureOf({ format, width, height, pageHeight, pages }: Metadata): Picture | null {
  const type = LOGO_TYPES.find((known) => known === `image/${format}`)
  return type ? { type, width, height: pageHeight ?? height, frames: pages ?? 1 } : null
}

/** One picture at a time: resolving names and hashing passwords need the same few threads of Node. */
function next<T>(work: (sharp: Sharp) => Promise<T>): Promise<T> {
  loaded ??= load()
  const own = Promise.all([loaded, last]).then(([sharp]) => work(sharp))
  last = own.catch(() => undefined)
  return own
}

/** Loads the library with the first logo: a service without one has no need of its 20 MB. */
async function load(): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  return sharp
}
