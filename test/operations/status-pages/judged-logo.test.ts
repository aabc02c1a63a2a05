import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, it, test } from 'node:test'
import { promisify } from 'node:util'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { english, said } from '../../../src/core/language/said.ts'
import { judgeLogo, type LogoDecoder } from '../../../src/core/status-pages/logo/judge-logo.ts'
import { judgeImage } from '../../../src/operations/status-pages/judged-logo.ts'
import { logoDecoder } from '../../../src/operations/status-pages/logo-decoder.ts'
import {
  ANIMATED_WEBP,
  pngChunk,
  SAMPLE_GIF,
  SAMPLE_JPEG,
  SAMPLE_WEBP,
  samplePng,
} from '../../support/status-pages/sample-images.ts'

const TEAM = 1

const IMAGES: [name: string, image: Buffer, type: string][] = [
  ['a PNG', samplePng(7, 5), 'image/png'],
  ['a PNG of the largest size', samplePng(4_096, 2_048), 'image/png'],
  ['a JPEG', SAMPLE_JPEG, 'image/jpeg'],
  ['a WebP', SAMPLE_WEBP, 'image/webp'],
  ['an animated WebP', ANIMATED_WEBP, 'image/webp'],
  ['a GIF', SAMPLE_GIF, 'image/gif'],
  ['an animated GIF', animatedGif(100, 1, 1), 'image/gif'],
]

const DAMAGED = /^must be a whole image: this one is damaged, or ends too early$/
const MORE = /^must be an image alone: there is something behind its end$/

async function faultOf(image: Buffer): Promise<string | null> {
  const judged = await judgeImage(image, TEAM)
  return 'fault' in judged ? english(judged.fault) : null
}

describe('an image that is whole', () => {
  for (const [name, image, type] of IMAGES) {
    it(`${name} is taken by its content`, async () =>
      assert.deepEqual(await judgeImage(image, TEAM), { type }))
  }
})

/** The first and last numbers below `end`, where headers and ends stand, and every thirteenth of the others. */
function sampled(end: number): number[] {
  return Array.from({ length: end }, (_, at) => at).filter((at) => at < 40 || at >= end - 40 || at % 13 === 0)
}

describe('an image that is not whole', () => {
  for (const [name, image] of IMAGES.filter(([, { length }]) => length < 2_000)) {
    it(`${name} that ends earlier, wherever, is refused`, async () => {
      const taken: number[] = []
      for (const length of sampled(image.length)) {
        if ((await faultOf(image.subarray(0, length))) === null) taken.push(length)
      }
      assert.deepEqual(taken, [])
    })

    it(`${name} with another file behind it is refused`, async () => {
      for (const behind of ['<script>alert(1)</script>', 'PK\x05\x06', '\0']) {
        assert.match((await faultOf(Buffer.concat([image, Buffer.from(behind, 'latin1')]))) ?? '', MORE)
      }
    })

    it(`${name} with a byte changed, wherever, is judged without a bug`, async () => {
      for (const at of sampled(image.length)) {
        const changed = Buffer.from(image)
        changed.writeUInt8(changed.readUInt8(at) ^ ([0x01, 0x80, 0xff][at % 3] as number), at)
        await judgeImage(changed, TEAM)
      }
    })
  }
})

/** A picture and `frames` further ones of the same size. */
function animatedPng(frames: number): Buffer {
  const side = 2
  const lines = deflateSync(Buffer.alloc(side * (1 + side * 3)))
  const control = Buffer.alloc(26)
  control.writeUInt32BE(side, 4)
  control.writeUInt32BE(side, 8)
  const animation = Buffer.alloc(8)
  animation.writeUInt32BE(frames + 1)
  const more = Array.from({ length: frames }, () => [
    pngChunk('fcTL', control),
    pngChunk('fdAT', Buffer.concat([Buffer.alloc(4), lines])),
  ])
  const still = samplePng(side, side, undefined, more.flat())
  const afterHeader = 33
  return Buffer.concat([
    still.subarray(0, afterHeader),
    pngChunk('acTL', animation),
    still.subarray(afterHeader),
  ])
}

/** Frames of one color, whose codes repeat ever longer runs. */
function animatedGif(frames: number, width: number, height: number): Buffer {
  const head = Buffer.from('474946383961 0000 0000 80 00 00 000000ffffff'.replaceAll(' ', ''), 'hex')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  const frame = Buffer.from('2c 0000 0000 0000 0000 00 02 02 4401 00'.replaceAll(' ', ''), 'hex')
  frame.writeUInt16LE(width, 5)
  frame.writeUInt16LE(height, 7)
  return Buffer.concat([head, ...Array(frames).fill(frame), Buffer.from(';')])
}

function webpOf(type: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from(type), Buffer.alloc(4), data, Buffer.alloc(data.length % 2)])
  chunk.writeUInt32LE(data.length, 4)
  const head = Buffer.from('RIFF....WEBP')
  head.writeUInt32LE(4 + chunk.length, 4)
  return Buffer.concat([head, chunk])
}

