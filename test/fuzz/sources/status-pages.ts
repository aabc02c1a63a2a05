import { randomUUID } from 'node:crypto'
import { MACHINE_PATHS } from '../../../src/core/status-pages/documents/machine-documents.ts'
import type { PageRoute } from '../../../src/core/status-pages/serving/page-route.ts'
import { PAGE_FILES } from '../../../src/pages/status-pages/files.ts'
import { type Make, newPost } from '../../support/access/team-records.ts'
import { changeRows } from '../../support/records/rows.ts'
import { addSubscriber } from '../../support/records/status-pages.ts'
import { PASSWORD } from '../../support/services/people.ts'
import type { Living, Source } from '../living.ts'
import { form, page } from './forms.ts'

/** Requests that status pages answer before all other routes: by their path, and on a domain of their own. */
export async function statusPageSources(ours: Make): Promise<Source[]> {
  const { service } = ours
  const { db, vault } = service.services
  const [open, closed] = [await published(ours), await published(ours)]
  await ours.data('PUT', `/status-pages/${closed.id}/password`, { password: PASSWORD })
  await ours.data('PATCH', `/status-pages/${closed.id}`, { visibility: 'password' })
  const domain = `status-${randomUUID().slice(0, 8)}.example.com`
  await ours.data('POST', `/status-pages/${open.id}/domains`, { domain })
  await changeRows(db, 'status_domains', { domain }, { proved_at: new Date() })
  const { private_feeds } = await ours.data('POST', `/status-pages/${closed.id}/feed-token`)
  const feeds = new URL(private_feeds).pathname
  const post = await ours.data('POST', `/status-pages/${open.id}/posts`, newPost())

  const subscriptionOf = async () => {
    const token = randomUUID()
    await addSubscriber(db, vault, { teamId: ours.team.id, pageId: open.id, token })
    return `/subscriptions/${token}`
  }
  const own = { origin: service.services.siteUrl }
  /** Below the path of the page, or its host; a source of each kind that there is. */
  const below: Record<PageRoute['kind'], ((base: string) => Promise<Living>)[]> = {
    page: ['', '?lang=de', '?embed=1'].map((query) => async (base) => page(base + query)),
    month: [async (base) => page(`${base}/history/2026-11`)],
    post: [async (base) => page(`${base}/posts/${post.id}`)],
    document: MACHINE_PATHS.map((path) => async (base) => page(`${base}/${path}`)),
    logo: [async (base) => page(`${base}/logo`)],
    sign_in: [async (base) => form(`${base}/sign-in`, { password: PASSWORD }, own)],
    subscribe: [
      async (base) => page(`${base}/subscribe`),
      async (base) => form(`${base}/subscribe`, { email: `${randomUUID()}@example.com` }, own),
    ],
    subscription: [
      async (base) => page(base + (await subscriptionOf())),
      async (base) => form(base + (await subscriptionOf()), { action: 'end' }),
    ],
    file: [async (base) => page(base + (PAGE_FILES[0]?.path ?? ''))],
  }
  const all = Object.values(below).flat()
  const onDomain = (make: (typeof all)[0]) => async (): Promise<Living> => {
    const living = await make('')
    const headers = { ...living.headers, host: domain }
    return { ...living, path: living.path.startsWith('/') ? living.path : `/${living.path}`, headers }
  }
  return [
    ...all.map((make) => () => make(`/status/${open.slug}`)),
    ...all.map(onDomain),
    ...[...below.page, ...below.sign_in].map((make) => () => make(`/status/${closed.slug}`)),
    async () => page(`${feeds}/feed.rss`),
    async () => page(`/status-domains/allowed?domain=${domain}`),
  ]
}

async function published(ours: Make): Promise<{ id: number; slug: string }> {
  const slug = `fuzz-${randomUUID().slice(0, 12)}`
  const { id } = await ours.data('POST', '/status-pages', { name: 'Shop', slug })
  const items = [{ component: { monitor_id: await ours('monitor'), name: 'Cart' } }]
  await ours.data('PUT', `/status-pages/${id}/layout`, { items })
  await ours.data('POST', `/status-pages/${id}/publish`)
  return { id, slug }
}
