import { BrokenPicture, demand, type Frame, type Picture, PictureBytes } from './picture.ts'

const HEADER_BYTES = 12
const EXTENDED = 'VP8X'
const FRAME = 'ANMF'

/** Reads a WebP chunk by chunk, with the sizes that its streams claim; their pixels are not decoded. */
export function readWebp(image: Uint8Array): Picture {
  const bytes = new PictureBytes(image)
  bytes.take(4)
  const size = bytes.little(4)
  bytes.take(4)
  demand(size + 8 <= image.length)
  if (size + 8 < image.length) throw new BrokenPicture('more')
  demand(image.length > HEADER_BYTES)
  const chunks = readChunks(bytes)
  const [first] = chunks
  demand(first !== undefined)
  if (first.type !== EXTENDED) {
    const canvas = sizeOf(chunks)
    return { canvas, frames: [canvas], packed: [] }
  }
  const header = new PictureBytes(first.data)
  header.take(4)
  const canvas = { width: header.little(3) + 1, height: header.little(3) + 1 }
  const animated = chunks.filter(({ type }) => type === FRAME)
  const frames = animated.length > 0 ? animated.map(({ data }) => frameOf(data, canvas)) : [sizeOf(chunks)]
  return { canvas, frames, packed: [] }
}

type Chunk = { type: string; data: Uint8Array }

function readChunks(bytes: PictureBytes): Chunk[] {
  const chunks: Chunk[] = []
  while (bytes.left > 0) {
    const type = bytes.text(4)
    const length = bytes.little(4)
    chunks.push({ type, data: bytes.take(length) })
    if (length % 2 === 1) bytes.take(1)
  }
  return chunks
}

function frameOf(data: Uint8Array, canvas: Frame): Frame {
  const bytes = new PictureBytes(data)
  const [x, y] = [2 * bytes.little(3), 2 * bytes.little(3)]
  const [width, height] = [bytes.little(3) + 1, bytes.little(3) + 1]
  bytes.take(4)
  demand(x + width <= canvas.width && y + height <= canvas.height)
  const own = sizeOf(readChunks(bytes))
  demand(own.width === width && own.height === height)
  return own
}

/** The size that the stream of pixels itself has: decoders go by it. */
function sizeOf(chunks: Chunk[]): Frame {
  const stream = chunks.find(({ type }) => type === 'VP8 ' || type === 'VP8L')
  demand(stream !== undefined)
  const bytes = new PictureBytes(stream.data)
  if (stream.type === 'VP8L') {
    demand(bytes.big(1) === 0x2f)
    const packed = bytes.little(4)
    return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
  }
  const tag = bytes.little(3)
  // A key frame, whose first partition is there.
  demand((tag & 1) === 0 && tag >>> 5 <= bytes.left && bytes.big(3) === 0x9d012a)
  const frame = { width: bytes.little(2) & 0x3fff, height: bytes.little(2) & 0x3fff }
  demand(frame.width > 0 && frame.height > 0)
  return frame
}
