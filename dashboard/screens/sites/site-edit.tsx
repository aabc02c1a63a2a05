import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { SiteForm } from '../../forms/sites/site-form.tsx'
import { t } from '../../language/language.ts'
import { EditScreen } from '../../parts/records/form-screen.tsx'
import { limitsOf } from './site-data.ts'

export default function SiteEdit() {
  const { id: team } = useTeam()
  const { site: named } = useParams({ from: '/signed-in/teams/$team/sites/$site/edit' })
  const of = { id: Number(named) }
  return (
    <EditScreen
      className="mx-auto max-w-3xl"
      title={t('Edit site')}
      back={{ to: '/teams/$team/sites/$site', params: { team: String(team), site: named } }}
      view={t('View site')}
      readOnly={t('Ask an owner or admin of the team to change the site.')}
      record={useQuery(question(team, 'getSite', of))}
      needs={{
        sites: useQuery(question(team, 'listSites', {})),
        policy: useQuery(question(team, 'getSitePolicy', of)),
        contacts: useQuery(question(team, 'listContacts', {})),
      }}
    >
      {(site, { sites, policy, contacts }, form) => (
        <SiteForm
          team={team}
          site={site}
          policy={policy.data}
          contacts={contacts.data}
          limits={limitsOf(sites.meta)}
          {...form}
        />
      )}
    </EditScreen>
  )
}
