import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { GroupRule } from '../../../src/core/monitors/groups/group-state.ts'
import { liveStatus } from '../../../src/core/monitors/status.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { t } from '../../language/language.ts'
import { Empty, Panel } from '../panel.tsx'
import { StatusMark } from './status.tsx'

/** The members of a group with their states, those in trouble first. */
export function GroupMembers({ monitor, rule }: { monitor: number; rule: GroupRule | undefined }) {
  const { id: team } = useTeam()
  const { data } = useQuery(question(team, 'getMonitorDependencies', { id: monitor }))
  if (!data) return null
  const { members, members_count: count } = data.data
  const rest = count - members.length
  const least = typeof rule === 'object' && 'at_least' in rule ? rule.at_least : 0
  return (
    <Panel title={t('Members')} className="min-w-0">
      {count === 0 && (
        <Empty title={t('No members')}>
          {t('No monitor carries the tags of this group, or all were deleted.')}
        </Empty>
      )}
      {count > 0 && count < least && (
        <p className="px-4 pt-4 text-soft">
          {t('The group wants {least, number} members up and has {count, number}: all of these must be up.', {
            least,
            count,
          })}
        </p>
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
