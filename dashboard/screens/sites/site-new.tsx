import { useQuery } from '@tanstack/react-query'
import type { SiteDetail } from '../../../src/core/sites/shown-site.ts'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { SiteForm } from '../../forms/sites/site-form.tsx'
import { t } from '../../language/language.ts'
import { asFetched, NewScreen } from '../../parts/records/form-screen.tsx'
import { limitsOf, sitesQuestion } from './site-data.ts'

export default function SiteNew() {
  const { id, name } = useTeam()
  const team = String(id)
  return (
    <NewScreen
      className="mx-auto max-w-3xl"
      title={t('Add a site')}
      about={t('A site is a whole website, monitored as one by its address.')}
      back={{ to: '/teams/$team/sites', params: { team } }}
      view={t('View sites')}
      readOnly={t('Ask an owner or admin of {name} to add the site.', { name })}
      needs={{
        sites: asFetched(useQuery({ ...sitesQuestion(id), refetchOnMount: 'always' })),
        contacts: useQuery(question(id, 'listContacts', {})),
      }}
      limit={{
        hasRoom: ({ sites: { meta } }) => meta.max_sites === null || meta.sites < meta.max_sites,
        title: t('Site limit reached'),
        about: ({ sites: { meta } }) =>
          t(
            'The plan of this team allows {max, plural, one {# site} other {# sites}}, and your team has {count, number}, including paused ones. Delete one, or ask the operator of this service for a larger plan.',
            { max: meta.max_sites, count: meta.sites },
          ),
      }}
      to={(site: SiteDetail) => ({
        to: '/teams/$team/sites/$site',
        params: { team, site: String(site.id) },
      })}
    >
      {({ sites, contacts }, form) => (
        <SiteForm team={id} contacts={contacts.data} limits={limitsOf(sites.meta)} {...form} />
      )}
    </NewScreen>
  )
}
