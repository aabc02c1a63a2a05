import { useMemo, useState } from 'react'
import { MAX_STRETCH_DAYS } from '../../../../src/core/history/report-stretch.ts'
import type { Zoom } from '../../../data/zoom.ts'
import { t } from '../../../language/language.ts'
import { CursorContext, createCursor } from '../../../parts/charts/cursor.ts'
import { TimeChart } from '../../../parts/charts/time-chart.tsx'
import type { Report } from '../monitor-data.ts'
import { type ChartModel, timeModel } from './chart-model.ts'
import { ChartTip, sayRow } from './chart-tip.tsx'

const MAX_SECONDS = MAX_STRETCH_DAYS * 86_400

/** Response times over time. */
export default function MonitorChart({
  report,
  model,
  shown,
  asked,
  onZoom,
}: {
  report: Report
  model: ChartModel
  /** The part of the report that is drawn. */
  shown: Zoom
  /** The stretch that was asked for last: its report may be still to come. */
  asked: Zoom
  onZoom: (zoom: Zoom) => void
}) {
  const [cursor] = useState(createCursor)
  const timed = useMemo(
    () => timeModel(model, report, { from: shown.from, to: shown.to }),
    [model, report, shown.from, shown.to],
  )
  const isEmpty = model.points.length === 0
  return (
    <CursorContext value={cursor}>
      <TimeChart
        model={timed}
        size="large"
        label={t('Response times, point by point')}
        sayPoint={(index) => sayRow(report, model, index)}
        rest={model.points.length - 1}
        asked={asked}
        maxSeconds={MAX_SECONDS}
        onZoom={onZoom}
      >
        {isEmpty ? (
          <p className="absolute inset-0 grid place-items-center text-soft">
            {t('No checks in this period.')}
          </p>
        ) : (
          <ChartTip report={report} model={model} />
        )}
      </TimeChart>
    </CursorContext>
  )
}
