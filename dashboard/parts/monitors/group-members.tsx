import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Empty, Panel } from '../panel.tsx'
import { StatusMark } from './status.tsx'

/** The members of a group with their states, those in trouble first. */
export function GroupMembers({ monitor }: { monitor: number }) {
  const { id: team } = useTeam()
  const { data } = useQuery(question(team, 'getMonitorDependencies', { id: monitor }))
  if (!data) return null
  const { members, members_count: count } = data.data
  const rest = count - members.length
  return (
    <Panel title={t('Members')} className="min-w-0">
      {count === 0 && (
        <Empty title={t('No members')}>
          {t('No monitor carries the tags of this group, or all were deleted.')}
        </Empty>
      )}
      <ul className="flex flex-col gap-1.5 p-4">
        {members.map((member) => (
          <li key={member.id} data-row className="flex min-w-0 flex-wrap items-center gap-x-3">
            <StatusMark named status={liveStatus(member)} />
            <Link
              to="/teams/$team/monitors/$monitor"
              params={{ team: String(team), monitor: String(member.id) }}
              className="min-w-0 break-words underline"
            >
              {member.name}
            </Link>
          </li>
        ))}
        {rest > 0 && <li className="text-soft">{t('and {count, number} more', { count: rest })}</li>}
      </ul>
    </Panel>
  )
}
