import type { Zoom } from '../../../data/zoom.ts'
import { t } from '../../../language/language.ts'
import { Refused } from '../../../parts/feedback/refused.tsx'
import { LazyPart, LoadAgain, preloaded } from '../../../parts/lazy-part.tsx'
import type { useReport } from '../monitor-data.ts'
import type { ChartModel } from './chart-model.ts'

// The library that draws is the heaviest part of the page, and a heartbeat has no chart.
const MonitorChart = preloaded(() => import('./chart.tsx'))

/** The plot of response times, or why there is none. */
export function PlotPlace({
  answer,
  model,
  shown,
  asked,
  onZoom,
}: {
  answer: ReturnType<typeof useReport>
  model: ChartModel | undefined
  shown: Zoom | undefined
  asked: Zoom | undefined
  onZoom: (zoom: Zoom) => void
}) {
  const report = answer.data?.data
  if (answer.isError && !report) {
    return (
      <div className="p-4">
        <Refused error={answer.error} />
      </div>
    )
  }
  return (
    <LazyPart
      waiting={<div aria-busy="true" />}
      // The table still shows the figures.
      failed={
        <div className="p-4">
          <LoadAgain>{t('The chart could not be drawn.')}</LoadAgain>
        </div>
      }
    >
      {report && model && shown && asked && (
        <MonitorChart report={report} model={model} shown={shown} asked={asked} onZoom={onZoom} />
      )}
    </LazyPart>
  )
}
