import { t } from '../../../language/language.ts'
import { useCursorIndex } from '../../../parts/charts/cursor.ts'
import { LineKey } from '../../../parts/charts/key.tsx'
import { sayStepTime } from '../../../parts/charts/step-time.ts'
import { strokeOf } from '../../../parts/charts/strokes.ts'
import { sayValue } from '../../../parts/servers/figures.ts'
import type { ChartLine, ChartModel } from './models.ts'
import type { TimeAxis } from './time-axis.ts'

/** The lines with their figures. */
export function Legend({ model }: { model: ChartModel }) {
  const index = useCursorIndex() ?? latestIndex(model)
  return (
    <ul
      className="flex flex-wrap gap-x-4 gap-y-0.5 px-4 pb-1 text-sm text-soft"
      aria-label={t('{title}: legend', { title: model.title })}
    >
      {model.lines.map((line, place) => (
        <LineKey key={line.label} look={{ width: 2, ...strokeOf(place) }}>
          <span className="min-w-0 break-all">
            {line.label} <span className="whitespace-nowrap text-ink">{sayPoint(line, index, model)}</span>
          </span>
        </LineKey>
      ))}
      {model.note && <li>{model.note}</li>}
    </ul>
  )
}

/** The newest point of which anything is known. */
export function latestIndex({ lines }: ChartModel): number {
  return Math.max(-1, ...lines.map(({ values }) => values.findLastIndex((value) => value !== null)))
}

function sayPoint({ values, band }: ChartLine, index: number, { unit }: ChartModel): string {
  const value = sayValue(values[index], unit)
  const [low, high] = [band?.min[index], band?.max[index]]
  if (low === null || low === undefined || high === null || high === undefined || low === high) return value
  return t('{value} ({low} to {high})', { value, low: sayValue(low, unit), high: sayValue(high, unit) })
}

/** A row in one sentence, for screen readers. */
export function sayRow(model: ChartModel, { times, stepSeconds }: TimeAxis, index: number): string {
  const at = times[index]
  if (at === undefined) return t('Nothing is known of this period.')
  const figures = model.lines.map((line) => `${line.label} ${sayPoint(line, index, model)}`)
  return `${sayTime(at, stepSeconds)}. ${figures.join(', ')}`
}

/** When the step of a point begins. */
export function sayTime(atSeconds: number, stepSeconds: number): string {
  return sayStepTime(new Date((atSeconds - stepSeconds / 2) * 1_000), stepSeconds)
}
