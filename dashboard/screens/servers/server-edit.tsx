import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { ServerForm } from '../../forms/servers/server-form.tsx'
import { t } from '../../language/language.ts'
import { EditScreen } from '../../parts/records/form-screen.tsx'

export default function ServerEdit() {
  const { id: team } = useTeam()
  const { server: named } = useParams({ from: '/signed-in/teams/$team/servers/$server/edit' })
  const of = { id: Number(named) }
  return (
    <EditScreen
      className="mx-auto max-w-5xl"
      title={t('Edit server')}
      back={{ to: '/teams/$team/servers/$server', params: { team: String(team), server: named } }}
      view={t('View server')}
      readOnly={t('Ask an owner or admin of the team to change the server.')}
      record={useQuery(question(team, 'getServer', of))}
      needs={{
        policy: useQuery(question(team, 'getServerPolicy', of)),
        contacts: useQuery(question(team, 'listContacts', {})),
      }}
    >
      {(server, { policy, contacts }, form) => (
        <ServerForm team={team} server={server} policy={policy.data} contacts={contacts.data} {...form} />
      )}
    </EditScreen>
  )
}
