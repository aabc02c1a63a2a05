import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { changed } from '../../../src/core/lists/search.ts'
import { SERVER_RANGES, type ServerPageSearch, type ServerRange } from '../../data/servers/server-search.ts'
import { useTeam } from '../../data/session.ts'
import { readZoom, zoomSince } from '../../data/zoom.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { CursorContext, createCursor } from '../../parts/charts/cursor.ts'
import { Shades } from '../../parts/charts/key.tsx'
import { Refused } from '../../parts/feedback/refused.tsx'
import { SELECT_LOOK } from '../../parts/field.tsx'
import { LazyPart, LoadAgain, preloaded } from '../../parts/lazy-part.tsx'
import { useSubjectMaintenance } from '../../parts/maintenance/subject-maintenance.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Segments } from '../../parts/segments.tsx'
import { spansOf } from './chart/columns.ts'
import { type ChartModel, type Chosen, chartsOf, withChartsBefore } from './chart/models.ts'
import { timeAxisOf } from './chart/time-axis.ts'
import { type Server, USUAL_RANGE, useServerHistory, useServerIncidents } from './server-data.ts'

// The library that draws is the heaviest part of the page.
const ServerChart = preloaded(() => import('./chart/chart.tsx'))

const RANGES: Record<ServerRange, string> = {
  '1h': '1 h',
  '6h': '6 h',
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
  '90d': '90 d',
}

/** The charts of a server over one stretch of time. */
export function ServerCharts({ server, search }: { server: Server; search: ServerPageSearch }) {
  const { id: team } = useTeam()
  const navigate = useNavigate({ from: '/teams/$team/servers/$server' })
  const [cursor] = useState(createCursor)
  const [chosen, setChosen] = useState<Chosen>({})
  const { data, error, isPlaceholderData } = useServerHistory(team, server.id, search)
  const incidents = useServerIncidents(team, server.id).data?.data
  const maintenance = useSubjectMaintenance(team, { kind: 'server', id: server.id }).data?.data.current
  const history = data?.data
  const known = useMemo(() => (history ? chartsOf(history, chosen) : []), [history, chosen])
  const models = useKeptCharts(known, search.from !== undefined)
  const isZoomed = search.from !== undefined
  const axis = useMemo(() => {
    const whole = history && timeAxisOf(history, spansOf(incidents ?? [], maintenance ?? [], history.to))
    return whole && !isZoomed ? { ...whole, ...zoomSince(whole, server.created_at) } : whole
  }, [history, incidents, maintenance, isZoomed, server.created_at])

  function show(change: Pick<ServerPageSearch, 'range' | 'from' | 'to'>) {
    cursor.set(null)
    void navigate({
      search: changed<ServerPageSearch>({ from: undefined, to: undefined, ...change }),
      replace: true,
      resetScroll: false,
    })
  }

  return (
    <Panel
      title={t('History')}
      actions={
        <>
          {isZoomed && (
            <Button size="small" onClick={() => show({})}>
              {t('Reset zoom')}
            </Button>
          )}
          <Segments
            label={t('Period')}
            value={isZoomed ? ('zoomed' as ServerRange) : (search.range ?? USUAL_RANGE)}
            options={SERVER_RANGES.map((value) => ({ value, label: RANGES[value] }))}
            onChoose={(range) => show({ range })}
          />
        </>
      }
    >
      <CursorContext value={cursor}>
        {error && !history ? (
          <div className="p-4">
            <Refused error={error} />
          </div>
        ) : !axis ? (
          <div className="min-h-96" aria-busy="true" />
        ) : models.length === 0 ? (
          <NoReports />
        ) : (
          <LazyPart
            waiting={<div className="min-h-96" aria-busy="true" />}
            failed={
              <div className="p-4">
                <LoadAgain>{t('The charts could not be drawn.')}</LoadAgain>
              </div>
            }
          >
            {known.length === 0 && <NoReports />}
            <div
              className={`grid grid-cols-[minmax(0,1fr)] gap-4 p-4 xl:grid-cols-2 ${isPlaceholderData ? 'opacity-70' : ''}`}
            >
              {models.map((model) => (
                <ServerChart
                  key={model.id}
                  model={model}
                  axis={axis}
                  asked={readZoom(search.from, search.to) ?? axis}
                  actions={
                    <PartPicker model={model} onChoose={(change) => setChosen({ ...chosen, ...change })} />
                  }
                  onZoom={show}
                />
              ))}
            </div>
            <ul
              className="flex flex-wrap gap-x-5 gap-y-1.5 border-t border-line px-4 py-3 text-sm text-soft"
              aria-label={t('Legend of shades')}
            >
              <Shades />
              <li className="pointer-coarse:hidden">
                {t('Draw along a chart to zoom in, or press + and − in it.')}
              </li>
              <li className="hidden pointer-coarse:block">
                {t('Pinch a chart with two fingers to zoom in.')}
              </li>
            </ul>
          </LazyPart>
        )}
      </CursorContext>
    </Panel>
  )
}

function NoReports() {
  return (
    <p role="status" className="px-4 pt-6 pb-2 text-soft">
      {t('No reports in this period.')}
    </p>
  )
}

/** A zoom keeps the charts that it began in. */
function useKeptCharts(known: ChartModel[], isZoomed: boolean): ChartModel[] {
  const drawn = useRef<ChartModel[]>([])
  drawn.current = isZoomed ? withChartsBefore(drawn.current, known) : known
  return drawn.current
}

const PICKED = {
  disks: { key: 'disk', label: t('Disk'), all: t('All disks') },
  network: { key: 'interface', label: t('Interface'), all: t('All interfaces') },
} as const

function PartPicker({ model, onChoose }: { model: ChartModel; onChoose: (chosen: Chosen) => void }) {
  const picked = model.id === 'disks' || model.id === 'network' ? PICKED[model.id] : null
  if (!picked || model.parts.length === 0) return null
  return (
    <select
      aria-label={picked.label}
      className={`${SELECT_LOOK} h-9 max-w-48 text-sm`}
      value={model.part ?? ''}
      onChange={({ target }) => onChoose({ [picked.key]: target.value || undefined })}
    >
      <option value="">{picked.all}</option>
      {model.parts.map((part) => (
        <option key={part} value={part}>
          {part}
        </option>
      ))}
    </select>
  )
}
