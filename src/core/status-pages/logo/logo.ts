/** Raster images that every browser shows. SVG is not among them: it can hold script. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export type LogoType = (typeof LOGO_TYPES)[number]

/** The first bytes of each type; null stands for any byte. */
const SIGNATURES: [LogoType, (number | null)[]][] = [
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/webp', [...bytes('RIFF'), null, null, null, null, ...bytes('WEBP')]],
  ['image/gif', [...bytes('GIF87a')]],
  ['image/gif', [...bytes('GIF89a')]],
]

/** The type of an image by its bytes, whatever it is called; null for anything else. */
export function logoTypeOf(image: Uint8Array): LogoType | null {
  const found = SIGNATURES.find(([, signature]) =>
    signature.every((byte, index) => image[index] !== undefined && (byte === null || byte === image[index])),
  )
  return found?.[0] ?? null
}

function bytes(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0))
}
