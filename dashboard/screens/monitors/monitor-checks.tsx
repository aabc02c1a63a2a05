import { useNavigate } from '@tanstack/react-router'
import type { CheckDetail } from '../../../src/core/history/monitor-report.ts'
import { isSetByHand, MONITOR_TYPES } from '../../../src/core/monitors/monitor-types.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { HeldArea } from '../../parts/lists/held-list.tsx'
import { useOlder } from '../../parts/lists/older.tsx'
import { Empty, Panel } from '../../parts/panel.tsx'
import { ListMenu } from '../../parts/reports/list-menu.tsx'
import { Segments } from '../../parts/segments.tsx'
import { CheckLine } from './monitor-check-line.tsx'
import { type Monitor, useChecks } from './monitor-data.ts'

const SHOWN = { first: 15, more: 50 }

const FILTERS = [
  { value: 'all', label: t('All') },
  { value: 'failed', label: t('Failed') },
] as const

/** The results of checks, newest first. */
export function MonitorChecks({ monitor, failed }: { monitor: Monitor; failed: boolean }) {
  const { id: team } = useTeam()
  const navigate = useNavigate({ from: '/teams/$team/monitors/$monitor' })
  const answer = useChecks(team, monitor, failed)
  const { held, older, startOver } = useOlder(answer, { ...SHOWN, keyOf, list: String(failed) })
  const isHeartbeat = monitor.type === 'heartbeat'
  const { isProbed } = MONITOR_TYPES[monitor.type]
  const of = { type: monitor.type, target: monitor.url }

  function filter(chosen: 'all' | 'failed') {
    startOver()
    void navigate({
      search: ({ failed: _, ...kept }) => (chosen === 'failed' ? { ...kept, failed: true as const } : kept),
      replace: true,
      resetScroll: false,
    })
  }

  return (
    <Panel
      title={isHeartbeat ? t('Pings and missed deadlines') : isProbed ? t('Checks') : t('Changes')}
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
      <Answered answer={answer} lines={8}>
        {() =>
          held.rows.length === 0 ? (
            <NoChecks failed={failed} monitor={monitor} />
          ) : (
            <HeldArea held={held}>
              <table
                aria-busy={answer.isPlaceholderData}
                className={`w-full text-left max-sm:text-sm ${answer.isPlaceholderData ? 'opacity-60' : ''}`}
              >
                <CheckHead isProbed={isProbed} />
                <tbody>
                  {held.rows.map((check) => (
                    <CheckLine key={keyOf(check)} monitor={monitor.id} check={check} of={of} />
                  ))}
                </tbody>
              </table>
            </HeldArea>
          )
        }
      </Answered>
      {older}
    </Panel>
  )
}

function keyOf({ checked_at, region }: CheckDetail): string {
  return checked_at + region
}

function CheckHead({ isProbed }: { isProbed: boolean }) {
  const cell = 'px-2 py-2 font-medium'
  return (
    <thead className="border-b border-line text-sm text-soft">
      <tr>
        <th className="py-2 pr-2 pl-4 font-medium">{t('Time')}</th>
        <th className="px-1 py-2 font-medium sm:px-2">{t('Status')}</th>
        {isProbed && (
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
  if (isSetByHand(monitor.type))
    return <Empty title={t('No changes yet')}>{t('Set the status at the top of this page.')}</Empty>
  return <Empty title={t('No checks yet')}>{t('The first one runs within a second or two.')}</Empty>
}
