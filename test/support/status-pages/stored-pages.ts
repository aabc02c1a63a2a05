import { placeLayout } from '../../../src/core/status-pages/layout.ts'
import { Layout, StatusPage } from '../../../src/core/status-pages/status-page.ts'
import type { Services } from '../../../src/operations/services.ts'
import { hashPassword } from '../../../src/operations/sign-in/passwords.ts'
import { replaceSecret } from '../../../src/store/sealing/secret-addresses.ts'
import { writeLayout } from '../../../src/store/status-pages/layout.ts'
import { replacePagePassword } from '../../../src/store/status-pages/page-secrets.ts'
import { insertPage, pageChanged, publishPage } from '../../../src/store/status-pages/pages.ts'
import { addRow } from '../records/rows.ts'

export type StoredPage = { id: number; slug: string }

/** A page with what belongs to it, as operations would have made it. */
export async function storePage(
  { db, vault }: Pick<Services, 'db' | 'vault'>,
  teamId: number,
  settings: Partial<StatusPage> & { slug: string },
  own: {
    items?: object[]
    isPublished?: boolean
    domain?: string
    password?: string
    feedToken?: string
  } = {},
): Promise<StoredPage> {
  const { items = [], isPublished = true, domain, password, feedToken } = own
  const fields = StatusPage.parse({ name: 'Acme', ...settings })
  const id = (await insertPage(db.query, teamId, fields)) as number
  await writeLayout(db.query, id, placeLayout(Layout.parse({ items })))
  if (password !== undefined) {
    await replacePagePassword(db.query, teamId, id, await hashPassword(password))
  }
  if (feedToken !== undefined) await replaceSecret(db.query, vault, 'pageFeed', { teamId, id }, feedToken)
  if (domain !== undefined) {
    await addRow(db, 'status_domains', {
      domain,
      page_id: id,
      team_id: teamId,
      proof: 'upbeat-status=test',
      proved_at: new Date(),
      looked_at: new Date(),
    })
  }
  await publishPage(db.query, teamId, id, isPublished)
  await pageChanged(db.query, teamId, id)
  return { id, slug: fields.slug }
}

/** A published post with one update. */
export async function storePost(
  { db }: Pick<Services, 'db'>,
  teamId: number,
  pageId: number,
  { title, at, body = 'We look into it.' }: { title: string; at: Date; body?: string },
): Promise<number> {
  const { id } = await addRow(db, 'status_posts', {
    page_id: pageId,
    team_id: teamId,
    kind: 'incident',
    title,
    phase: 'investigating',
    started_at: at,
    published_at: at,
  })
  await addRow(db, 'status_updates', {
    post_id: id,
    phase: 'investigating',
    body,
    impacts: '[]' as never,
    at,
  })
  await pageChanged(db.query, teamId, pageId)
  return id
}