function jpegClaiming(width: number, height: number): Buffer {
  const claimed = Buffer.from(SAMPLE_JPEG)
  const at = claimed.indexOf(Buffer.from([0xff, 0xc0, 0x00, 0x11]))
  assert.ok(at > 0)
  claimed.writeUInt16BE(height, at + 5)
  claimed.writeUInt16BE(width, at + 7)
  return claimed
}

describe('an image that is a trap', () => {
  const header = (fields: number[]) => Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, ...fields])
  const png = (chunks: Buffer[]) =>
    Buffer.concat([samplePng().subarray(0, 8), ...chunks, pngChunk('IEND', Buffer.alloc(0))])
  const data = pngChunk('IDAT', deflateSync(Buffer.alloc(14)))
  const vp8x = Buffer.from('00000000 5fea00 5fea00'.replaceAll(' ', ''), 'hex')
  const table: [name: string, image: Buffer, fault: RegExp][] = [
    [
      'a PNG that claims 60,000 × 60,000',
      samplePng(2, 2, { width: 60_000, height: 60_000 }),
      /^must have at most 4096 pixels a side and 8388608 in all, got 60000 × 60000$/,
    ],
    ['a PNG with a pixel more', samplePng(4_097, 1), /got 4097 × 1$/],
    ['a PNG with more pixels than are taken', samplePng(4_096, 2_049), /got 4096 × 2049$/],
    ['a PNG whose pixels are fewer', samplePng(2, 2, { width: 3, height: 2 }), DAMAGED],
    ['a PNG whose pixels are more', samplePng(4, 4, { width: 2, height: 2 }), DAMAGED],
    ['a PNG of an unknown color', png([pngChunk('IHDR', header([8, 5, 0, 0, 0])), data]), DAMAGED],
    ['a PNG without its palette', png([pngChunk('IHDR', header([8, 3, 0, 0, 0])), data]), DAMAGED],
    ['a PNG without pixels', png([pngChunk('IHDR', header([8, 2, 0, 0, 0]))]), DAMAGED],
    ['a PNG with two headers', png([data, pngChunk('IHDR', header([8, 2, 0, 0, 0]))]), DAMAGED],
    ['an animated PNG', animatedPng(3), /^must not be an animated PNG/],
    ['a PNG of 300 frames', animatedPng(300), /^must not be an animated PNG/],
    ['a GIF of 101 frames', animatedGif(101, 1, 1), /got 101 frames of 101$/],
    ['a GIF whose frames are large', animatedGif(3, 2_500, 2_500), /together, got 3 frames of 18750000$/],
    ['a GIF that claims 65,535 × 65,535', animatedGif(1, 65_535, 65_535), /got 65535 × 65535$/],
    ['a GIF without a frame', animatedGif(0, 1, 1), DAMAGED],
    ['a JPEG that claims 60,000 × 60,000', jpegClaiming(60_000, 60_000), /got 60000 × 60000$/],
    ['a JPEG without lines', jpegClaiming(7, 0), DAMAGED],
    ['a JPEG without a scan', Buffer.from('ffd8ffd9', 'hex'), DAMAGED],
    ['a WebP that claims 60,000 × 60,000', Buffer.concat([webpOf('VP8X', vp8x)]), DAMAGED],
    ['a WebP of 16,384 × 16,384', webpOf('VP8L', Buffer.from('2fffffff0f', 'hex')), DAMAGED],
    ['a WebP without pixels', webpOf('EXIF', Buffer.alloc(10)), DAMAGED],
    [
      'SVG with a script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      /^must be a PNG/,
    ],
    [
      'SVG that loads something',
      Buffer.from('<?xml version="1.0"?><svg><image href="http://x.example/"/></svg>'),
      /^must be a PNG/,
    ],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), /^must be a PNG/],
    ['a beginning alone', Buffer.from('GIF89a'), DAMAGED],
  ]
  for (const [name, image, fault] of table) {
    it(`${name} is refused`, async () => assert.match((await faultOf(image)) ?? 'taken', fault))
  }
})

