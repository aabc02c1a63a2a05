import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Hono } from 'hono'
import { ownFile } from '../../files/own-files.ts'
import { baseUrl, type Services } from '../../operations/services.ts'
import { type StaticFile, sendFile } from '../static-file.ts'
import { CONTENTS, PROBLEM_PAGES, textPath } from './contents.ts'
import type { DocsFacts } from './facts.ts'
import type { KeptDocs } from './kept.ts'
import { robotsText } from './robots.ts'
import type { SearchAnswer } from './search-index.ts'

const IMAGES = ownFile('docs/images')

/** Only files of ours, nothing inline and nothing from elsewhere. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

type Facts = Pick<Services, 'siteUrl' | 'docsUrl' | 'apiVersion'>

/** The texts for an address of the service. */
type Keeping = {
  siteUrl: string
  docs: Promise<KeptDocs>
  search: ((query: string) => SearchAnswer) | null
}

function factsOf({ siteUrl, docsUrl, apiVersion: version }: Facts): DocsFacts {
  return { siteUrl, docsUrl, baseUrl: baseUrl({ siteUrl }), version }
}

/**
 * The documentation, below `docsPath`: its pages, also as Markdown; a page at the address of each problem `type`;
 * search, the changelog feed, and files for crawlers. The texts change only with the address of the service, so the first
 * request for an address loads what renders them, and does that once.
 */
export async function addDocs(app: Hono, docsPath: string, services: Facts): Promise<void> {
  const pictures = (await readdir(IMAGES)).filter((name) => name.endsWith('.png'))
  let keeping: Keeping | null = null
  const kept = (): Keeping => {
    const { siteUrl } = services
    if (keeping?.siteUrl === siteUrl) return keeping
    const next: Keeping = {
      siteUrl,
      docs: import('./kept.ts')
        .then(({ keepAll }) =>
          keepAll(
            docsPath,
            factsOf(services),
            pictures.map((name) => join(IMAGES, name)),
          ),
        )
        .catch((error) => {
          if (keeping === next) keeping = null
          throw error
        }),
      search: null,
    }
    keeping = next
    return next
  }
  const entries = [...CONTENTS.flatMap((part) => part.entries), ...PROBLEM_PAGES]
  const paths = [
    ...entries.flatMap(({ path }) => [path, textPath(path)]),
    ...pictures.map((name) => `/images/${name}`),
    ...['/style.css', '/script.js', '/changelog.atom', '/llms.txt', '/sitemap.xml'],
  ]
  const serve = async (context: Context, path: string) => {
    const { files } = await kept().docs
    return sendFile(context, files.get(path) as StaticFile, HEADERS)
  }
  for (const path of paths) app.get(docsPath + path || '/', (context) => serve(context, path))
  if (docsPath !== '') app.get('/llms.txt', (context) => serve(context, '/llms.txt'))
  app.get('/robots.txt', (context) => context.text(robotsText(services.docsUrl)))
  app.get(`${docsPath}/search`, async (context) => {
    const now = kept()
    const { site } = await now.docs
    // The first search makes the index: most processes never search.
    const [{ searchPage }, { createSearch }] = await Promise.all([
      import('./search.ts'),
      import('./search-index.ts'),
    ])
    now.search ??= createSearch(site.texts)
    const { status, page } = searchPage(site, now.search, context.req.query('q') ?? '')
    return context.html(await page, status, HEADERS)
  })
}
