import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { SUBJECT_KINDS } from '../../../src/core/maintenance/subject-kind.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { SHOWN_KINDS } from '../../data/subjects/shown-kinds.ts'
import { WindowForm } from '../../forms/maintenance/window-form.tsx'
import { t } from '../../language/language.ts'
import { NewScreen } from '../../parts/records/form-screen.tsx'

export default function WindowNew() {
  const { id, name } = useTeam()
  const team = String(id)
  const subject = useNamedSubject(id)
  return (
    <NewScreen
      title={t('New maintenance window')}
      about={t('Checks go on. Failures alert no one and do not count toward uptime.')}
      back={{ to: '/teams/$team/maintenance', params: { team } }}
      view={t('View maintenance')}
      readOnly={t('Ask an owner or admin of {name} to plan maintenance.', { name })}
      needs={{ subject }}
      said={(window: WindowDetail) => t('{name} created.', { name: window.name })}
      to={({ id: window }) => ({
        to: '/teams/$team/maintenance/$window',
        params: { team, window: String(window) },
      })}
    >
      {({ subject: chosen }, form) => <WindowForm team={id} {...chosen} {...form} />}
    </NewScreen>
  )
}

/** The subject that the address asks to begin with, as the form wants it; none otherwise. */
function useNamedSubject(team: number) {
  const named = useSearch({ from: '/signed-in/teams/$team/maintenance/new' })
  const kind = SUBJECT_KINDS.find((one) => named[one] !== undefined)
  const { gets } = SHOWN_KINDS[kind ?? 'monitor']
  const { data, error } = useQuery({
    ...question(team, gets, { id: (kind && named[kind]) ?? 0 }),
    enabled: kind !== undefined,
  })
  if (!kind) return { data: {}, error: null }
  return { data: data && { subject: { kind, id: data.data.id, name: data.data.name } }, error }
}