describe('pixels that are broken though every marker is right', () => {
  /** The same noise each time, so that the streams are long. */
  function noise() {
    let state = 1
    const pixels = Uint8Array.from({ length: 64 * 64 * 3 }, () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state >>> 16
    })
    return sharp(pixels, { raw: { width: 64, height: 64, channels: 3 } })
  }

  it('are refused in a JPEG', async () => {
    const image = await noise().jpeg().toBuffer()
    assert.deepEqual(await judgeImage(image, TEAM), { type: 'image/jpeg' })
    const scan = image.lastIndexOf(Buffer.from([0xff, 0xda])) + 14
    const [start, rest] = [image.subarray(0, (scan + image.length) >> 1), image.subarray(-2)]
    assert.match((await faultOf(Buffer.concat([start, rest]))) ?? 'taken', DAMAGED, 'fewer')
    // Bits that are all set are no code of any table.
    const ones = Buffer.from('ff00'.repeat(50), 'hex')
    assert.match((await faultOf(Buffer.concat([start, ones, rest]))) ?? 'taken', DAMAGED, 'no codes')
  })

  for (const [name, options] of [
    ['with loss', { lossless: false }],
    ['without loss', { lossless: true }],
  ] as const) {
    it(`are refused in a WebP ${name}`, async () => {
      const image = await noise().webp(options).toBuffer()
      assert.deepEqual(await judgeImage(image, TEAM), { type: 'image/webp' })
      const type = image.toString('latin1', 12, 16)
      const stream = image.subarray(20, 20 + image.readUInt32LE(16))
      const fewer = webpOf(type, stream.subarray(0, stream.length / 2))
      assert.match((await faultOf(fewer)) ?? 'taken', DAMAGED, 'fewer')
    })
  }

  it('are refused in a WebP whose table of codes is none', async () => {
    const image = await noise().webp({ lossless: true }).toBuffer()
    const stream = Buffer.from(image.subarray(20)).fill(0xff, 5)
    assert.match((await faultOf(webpOf('VP8L', stream))) ?? 'taken', DAMAGED)
  })

  it('are refused in a frame of an animation', async () => {
    const image = Buffer.from(ANIMATED_WEBP)
    const stream = image.indexOf('VP8L') + 8
    assert.match((await faultOf(image.fill(0xff, stream + 5))) ?? 'taken', DAMAGED)
  })
})

it('formats that the library knows, too, are not decoded for a logo', async () => {
  await judgeImage(SAMPLE_GIF, TEAM)
  const { data, info } = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .tiff()
    .toBuffer({ resolveWithObject: true })
  assert.equal(info.format, 'tiff')
  for (const image of [data, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>')]) {
    assert.equal(await logoDecoder.measure(image), null)
  }
})

it('a JPEG of a thousand scans is refused', async () => {
  const image = await sharp({ create: { width: 1_024, height: 512, channels: 3, background: 'red' } })
    .jpeg({ progressive: true })
    .toBuffer()
  const scan = image.lastIndexOf(Buffer.from([0xff, 0xda]))
  const [start, last, end] = [image.subarray(0, -2), image.subarray(scan, -2), image.subarray(-2)]
  assert.match((await faultOf(Buffer.concat([start, ...Array(1_000).fill(last), end]))) ?? 'taken', DAMAGED)
})

it('a WebP with a pixel more is refused', async () => {
  const image = await sharp({ create: { width: 4_097, height: 1, channels: 3, background: 'red' } })
    .webp()
    .toBuffer()
  assert.match((await faultOf(image)) ?? 'taken', /got 4097 × 1$/)
})

it('packed bytes behind the last pixel of a PNG are not unpacked', async () => {
  const bomb = deflateSync(Buffer.alloc(50_000_000))
  const still = samplePng(2, 2)
  const image = Buffer.concat([still.subarray(0, 33), pngChunk('IDAT', bomb), still.subarray(-12)])
  assert.deepEqual(await judgeImage(image, TEAM), { type: 'image/png' })
})

it('a verdict is kept, so that an image is decoded once', () => {
  assert.equal(judgeImage(Buffer.from(SAMPLE_GIF), TEAM), judgeImage(Buffer.from(SAMPLE_GIF), TEAM))
})

test('a team with many logos keeps no other team waiting for more than a turn', async () => {
  const ended: string[] = []
  // Turns are counted, not timed: how long each takes changes nothing of their order.
  const many = Array.from({ length: 12 }, (_, index) => samplePng(500 + index, 512))
  const hostile = many.map((image) => judgeImage(image, TEAM).then(() => ended.push('hostile')))
  await judgeImage(samplePng(9, 9), 2).then(() => ended.push('quiet'))
  assert.ok(ended.indexOf('quiet') < many.length / 2, ended.join())
  await Promise.all(hostile)
})

describe('an image that the machine cannot judge', () => {
  const image = samplePng(7, 5)

  it('is refused by time where its pixels take too long, and judged anew later', async () => {
    const late: LogoDecoder = { measure: logoDecoder.measure, decode: async () => 'late' }
    assert.deepEqual(await judgeLogo(image, late), {
      fault: said('must be decoded within {seconds} s', { seconds: 20 }),
      isOfMachine: true,
    })
    assert.deepEqual(await judgeLogo(image, logoDecoder), { type: 'image/png' })
  })

  it('is refused with a sentence where the decoder cannot be loaded', async () => {
    const hook = `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (name === 'sharp') throw new Error('no binary for this platform')
        return next(name, context)
      } })`
    const judged = import.meta.resolve('../../../src/operations/status-pages/judged-logo.ts')
    const script = `import { judgeImage } from ${JSON.stringify(judged)}
      const image = Buffer.from(${JSON.stringify(image.toString('base64'))}, 'base64')
      console.log(JSON.stringify([await judgeImage(image, 1), await judgeImage(image, 1)]))`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      ...['--import', `data:text/javascript,${encodeURIComponent(hook)}`],
      ...['--input-type=module', '--eval', script],
    ])
    const refused = {
      fault: said('must wait: what decodes images cannot be loaded on this machine'),
      isOfMachine: true,
    }
    assert.deepEqual(JSON.parse(stdout), [refused, refused])
  })
})
