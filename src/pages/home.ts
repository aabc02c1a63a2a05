import type { Hono } from 'hono'
import { html } from 'hono/html'
import { baseUrl, type Services } from '../operations/services.ts'
import { PAGE_HEADERS, page } from './page.ts'
import { translatorFor } from './private-page.ts'

/** Shown at `/` when the dashboard has not been built: says that the service works, and what to do next. */
export function addHome(app: Hono, services: Services, docsPath: string): void {
  app.get('/', async (context) => {
    const translator = translatorFor(context)
    const { t, rich } = translator
    const about = rich(
      'It monitors URLs, certificates, TCP ports, hosts and jobs. Its JSON API is at <code>{address}</code>. Create the first account with the link that it printed when it started, or run these commands on its machine, which also create a team and a token:',
      { code: (inside) => html`<code>${inside}</code>`, address: baseUrl(services) },
    )
    const next = rich('Then create the first monitor as the <link>documentation</link> shows.', {
      link: (inside) => html`<a href="${docsPath}">${inside}</a>`,
    })
    const content = html`<h1>${t('Upbeat is running')}</h1>
<p>${about}</p>
<pre>npx upbeat user create --email you@example.com --name "You" --password '…'
npx upbeat team create --name "My team" --owner you@example.com
npx upbeat token create --team 1 --email you@example.com --name laptop</pre>
<p>${next}</p>`
    return context.html(await page(translator, t('Running'), docsPath, content, 'wide'), 200, PAGE_HEADERS)
  })
}
