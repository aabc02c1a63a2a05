import { HOUR_MS } from '../../../src/core/history/history-span.ts'
import type { Database } from '../../../src/postgres/database.ts'
import { ago } from '../records/rows.ts'

type Make = (path: string, body: unknown, method?: string) => Promise<number>

export type DemoPages = { shop: number; internal: number; post: number }

const TITLE = 'Status of the analytical engines, of everything around them, and of what our partners run'

/** A public page with groups, and one for the team alone that nobody has published. */
export async function makeDemoStatusPages(
  db: Database,
  monitors: Map<string, number>,
  make: Make,
): Promise<DemoPages> {
  const of = (monitor: string, name: string, rest: object = {}) => ({
    monitor_id: monitors.get(monitor) as number,
    name,
    ...rest,
  })
  const shop = await make('/status-pages', {
    name: 'Analytical Engines Status',
    slug: 'analytical-engines',
    description: 'The shop, its payments and everything behind them.',
    home_url: 'https://shop.example.com/',
    support_url: 'https://shop.example.com/help',
  })
  await make(
    `/status-pages/${shop}/layout`,
    {
      items: [
        { component: of('Shop', 'Shop', { shows_chart: true }) },
        {
          group: {
            name: 'Payments',
            components: [
              of('Checkout', 'Checkout', { description: 'Cards and invoices' }),
              { monitor_id: null, name: 'Card network', description: 'Run by our bank', state: 'degraded' },
            ],
          },
        },
        {
          group: {
            name: 'Logistics',
            is_open: false,
            components: [of('Warehouse', 'Warehouse'), of('Stock API', 'Stock')],
          },
        },
        { component: of('Search API', 'חיפוש', { description: 'Search, in the language of its readers' }) },
      ],
    },
    'PUT',
  )
  await make(`/status-pages/${shop}/domains`, { domain: 'status.analytical-engines.example.com' })
  await make(`/status-pages/${shop}/publish`, undefined)
  const internal = await make('/status-pages', { name: TITLE, slug: 'internal', visibility: 'members' })
  const post = await writeDemoPosts(shop, await componentNamed(db, shop, 'Card network'), make)
  return { shop, internal, post }
}

async function componentNamed({ query }: Database, page: number, name: string): Promise<number> {
  const rows = query.selectFrom('status_components').where('page_id', '=', page).where('name', '=', name)
  return (await rows.select('id').executeTakeFirstOrThrow()).id
}

/** Posts of each kind: a draft, one that goes on, planned work and one that is over. Returns the one that goes on. */
async function writeDemoPosts(page: number, cards: number, make: Make): Promise<number> {
  const write = (title: string, phase: string, body: string, rest: object = {}) =>
    make(`/status-pages/${page}/posts`, {
      kind: 'incident',
      title,
      update: { phase, body, at: ago(30 * HOUR_MS), notifies: false },
      ...rest,
    })
  const add = (post: number, phase: string, body: string, hours: number, impacts: object[] = []) =>
    make(`/status-posts/${post}/updates`, { phase, body, at: ago(hours * HOUR_MS), notifies: false, impacts })
  const over = await write('Slow search', 'investigating', 'Search answers after **five seconds**.')
  await add(over, 'resolved', 'A new index answers in milliseconds again.', 27)
  const post = await write(
    'Cards are declined at the checkout',
    'investigating',
    'Some cards are declined.\n\n- Invoices work\n- Cards of our bank work',
  )
  await add(post, 'identified', 'Our bank has found a fault in its network, and works on it.', 2, [
    { component_id: cards, state: 'degraded' },
  ])
  await make(`/status-pages/${page}/posts`, {
    kind: 'maintenance',
    title: 'New storage for the warehouse',
    scheduled_for: new Date(Date.now() + 72 * HOUR_MS),
    scheduled_until: new Date(Date.now() + 74 * HOUR_MS),
    update: { phase: 'scheduled', body: 'Orders are taken, and leave an hour later.', notifies: false },
  })
  await write('Checkout is down', 'investigating', 'We are looking into it.', { is_draft: true })
  await make('/status-templates', {
    name: 'Outage of a component',
    title: '{component} does not work',
    phase: 'investigating',
    body: 'Since {time}, {component} fails. We are looking into it.',
  })
  return post
}
