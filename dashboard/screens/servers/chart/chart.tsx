import { type ReactNode, useMemo } from 'react'
import { RANGE_SECONDS } from '../../../data/servers/server-search.ts'
import type { Zoom } from '../../../data/zoom.ts'
import { t } from '../../../language/language.ts'
import { useCursorIndex } from '../../../parts/charts/cursor.ts'
import { ChartTable, type TableRow } from '../../../parts/charts/table.tsx'
import { TimeChart } from '../../../parts/charts/time-chart.tsx'
import { sayValue } from '../../../parts/servers/figures.ts'
import { timeModel } from './columns.ts'
import { Legend, latestIndex, sayRow, sayTime } from './legend.tsx'
import type { ChartModel } from './models.ts'
import type { TimeAxis } from './time-axis.ts'

/** One subject over time. The figures above it are those under the pointer, which all charts share, or the newest. */
export default function ServerChart({
  model,
  axis,
  asked = axis,
  actions,
  onZoom,
}: {
  model: ChartModel
  axis: TimeAxis
  /** The stretch that was asked for last, where it is still to come. */
  asked?: Zoom
  actions?: ReactNode
  onZoom: (zoom: Zoom) => void
}) {
  const { title } = model
  const timed = useMemo(() => timeModel(model, axis), [model, axis])
  return (
    <section
      aria-label={t('{title} over time', { title })}
      className="min-w-0 rounded-lg border border-line bg-panel"
    >
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 px-4 pt-2">
        <h3 className="font-semibold">{title}</h3>
        <span className="flex items-center gap-3">
          <Moment axis={axis} />
          {actions}
        </span>
      </div>
      <Legend model={model} />
      <TimeChart
        model={timed}
        size="small"
        label={t('{title}, point by point', { title })}
        sayPoint={(index) => sayRow(model, axis, index)}
        rest={latestIndex(model)}
        asked={asked}
        maxSeconds={RANGE_SECONDS['90d']}
        sync="server"
        className="mx-1"
        onZoom={onZoom}
      />
      <ChartTable
        label={t('{title} as a table', { title })}
        size="small"
        heads={model.lines.map(({ label }) => label)}
        rows={() => rowsOf(model, axis)}
      />
    </section>
  )
}

function Moment({ axis: { times, stepSeconds } }: { axis: TimeAxis }) {
  const index = useCursorIndex()
  const at = index === null ? undefined : times[index]
  return <span className="text-sm text-soft">{at !== undefined && sayTime(at, stepSeconds)}</span>
}

/** The rows of which something is known. */
function rowsOf({ lines, unit }: ChartModel, { times, stepSeconds }: TimeAxis): TableRow[] {
  return times
    .flatMap((at, index) => {
      const values = lines.map(({ values: all }) => all[index] ?? null)
      if (values.every((value) => value === null)) return []
      return [{ at, from: sayTime(at, stepSeconds), cells: values.map((value) => sayValue(value, unit)) }]
    })
    .toReversed()
}
