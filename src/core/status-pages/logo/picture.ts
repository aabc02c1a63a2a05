/** The width and height of a picture, or of one frame of an animation. */
export type Frame = { width: number; height: number }

/** Compressed pixels, in parts, and the number of bytes that they must unpack to. */
export type PackedPixels = { parts: Uint8Array[]; bytes: number }

/** A picture whose parts all stand where its format wants them. `frames` has one entry unless it is animated. */
export type Picture = { canvas: Frame; frames: Frame[]; packed: PackedPixels[] }

/** Why there is no picture: its bytes end too early or contradict each other, or something stands behind its end. */
export class BrokenPicture extends Error {
  readonly kind: 'damaged' | 'more'

  constructor(kind: 'damaged' | 'more') {
    super(kind)
    this.kind = kind
  }
}

export function demand(condition: boolean): asserts condition {
  if (!condition) throw new BrokenPicture('damaged')
}

/** Reads numbers of a picture; throws a BrokenPicture where it ends too early. */
export class PictureBytes {
  readonly bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get left(): number {
    return this.bytes.length - this.at
  }

  take(length: number): Uint8Array {
    demand(length <= this.left)
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  text(length: number): string {
    return String.fromCharCode(...this.take(length))
  }

  /** A number of up to four bytes, the highest first. */
  big(length: number): number {
    return this.take(length).reduce((sum, byte) => sum * 256 + byte, 0)
  }

  /** The lowest first. */
  little(length: number): number {
    return this.take(length).reduceRight((sum, byte) => sum * 256 + byte, 0)
  }

  end(): void {
    if (this.left > 0) throw new BrokenPicture('more')
  }
}
