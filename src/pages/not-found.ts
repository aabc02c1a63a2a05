import type { Context } from 'hono'
import { html } from 'hono/html'
import { TELLING_PATHS } from '../core/monitors/ping.ts'
import { RESOURCE_PATHS } from '../core/sign-in/oauth.ts'
import { PAGE_HEADERS, page } from './page.ts'
import { translatorFor } from './private-page.ts'

/** Paths that only programs request. */
const MACHINES = ['/api', '/app', '/auth', '/badge', '/calendars', RESOURCE_PATHS.mcp, ...TELLING_PATHS]

/** The page for a person who followed a dead link; null if the request is not for a page. */
export async function notFoundPage(context: Context, docsAddress: string): Promise<Response | null> {
  const { method, path } = context.req
  const wantsPage = context.req.header('accept')?.includes('text/html') ?? false
  if (!wantsPage || !/^(GET|HEAD)$/.test(method) || MACHINES.some((start) => path.startsWith(`${start}/`)))
    return null
  const translator = translatorFor(context)
  const { t } = translator
  const content = html`<h1>${t('Page not found')}</h1>
<p>${t('The link may be old, or its address incomplete.')}</p><p><a href="/">${t('Go to the start page')}</a></p>`
  return context.html(await page(translator, t('Not found'), docsAddress, content), 404, PAGE_HEADERS)
}
