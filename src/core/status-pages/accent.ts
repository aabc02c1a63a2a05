/** A color in sRGB: red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number]

/** The contrast of text with its ground (WCAG 2.2, 1.4.3). */
export const MIN_TEXT_CONTRAST = 4.5
/** Steps of a hundredth toward black or white. */
const STEPS = 100

/** An accent as a page uses it: for text on its ground, and as a ground with the text that can be read on it. */
export type Accent = { text: string; ground: string; onGround: '#ffffff' | '#000000' }

/**
 * Makes a team's color readable on `paper`, whatever color it is: as text it is darkened on light paper and lightened on
 * dark, no more than contrast asks; as a ground it stays as it is, and the text on it is black or white.
 */
export function accentOn(color: string, paper: string): Accent {
  const ground = rgbOf(color)
  const end: Rgb = luminance(rgbOf(paper)) > 0.18 ? [0, 0, 0] : [255, 255, 255]
  let text = ground
  for (let step = 1; contrast(text, rgbOf(paper)) < MIN_TEXT_CONTRAST && step <= STEPS; step++) {
    text = mix(ground, end, step / STEPS)
  }
  const isDark = contrast(ground, [255, 255, 255]) >= contrast(ground, [0, 0, 0])
  return { text: hexOf(text), ground: hexOf(ground), onGround: isDark ? '#ffffff' : '#000000' }
}

/** Contrast of two colors by WCAG 2: from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(rgbOf(one), rgbOf(other))
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (value: number) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(from[index] + (to[index] - from[index]) * share)
  return [at(0), at(1), at(2)]
}

/** `#rrggbb`, as the schema of the setting takes it. */
function rgbOf(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function hexOf(rgb: Rgb): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`
}
