import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { judgeImage } from '../../../src/operations/status-pages/judged-logo.ts'
import {
  ANIMATED_WEBP,
  pngChunk,
  SAMPLE_GIF,
  SAMPLE_JPEG,
  SAMPLE_WEBP,
  samplePng,
} from '../../support/status-pages/sample-images.ts'

const IMAGES: [name: string, image: Buffer, type: string][] = [
  ['a PNG', samplePng(7, 5), 'image/png'],
  ['a PNG of the largest size', samplePng(4_096, 2_048), 'image/png'],
  ['a JPEG', SAMPLE_JPEG, 'image/jpeg'],
  ['a WebP', SAMPLE_WEBP, 'image/webp'],
  ['an animated WebP', ANIMATED_WEBP, 'image/webp'],
  ['a GIF', SAMPLE_GIF, 'image/gif'],
  ['an animated PNG', animatedPng(3), 'image/png'],
  ['an animated GIF', animatedGif(100, 1, 1), 'image/gif'],
]

const DAMAGED = /^must be a whole image: this one is damaged, or ends too early$/
const MORE = /^must be an image alone: there is something behind its end$/

async function faultOf(image: Buffer): Promise<string | null> {
  const judged = await judgeImage(image)
  return 'fault' in judged ? judged.fault : null
}

describe('an image that is whole', () => {
  for (const [name, image, type] of IMAGES) {
    it(`${name} is taken by its content`, async () => assert.deepEqual(await judgeImage(image), { type }))
  }
})

describe('an image that is not whole', () => {
  for (const [name, image] of IMAGES.filter(([, { length }]) => length < 2_000)) {
    it(`${name} that ends earlier, wherever, is refused`, async () => {
      const taken: number[] = []
      for (let length = 0; length < image.length; length++) {
        if ((await faultOf(image.subarray(0, length))) === null) taken.push(length)
      }
      assert.deepEqual(taken, [])
    })

    it(`${name} with another file behind it is refused`, async () => {
      for (const behind of ['<script>alert(1)</script>', 'PK\x05\x06', '\0']) {
        assert.match((await faultOf(Buffer.concat([image, Buffer.from(behind, 'latin1')]))) ?? '', MORE)
      }
    })

    it(`${name} with any byte changed is judged without a bug`, async () => {
      for (let at = 0; at < image.length; at++) {
        for (const change of [0x01, 0x80, 0xff]) {
          const changed = Buffer.from(image)
          changed.writeUInt8(changed.readUInt8(at) ^ change, at)
          await judgeImage(changed)
        }
      }
    })
  }
})

/** A picture and `frames` further ones of the same size. */
function animatedPng(frames: number, side = 2): Buffer {
  const lines = deflateSync(Buffer.alloc(side * (1 + side * 3)))
  const control = Buffer.alloc(26)
  control.writeUInt32BE(side, 4)
  control.writeUInt32BE(side, 8)
  const more = Array.from({ length: frames }, () => [
    pngChunk('fcTL', control),
    pngChunk('fdAT', Buffer.concat([Buffer.alloc(4), lines])),
  ])
  return samplePng(side, side, undefined, more.flat())
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
  const bomb = deflateSync(Buffer.alloc(50_000_000))
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
    [
      'a PNG whose pixels unpack to 50 MB',
      png([pngChunk('IHDR', header([8, 2, 0, 0, 0])), pngChunk('IDAT', bomb)]),
      DAMAGED,
    ],
    ['a PNG of an unknown color', png([pngChunk('IHDR', header([8, 5, 0, 0, 0])), data]), DAMAGED],
    ['a PNG without its palette', png([pngChunk('IHDR', header([8, 3, 0, 0, 0])), data]), DAMAGED],
    ['a PNG without pixels', png([pngChunk('IHDR', header([8, 2, 0, 0, 0]))]), DAMAGED],
    ['a PNG with two headers', png([data, pngChunk('IHDR', header([8, 2, 0, 0, 0]))]), DAMAGED],
    ['a PNG of 300 frames', animatedPng(300), /^must have at most 100 frames, .* got 301 frames of 1204$/],
    [
      'a PNG whose frames are large',
      animatedPng(3, 2_500),
      /of 16777216 pixels together, got 4 frames of 25000000$/,
    ],
    ['a GIF of 101 frames', animatedGif(101, 1, 1), /got 101 frames of 101$/],
    ['a GIF with fewer pixels than it claims', animatedGif(1, 4_000, 2_000), DAMAGED],
    ['a GIF that claims 65,535 × 65,535', animatedGif(1, 65_535, 65_535), DAMAGED],
    ['a GIF without a frame', animatedGif(0, 1, 1), DAMAGED],
    ['a JPEG that claims 60,000 × 60,000', jpegClaiming(60_000, 60_000), /got 60000 × 60000$/],
    ['a JPEG without lines', jpegClaiming(7, 0), DAMAGED],
    ['a JPEG without a scan', Buffer.from('ffd8ffd9', 'hex'), DAMAGED],
    ['a WebP that claims 60,000 × 60,000', Buffer.concat([webpOf('VP8X', vp8x)]), DAMAGED],
    ['a WebP of 16,384 × 16,384', webpOf('VP8L', Buffer.from('2fffffff0f', 'hex')), /got 16384 × 16384$/],
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
