type Make = (path: string, body: unknown, method?: string) => Promise<number>

export type DemoPages = { shop: number; internal: number }

const TITLE = 'Status of the analytical engines, of everything around them, and of what our partners run'

/** A public page with groups, and one for the team alone that nobody has published. */
export async function makeDemoStatusPages(monitors: Map<string, number>, make: Make): Promise<DemoPages> {
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
  return { shop, internal }
}
