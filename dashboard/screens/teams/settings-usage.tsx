import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Team } from '../../../src/core/teams/team.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { sayCount } from '../../language/count.ts'
import { t } from '../../language/language.ts'
import { Answered } from '../../parts/feedback/answered.tsx'
import { sayInterval } from '../../parts/figures.ts'
import { Meter } from '../../parts/meter.tsx'
import { Section } from '../../parts/panel.tsx'
import { Time } from '../../parts/time.tsx'

export function Usage() {
  const { id } = useTeam()
  const team = useQuery(question(id, 'getTeam', {}))
  return (
    <Section
      title={t('Plan and usage')}
      about={t('The limits of the team’s plan, and how much of them is in use.')}
      className="min-h-64"
    >
      <Answered answer={team} lines={7}>
        {({ data }) => <Figures team={data} />}
      </Answered>
    </Section>
  )
}

function Figures({ team }: { team: Team }) {
  return (
    <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 gap-y-3 p-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <Figure label={t('Plan')}>
        <span className="capitalize">{team.plan}</span>
      </Figure>
      <Figure label={t('Monitors')}>
        {team.max_monitors === null ? (
          t('{count} (unlimited)', { count: sayCount(team.monitors_count) })
        ) : (
          <MonitorsMeter used={team.monitors_count} limit={team.max_monitors} />
        )}
      </Figure>
      <Figure label={t('Shortest interval')}>{sayInterval(team.min_interval_seconds)}</Figure>
      <Figure label={t('History')}>
        {team.check_history_days === null
          ? t('Kept forever')
          : t('{count, plural, one {# day} other {# days}}', { count: team.check_history_days })}
      </Figure>
      <Figure label={t('Members')}>{sayCount(team.members_count)}</Figure>
      <Figure label={t('Contacts')}>{sayCount(team.notification_contacts_count)}</Figure>
      <Figure label={t('Created')}>
        <Time at={team.created_at} as="date" />
      </Figure>
    </dl>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{label}</dt>
      <dd className="min-w-0 break-words [&_time]:whitespace-normal">{children}</dd>
    </>
  )
}

function MonitorsMeter({ used, limit }: { used: number; limit: number }) {
  return (
    <>
      <span>{t('{count} of {total}', { count: sayCount(used), total: sayCount(limit) })}</span>
      <Meter value={used} max={limit} />
      {used >= limit && (
        <span className="mt-1 block text-sm text-soft">
          {t(
            'The limit is reached: delete a monitor, or ask the operator of this service for a larger plan.',
          )}
        </span>
      )}
    </>
  )
}
