import type { StateTimes } from '../../core/history/uptime.ts'
import {
  DAY_STATES,
  type DayRun,
  type DayState,
  hasTrouble,
  MIN_SHOWN_UNKNOWN_MS,
  runsOfDays,
} from '../../core/status-pages/day-state.ts'
import type { ComponentDay, ComponentHistory } from '../../core/status-pages/page-model.ts'
import { escapeHtml } from '../escape-html.ts'
import type { PageView } from './view.ts'

/** Width of a day in the drawing; a dash of the style sheet leaves a gap between days. */
const DAY_WIDTH = 4
const HEIGHT = 32

/** The middle of each line of a bar: the heights, which the style sheet draws, stand on one ground and differ. */
const MIDDLES: Record<DayState, number[]> = {
  up: [21],
  short_outage: [18],
  outage: [16],
  maintenance: [15, 27],
  unknown: [29],
  none: [30],
}

/** One drawing for a row of days, and behind it the days on which something happened, in words. */
export function barsOf(view: PageView, id: number, history: ComponentHistory): string {
  const { words, say } = view
  const { days, uptime, maintenanceMs, unknownMs } = history
  const figure = uptime === null ? words.uptime.none : words.uptime.of(say.percent(uptime))
  const numbers = numbersOf(view, days)
  const lines = [...numbers].reverse().map(([{ day }, said]) => `<li>${escapeHtml(say.day(day))}: ${said}`)
  const list = lines.length === 0 ? `<p>${escapeHtml(words.uptime.quiet)}</p>` : `<ul>${lines.join('')}</ul>`
  return `<details class="days" id="d${id}"><summary>${drawing(view, days, numbers)}<span class="ends"><span>${escapeHtml(days[0] ? say.shortDay(days[0].day) : '')}</span><b>${escapeHtml(figure)}</b><span>${escapeHtml(words.uptime.today)}</span></span></summary>${list}${notCounted(view, maintenanceMs, unknownMs)}</details>`
}

function drawing(view: PageView, days: readonly ComponentDay[], numbers: Numbers): string {
  const runs = runsOfDays(days).map((run) =>
    runOf(run.state, run.from, run.days.length, titleOf(view, run, numbers)),
  )
  return `<svg class="bars" viewBox="0 0 ${days.length * DAY_WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${runs.join('')}</svg>`
}

function runOf(state: DayState, from: number, days: number, title: string): string {
  const line = MIDDLES[state].map((y) => `M${from * DAY_WIDTH} ${y}h${days * DAY_WIDTH}`).join('')
  return `<path class="${state}" d="${line}"><title>${title}</title></path>`
}

/** How bars are read: one of each kind. */
export function keyOfBars({ words }: PageView): string {
  const entries = DAY_STATES.map((state) => {
    const word = escapeHtml(words.days[state])
    return `<li><svg class="bars" viewBox="0 0 3 ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${runOf(state, 0, 1, word)}</svg>${word}`
  })
  return `<ul class="key">${entries.join('')}</ul>`
}

/** The date in a line of its own, so that the script can name each day of a run. */
function titleOf({ words, say }: PageView, { state, days }: DayRun, numbers: Numbers): string {
  const [first, last] = [days[0], days.at(-1)] as [ComponentDay, ComponentDay]
  const date = first === last ? say.day(first.day) : say.days(first.day, last.day)
  return `${escapeHtml(date)}\n${numbers.get(first) ?? escapeHtml(words.days[state])}`
}

/** Times of the days that had trouble, in words: the drawing and the list both say them. */
type Numbers = ReadonlyMap<ComponentDay, string>

function numbersOf({ words, say }: PageView, days: readonly ComponentDay[]): Numbers {
  const numbers = new Map<ComponentDay, string>()
  for (const day of days) {
    if (day.times !== null && hasTrouble(day.times)) {
      numbers.set(day, escapeHtml(partsOf(day.times).join(', ')))
    }
  }
  return numbers

  function partsOf({ downMs, maintenanceMs, unknownMs }: StateTimes): string[] {
    const { uptime } = words
    return [
      downMs > 0 ? uptime.down(say.duration(downMs)) : '',
      maintenanceMs > 0 ? uptime.maintenance(say.duration(maintenanceMs)) : '',
      unknownMs >= MIN_SHOWN_UNKNOWN_MS ? uptime.unknown(say.duration(unknownMs)) : '',
    ].filter(Boolean)
  }
}

function notCounted({ words, say }: PageView, maintenanceMs: number, unknownMs: number): string {
  const parts = [
    maintenanceMs > 0 ? words.uptime.maintenance(say.duration(maintenanceMs)) : '',
    unknownMs >= MIN_SHOWN_UNKNOWN_MS ? words.uptime.unknown(say.duration(unknownMs)) : '',
  ].filter(Boolean)
  return parts.length === 0 ? '' : `<p class="soft">Σ ${escapeHtml(parts.join(', '))}</p>`
}
