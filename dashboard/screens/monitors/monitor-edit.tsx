import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { MonitorForm } from '../../forms/monitor-form.tsx'
import { t } from '../../language/language.ts'
import { typeWord } from '../../parts/monitors/type-word.ts'
import { EditScreen } from '../../parts/records/form-screen.tsx'

export default function MonitorEdit() {
  const { id } = useTeam()
  const { monitor: named } = useParams({ from: '/signed-in/teams/$team/monitors/$monitor/edit' })
  const of = { id: Number(named) }
  const monitor = useQuery(question(id, 'getMonitor', of))
  return (
    <EditScreen
      className="mx-auto max-w-3xl"
      title={t('Edit monitor')}
      about={
        monitor.data && t('{type}. The type cannot be changed.', { type: typeWord(monitor.data.data.type) })
      }
      back={{ to: '/teams/$team/monitors/$monitor', params: { team: String(id), monitor: named } }}
      view={t('View monitor')}
      readOnly={t('Ask an owner or admin of the team to change the monitor.')}
      record={monitor}
      needs={{
        notes: useQuery(question(id, 'getMonitorNotes', of)),
        tags: useQuery(question(id, 'getMonitorTags', of)),
        team: useQuery(question(id, 'getTeam', {})),
        policy: useQuery(question(id, 'getMonitorPolicy', of)),
        contacts: useQuery(question(id, 'listContacts', {})),
      }}
    >
      {(record, { notes, tags, team, policy, contacts }, form) => (
        <MonitorForm
          monitor={record}
          notes={notes.data}
          tags={tags.data.tags}
          team={team.data}
          policy={policy.data}
          contacts={contacts.data}
          {...form}
        />
      )}
    </EditScreen>
  )
}
