import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sayProblem } from '../../data/problem.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Button } from '../../parts/button.tsx'
import { Empty, Panel, Waiting } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { Segments } from '../../parts/segments.tsx'
import { CheckLine } from './monitor-check-line.tsx'
import { type Monitor, useChecks } from './monitor-data.ts'

const SHOWN_FIRST = 15
const SHOWN_MORE = 50

const FILTERS = [
  { value: 'all', label: t('All') },
  { value: 'failed', label: t('Failed') },
] as const

/** The results of checks, newest first. */
export function MonitorChecks({ monitor, failed }: { monitor: Monitor; failed: boolean }) {
  const { id: team } = useTeam()
  const navigate = useNavigate({ from: '/teams/$team/monitors/$monitor' })
  const [shown, setShown] = useState(SHOWN_FIRST)
  const answer = useChecks(team, monitor, failed)
  const checks = answer.data?.pages.flatMap(({ data }) => data) ?? []
  const isHeartbeat = monitor.type === 'heartbeat'
  const of = { type: monitor.type, target: monitor.url }

  function filter(chosen: 'all' | 'failed') {
    setShown(SHOWN_FIRST)
    void navigate({
      search: ({ failed: _, ...kept }) => (chosen === 'failed' ? { ...kept, failed: true as const } : kept),
      replace: true,
      resetScroll: false,
    })
  }

  async function showOlder() {
    if (checks.length < shown + SHOWN_MORE && answer.hasNextPage) await answer.fetchNextPage()
    setShown(shown + SHOWN_MORE)
  }

  return (
    <Panel
      title={isHeartbeat ? t('Pings and missed deadlines') : t('Checks')}
      className="min-w-0"
      actions={
        <>
          <Segments
            label={t('Filter checks')}
            value={failed ? 'failed' : 'all'}
            options={FILTERS}
            onChoose={filter}
          />
          <ListMenu
            list="checks"
            label={t('More for these checks')}
            query={{ monitor: monitor.id, ...(failed && { status: 'down' }) }}
          />
        </>
      }
    >
      {answer.isPending && <Waiting lines={8} />}
      {answer.isError && (
        <p role="alert" className="p-4 text-down">
          {sayProblem(answer.error)}
        </p>
      )}
      {answer.isSuccess && checks.length === 0 && <NoChecks failed={failed} monitor={monitor} />}
      {checks.length > 0 && (
        <table
          aria-busy={answer.isPlaceholderData}
          className={`w-full text-left max-sm:text-sm ${answer.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <CheckHead isHeartbeat={isHeartbeat} />
          <tbody>
            {checks.slice(0, shown).map((check) => (
              <CheckLine key={check.checked_at + check.region} monitor={monitor.id} check={check} of={of} />
            ))}
          </tbody>
        </table>
      )}
      {(answer.hasNextPage || checks.length > shown) && (
        <div className="border-t border-line p-2 text-center">
          <Button tone="quiet" busy={answer.isFetchingNextPage} onClick={() => void showOlder()}>
            {t('Show older')}
          </Button>
        </div>
      )}
    </Panel>
  )
}

function CheckHead({ isHeartbeat }: { isHeartbeat: boolean }) {
  const cell = 'px-2 py-2 font-medium'
  return (
    <thead className="border-b border-line text-sm text-soft">
      <tr>
        <th className="py-2 pr-2 pl-4 font-medium">{t('Time')}</th>
        <th className="px-1 py-2 font-medium sm:px-2">{t('Status')}</th>
        {!isHeartbeat && (
          <>
            <th className={`${cell} pr-4 text-right sm:pr-2`}>{t('Response')}</th>
            <th className={`${cell} hidden text-right sm:table-cell`}>{t('Code')}</th>
          </>
        )}
        <th className={`${cell} hidden lg:table-cell`}>{t('Region')}</th>
        <th className={`${cell} hidden w-1/2 md:table-cell`}>{t('Reason')}</th>
      </tr>
    </thead>
  )
}

function NoChecks({ failed, monitor }: { failed: boolean; monitor: Monitor }) {
  if (failed)
    return (
      <Empty title={t('No failed checks')}>
        {t('All stored checks passed, or failed inside a maintenance window.')}
      </Empty>
    )
  if (!monitor.is_active)
    return <Empty title={t('No checks yet')}>{t('The monitor is paused. Resume it to start checks.')}</Empty>
  if (monitor.type === 'heartbeat')
    return <Empty title={t('No pings yet')}>{t('Have your job call the ping URL when it is done.')}</Empty>
  return <Empty title={t('No checks yet')}>{t('The first one runs within a second or two.')}</Empty>
}
