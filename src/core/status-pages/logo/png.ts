import { demand, type Frame, type PackedPixels, type Picture, PictureBytes } from './picture.ts'

const SIGNATURE_BYTES = 8
/** Channels by color type, and the depths that it may have (PNG, section 11.2.1). */
const COLORS = new Map([
  [0, { channels: 1, depths: [1, 2, 4, 8, 16] }],
  [2, { channels: 3, depths: [8, 16] }],
  [3, { channels: 1, depths: [1, 2, 4, 8] }],
  [4, { channels: 2, depths: [8, 16] }],
  [6, { channels: 4, depths: [8, 16] }],
])
/** Start and step of the seven passes of an interlaced picture: x, y, x step, y step. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Reads a PNG, animated or not, chunk by chunk, with their checksums. */
export function readPng(image: Uint8Array): Picture {
  const bytes = new PictureBytes(image)
  bytes.take(SIGNATURE_BYTES)
  const first = readChunk(bytes)
  demand(first.type === 'IHDR' && first.data.length === 13)
  const header = readHeader(new PictureBytes(first.data))
  const canvas = { width: header.width, height: header.height }
  /** The picture itself, and then the further frames of an animation. */
  const frames: (Frame & { parts: Uint8Array[] })[] = [{ ...canvas, parts: [] }]
  let hasPalette = false
  for (;;) {
    const { type, data } = readChunk(bytes)
    if (type === 'IEND') break
    if (type === 'PLTE') hasPalette = true
    if (type === 'IDAT') {
      demand(frames.length === 1)
      frames[0]?.parts.push(data)
    }
    if (type === 'fcTL') {
      const frame = readFrame(new PictureBytes(data), canvas)
      // One before the picture is about the picture itself.
      if (frames[0]?.parts.length) frames.push({ ...frame, parts: [] })
    }
    if (type === 'fdAT') {
      demand(frames.length > 1 && data.length > 4)
      frames.at(-1)?.parts.push(data.subarray(4))
    }
  }
  bytes.end()
  demand(hasPalette || header.color !== 3)
  demand(frames.every(({ parts }) => parts.length > 0))
  const packed: PackedPixels[] = frames.map(({ parts, ...frame }) => ({
    parts,
    bytes: sizeOf(frame, header),
  }))
  return { canvas, frames: frames.map(({ width, height }) => ({ width, height })), packed }
}

type Header = Frame & { color: number; bits: number; isInterlaced: boolean }

function readHeader(bytes: PictureBytes): Header {
  const [width, height] = [bytes.big(4), bytes.big(4)]
  const [depth, color, compression, filter, interlace] = bytes.take(5) as unknown as [
    ...[number, number, number, number, number],
  ]
  const known = COLORS.get(color)
  demand(known !== undefined)
  demand(width > 0 && height > 0 && known.depths.includes(depth))
  demand(compression === 0 && filter === 0 && interlace <= 1)
  return { width, height, color, bits: known.channels * depth, isInterlaced: interlace === 1 }
}

function readFrame(bytes: PictureBytes, canvas: Frame): Frame {
  bytes.take(4)
  const [width, height, x, y] = [bytes.big(4), bytes.big(4), bytes.big(4), bytes.big(4)]
  demand(width > 0 && height > 0 && x + width <= canvas.width && y + height <= canvas.height)
  return { width, height }
}

/** Bytes of the lines, each behind the byte of its filter. */
function sizeOf({ width, height }: Frame, { bits, isInterlaced }: Header): number {
  if (!isInterlaced) return linesOf(width, height, bits)
  return PASSES.reduce((sum, [x, y, stepX, stepY]) => {
    const columns = Math.ceil((width - x) / stepX)
    const rows = Math.ceil((height - y) / stepY)
    return columns > 0 && rows > 0 ? sum + linesOf(columns, rows, bits) : sum
  }, 0)
}

function linesOf(width: number, height: number, bits: number): number {
  return height * (1 + Math.ceil((width * bits) / 8))
}

function readChunk(bytes: PictureBytes): { type: string; data: Uint8Array } {
  const length = bytes.big(4)
  const start = bytes.at
  const type = bytes.text(4)
  const data = bytes.take(length)
  const sum = checksum(bytes.bytes.subarray(start, bytes.at))
  demand(/^[A-Za-z]{4}$/.test(type) && bytes.big(4) === sum)
  return { type, data }
}

/** CRC-32, as of PNG's annex D. */
function checksum(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (SUMS[(sum ^ byte) & 0xff] as number) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}

const SUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1
  return sum
})
