import type { Make } from '../../support/access/team-records.ts'
import type { Living, Source } from '../living.ts'
import { METRICS_TOKEN } from '../service.ts'
import { form, page } from './forms.ts'

const METRICS = { authorization: `Bearer ${METRICS_TOKEN}` }

/** Everything for everybody: at paths without any parameter, each of them a document, and at some others. */
export function documentSources(paths: string[], { team, service }: Make): Source[] {
  const setup = { email: 'ada@example.com', name: 'Ada', team: 'Shop', password: 'Seven red otters sing' }
  return [
    ...paths.map((path) => async () => page(path, path === '/metrics' ? METRICS : {})),
    ...['', '/monitors'].map((below) => async () => page(`/teams/${team.id}${below}`)),
    async () => page('/docs/search?q=ping'),
    async () => form('/setup', setup, { origin: service.services.siteUrl }),
    async (): Promise<Living> => page('/auth/oidc/callback?code=x&state=y', { cookie: 'upbeat_oidc=x' }),
  ]
}
