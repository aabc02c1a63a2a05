import { useSyncExternalStore } from 'react'
import type uPlot from 'uplot'
import type { Span } from './rows.ts'

const TOKENS = [
  'ink',
  'soft',
  'line',
  'accent',
  'panel',
  'down',
  'degraded',
  'paused',
  'maintenance',
  'chart-1',
  'chart-2',
  'chart-3',
  'chart-4',
  'chart-5',
  'chart-6',
] as const
export type Colours = Record<(typeof TOKENS)[number], string>

/** The colors of the theme, for painting; new ones when the theme changes. */
export function useColours(): Colours {
  const values = useSyncExternalStore(listen, read)
  const colours = values.split('|')
  return Object.fromEntries(TOKENS.map((token, index) => [token, colours[index]])) as Colours
}

const dark = matchMedia('(prefers-color-scheme: dark)')
const known = new Map<string, string>()

/** The colors of the theme, which React asks for at every turn. */
function read(): string {
  const theme = document.documentElement.dataset.theme ?? (dark.matches ? 'dark' : 'light')
  const colours = known.get(theme) ?? shown()
  known.set(theme, colours)
  return colours
}

/** A token itself names two colors (`light-dark()`): only an element shows which of them it is. */
function shown(): string {
  const element = document.createElement('span')
  document.body.append(element)
  const style = getComputedStyle(element)
  const colours = TOKENS.map((token) => {
    element.style.color = `var(--${token})`
    return hexOf(style.color)
  })
  element.remove()
  return colours.join('|')
}

/** `#0b6e4f` of `rgb(11, 110, 79)`, behind which a chart writes how much of it shows through. */
function hexOf(rgb: string): string {
  const parts = rgb.match(/\d+/g) ?? []
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`
}

function listen(listener: () => void) {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  dark.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    dark.removeEventListener('change', listener)
  }
}

const TILE = 8
const NARROWEST = 2

/**
 * Shades outages, warnings, pauses and maintenance behind the lines. Each kind has a pattern and a bar on top, not only a color.
 */
export function shade(chart: uPlot, spans: readonly Span[], colours: Colours): void {
  const { ctx, bbox } = chart
  const pixel = devicePixelRatio
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { kind, from, to } of spans) {
    const left = chart.valToPos(from, 'x', true)
    const width = Math.max(NARROWEST * pixel, chart.valToPos(to, 'x', true) - left)
    const colour = colours[kind]
    ctx.globalAlpha = 0.1
    ctx.fillStyle = colour
    ctx.fillRect(left, bbox.top, width, bbox.height)
    ctx.globalAlpha = 0.45
    ctx.fillStyle = ctx.createPattern(patternOf(kind, colour, pixel), 'repeat') ?? colour
    ctx.fillRect(left, bbox.top, width, bbox.height)
    ctx.globalAlpha = 1
    ctx.fillStyle = colour
    ctx.fillRect(left, bbox.top, width, 3 * pixel)
  }
  ctx.restore()
}

/** The same patterns as in the legend below the chart. */
function patternOf(kind: Span['kind'], colour: string, pixel: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  const size = Math.round(TILE * pixel)
  canvas.width = size
  canvas.height = size
  const ctx = canvas.getContext('2d')
  if (!ctx) return canvas
  ctx.strokeStyle = colour
  ctx.fillStyle = colour
  ctx.lineWidth = pixel
  ctx.beginPath()
  if (kind === 'paused') {
    ctx.arc(size / 2, size / 2, pixel, 0, Math.PI * 2)
    ctx.fill()
  } else if (kind === 'degraded') {
    ctx.moveTo(0, size / 2)
    ctx.lineTo(size, size / 2)
  } else if (kind === 'maintenance') {
    ctx.moveTo(size / 2, 0)
    ctx.lineTo(size / 2, size)
  } else {
    // Thrice, so that the corners of the tiles meet.
    for (const shift of [-size, 0, size]) {
      ctx.moveTo(shift, size)
      ctx.lineTo(shift + size, 0)
    }
  }
  ctx.stroke()
  return canvas
}
