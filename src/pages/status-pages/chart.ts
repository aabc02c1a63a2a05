import { html } from 'hono/html'
import type { ComponentChart } from '../../core/status-pages/page-model.ts'
import type { Html } from '../page.ts'
import type { PageView } from './view.ts'

const HEIGHT = 40

/** Response times as one line, broken where none passed; its figures in words below it. */
export function chartOf({ words, say }: PageView, { medianMs }: ComponentChart): Html {
  const known = medianMs.filter((value) => value !== null).sort((a, b) => a - b)
  const highest = known.at(-1)
  if (highest === undefined) return html`<p class="soft">${words.chart.none}</p>`
  const median = known[known.length >> 1] as number
  return html`<figure class="chart"><svg viewBox="0 0 ${medianMs.length - 1} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><path d="${lineOf(medianMs, highest)}"/></svg>
<figcaption>${words.chart.title}: <b>${words.chart.median(say.milliseconds(median))}</b>, ${words.chart.highest(say.milliseconds(highest))}</figcaption></figure>`
}

function lineOf(medianMs: readonly (number | null)[], highest: number): string {
  let path = ''
  let isDrawing = false
  for (const [x, value] of medianMs.entries()) {
    if (value !== null) {
      const y = Math.round(HEIGHT - 1 - (value / Math.max(1, highest)) * (HEIGHT - 2))
      // A value alone is a dot as wide as the line.
      path += isDrawing ? ` ${x} ${y}` : `M${x} ${y}h0L${x} ${y}`
    }
    isDrawing = value !== null
  }
  return path
}
