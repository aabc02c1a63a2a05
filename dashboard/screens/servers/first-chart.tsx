import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { LazyPart, LoadAgain, preloaded } from '../../parts/lazy-part.tsx'
import { StatusMark } from '../../parts/monitors/status.tsx'
import { chartsOf } from './chart/models.ts'
import { timeAxisOf } from './chart/time-axis.ts'
import { type Server, useServerHistory } from './server-data.ts'

const ServerChart = preloaded(() => import('./chart/chart.tsx'))

/** A machine that has just begun gets its next figures soon. */
const REFRESH_MS = 5_000

/** The figures so far: memory is there at once, rates need two reports. */
export function FirstChart({ server }: { server: Server }) {
  const { id: team } = useTeam()
  const { data } = useServerHistory(team, server.id, { range: '1h' }, { refreshMs: REFRESH_MS })
  const history = data?.data
  const [model] = history ? chartsOf(history).filter(({ id }) => id === 'cpu' || id === 'memory') : []
  return (
    <>
      <p className="mb-2 flex items-center gap-2 font-medium">
        <StatusMark status="up" />
        {server.host_name === null
          ? t('The machine reports.')
          : t('{name} reports.', { name: server.host_name })}
      </p>
      {history && model && (
        <LazyPart failed={<LoadAgain>{t('The chart could not be drawn.')}</LoadAgain>}>
          <ServerChart key={model.id} model={model} axis={timeAxisOf(history, [])} onZoom={() => {}} />
        </LazyPart>
      )}
    </>
  )
}
