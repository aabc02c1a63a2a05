import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { WindowDetail } from '../../../src/core/maintenance/shown-window.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
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

/** The monitor, server or site that the address asks to begin with, as the form wants it; none otherwise. */
function useNamedSubject(team: number) {
  const named = useSearch({ from: '/signed-in/teams/$team/maintenance/new' })
  const asked = (id: number | undefined) => ({ enabled: id !== undefined })
  const of = (id = 0) => ({ id })
  const subjects = {
    monitors: useQuery({ ...question(team, 'getMonitor', of(named.monitor)), ...asked(named.monitor) }),
    servers: useQuery({ ...question(team, 'getServer', of(named.server)), ...asked(named.server) }),
    sites: useQuery({ ...question(team, 'getSite', of(named.site)), ...asked(named.site) }),
  }
  const kind =
    named.monitor !== undefined
      ? 'monitors'
      : named.server !== undefined
        ? 'servers'
        : named.site !== undefined
          ? 'sites'
          : null
  if (kind === null) return { data: {}, error: null }
  const { data, error } = subjects[kind]
  return { data: data && { [kind]: [{ id: data.data.id, name: data.data.name }] }, error }
}
