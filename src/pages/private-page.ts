import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { html } from 'hono/html'
import { MAX_FORM_BYTES } from '../core/request-limits.ts'
import { type Html, PAGE_HEADERS, type PageLayout, page } from './page.ts'

export type RenderPrivate = (
  title: string,
  content: Html,
  status: number,
  headers?: Record<string, string>,
) => Promise<Response>

/** Pages for one reader, which no proxy or browser may cache. */
export function privatePages(
  docsPath: string,
  ownHeaders: Record<string, string> = {},
  layout: PageLayout = 'plain',
): RenderPrivate {
  return async (title, content, status, headers = {}) =>
    new Response(String(await page(title, docsPath, content, layout)), {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        ...PAGE_HEADERS,
        ...ownHeaders,
        ...headers,
      },
    })
}

/** The page for a link from a letter that no longer works. */
export function expiredLinkPage(render: RenderPrivate): Promise<Response> {
  const content = html`<h1>This link no longer works</h1>
<p>It has been used already, or it has expired. Ask for a new one.</p>`
  return render('Link used up', content, 404)
}

/** Refuses an oversized form with a page. */
export function limitForm(render: RenderPrivate): MiddlewareHandler {
  const onError = () => render('Too large', html`<h1>The form is too large</h1>`, 413)
  return bodyLimit({ maxSize: MAX_FORM_BYTES, onError })
}
