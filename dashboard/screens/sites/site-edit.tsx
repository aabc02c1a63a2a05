import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useNotices } from '../../app/notices.tsx'
import { Trouble } from '../../app/trouble.tsx'
import { question } from '../../data/ask.ts'
import { useTeam } from '../../data/session.ts'
import { SiteForm } from '../../forms/sites/site-form.tsx'
import { t } from '../../language/language.ts'
import { buttonLook } from '../../parts/button.tsx'
import { Empty, PageHead, Panel, Waiting } from '../../parts/panel.tsx'
import { limitsOf } from './site-data.ts'

export default function SiteEdit() {
  const { id, may } = useTeam()
  const { site: named } = useParams({ from: '/signed-in/teams/$team/sites/$site/edit' })
  const site = useQuery(question(id, 'getSite', { id: Number(named) }))
  const sites = useQuery(question(id, 'listSites', {}))
  const policy = useQuery(question(id, 'getSitePolicy', { id: Number(named) }))
  const contacts = useQuery(question(id, 'listContacts', {}))
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useNotices()
  const to = { to: '/teams/$team/sites/$site', params: { team: String(id), site: named } } as const
  const back = (
    <Link {...to} className={buttonLook('quiet')}>
      {may('write') ? t('Cancel') : t('View site')}
    </Link>
  )
  const error = site.error ?? sites.error ?? policy.error ?? contacts.error
  const isThere = site.data && sites.data && policy.data && contacts.data
  if (error && !isThere) return <Trouble error={error} />
  return (
    <div className="mx-auto max-w-3xl">
      <PageHead title={site.data ? t('Edit {name}', { name: site.data.data.name }) : t('Edit site')} />
      {!may('write') ? (
        <Panel>
          <Empty icon={Lock} title={t('You have read-only access')} action={back}>
            {t('Ask an owner or admin of the team to change the site.')}
          </Empty>
        </Panel>
      ) : !isThere ? (
        <Panel>
          <Waiting lines={8} />
        </Panel>
      ) : (
        <SiteForm
          key={site.data.data.id}
          team={id}
          site={site.data.data}
          policy={policy.data.data}
          contacts={contacts.data.data}
          limits={limitsOf(sites.data.meta)}
          beside={back}
          onDone={({ name }) => {
            void queries.invalidateQueries({ queryKey: [id] })
            say.done(t('{name} saved.', { name }))
            void navigate(to)
          }}
        />
      )}
    </div>
  )
}
