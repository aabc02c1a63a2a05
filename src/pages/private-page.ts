import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { html } from 'hono/html'
import type { Sayer } from '../core/language/sayer.ts'
import { sayerOf, translatorOf, visitorLanguage } from '../core/language/service.ts'
import type { Translator } from '../core/language/translate.ts'
import { MAX_FORM_BYTES } from '../core/request-limits.ts'
import { type Html, PAGE_HEADERS, type PageLayout, page } from './page.ts'

export type RenderPrivate = (
  title: string,
  content: Html,
  status: number,
  headers?: Record<string, string>,
) => Promise<Response>

/** Speaks to the reader of a page, in their language. */
export type Speaker = Translator & Pick<Sayer, 'say' | 'sayFault' | 'sayRefusal'> & { render: RenderPrivate }

export type SpeakerOf = (context: Context) => Speaker

/** Translates to the reader's language. */
export function translatorFor(context: Context): Translator {
  return translatorOf(visitorLanguage(context.req.header('accept-language')))
}

/** Pages for one reader, which no proxy or browser may cache. */
export function privatePages(
  docsPath: string,
  ownHeaders: Record<string, string> = {},
  layout: PageLayout = 'plain',
): SpeakerOf {
  return (context) => {
    const language = visitorLanguage(context.req.header('accept-language'))
    const translator = translatorOf(language)
    const { say, sayFault, sayRefusal } = sayerOf(language)
    return {
      ...translator,
      say,
      sayFault,
      sayRefusal,
      render: async (title, content, status, headers = {}) =>
        new Response(String(await page(translator, title, docsPath, content, layout)), {
          status,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'cache-control': 'no-store',
            ...PAGE_HEADERS,
            ...ownHeaders,
            ...headers,
          },
        }),
    }
  }
}

/** The page for a link from a letter that no longer works. */
export function expiredLinkPage({ t, render }: Speaker): Promise<Response> {
  const content = html`<h1>${t('This link no longer works')}</h1>
<p>${t('It has been used already, or it has expired. Ask for a new one.')}</p>`
  return render(t('Link used up'), content, 404)
}

/** Refuses an oversized form with a page. */
export function limitForm(speakerOf: SpeakerOf): MiddlewareHandler {
  const onError = (context: Context) => {
    const { t, render } = speakerOf(context)
    return render(t('Too large'), html`<h1>${t('The form is too large')}</h1>`, 413)
  }
  return bodyLimit({ maxSize: MAX_FORM_BYTES, onError })
}
