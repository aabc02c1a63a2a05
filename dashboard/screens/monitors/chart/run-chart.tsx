import { useMemo, useState } from 'react'
import type { Zoom } from '../../../data/zoom.ts'
import { t } from '../../../language/language.ts'
import { CursorContext, createCursor } from '../../../parts/charts/cursor.ts'
import { ChartTable } from '../../../parts/charts/table.tsx'
import { TimeChart } from '../../../parts/charts/time-chart.tsx'
import { sayMoment } from '../../../parts/time.tsx'
import { type Run, runModel, sayRun } from './run-model.ts'

/** How long the runs of a job took. */
export default function RunChart({
  runs,
  maxSeconds,
}: {
  runs: readonly Run[]
  maxSeconds: number | undefined
}) {
  const [cursor] = useState(createCursor)
  const [zoom, setZoom] = useState<Zoom | null>(null)
  const model = useMemo(() => ({ ...runModel(runs, maxSeconds), ...zoom }), [runs, maxSeconds, zoom])
  const whole = { from: runs[0]?.at ?? 0, to: runs.at(-1)?.at ?? 0 }
  const sayAt = ({ at, seconds }: Run) => `${sayMoment(at * 1_000)}: ${sayRun(seconds)}`
  return (
    <CursorContext value={cursor}>
      <section aria-label={t('Durations of runs')} className="border-b border-line pt-2">
        <h3 className="px-4 text-sm font-semibold">{t('Durations of runs')}</h3>
        <TimeChart
          model={model}
          size="small"
          label={t('Durations of runs, one by one')}
          sayPoint={(index) => {
            const run = runs[index]
            return run ? sayAt(run) : ''
          }}
          rest={runs.length - 1}
          asked={zoom ?? whole}
          maxSeconds={whole.to - whole.from}
          className="mx-1"
          // Nothing else was read: beyond it, the whole is shown again.
          onZoom={(next) => setZoom(next.from <= whole.from && next.to >= whole.to ? null : next)}
        />
        <ChartTable
          label={t('Durations of runs as a table')}
          size="small"
          heads={[t('Duration')]}
          rows={() =>
            runs
              .map(({ at, seconds }) => ({ at, from: sayMoment(at * 1_000), cells: [sayRun(seconds)] }))
              .toReversed()
          }
        />
      </section>
    </CursorContext>
  )
}
