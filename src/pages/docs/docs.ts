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

/**
 * The documentation, below `docsPath`: its pages, also as Markdown; a page at the address of each problem `type`;
 * search, the changelog feed, and files for crawlers. The texts do not change while the service runs, so the first
 * request loads what renders them, and does that once.
 */
export async function addDocs(app: Hono, docsPath: string, services: Facts): Promise<void> {
  const { siteUrl, docsUrl, apiVersion: version } = services
  const facts: DocsFacts = { siteUrl, docsUrl, baseUrl: baseUrl(services), version }
  const pictures = (await readdir(IMAGES)).filter((name) => name.endsWith('.png'))
  let keeping: Promise<KeptDocs> | null = null
  const kept = () => {
    keeping ??= import('./kept.ts')
      .then(({ keepAll }) =>
        keepAll(
          docsPath,
          facts,
          pictures.map((name) => join(IMAGES, name)),
        ),
      )
      .catch((error) => {
        keeping = null
        throw error
      })
    return keeping
  }
  const entries = [...CONTENTS.flatMap((part) => part.entries), ...PROBLEM_PAGES]
  const paths = [
    ...entries.flatMap(({ path }) => [path, textPath(path)]),
    ...pictures.map((name) => `/images/${name}`),
    ...['/style.css', '/script.js', '/changelog.atom', '/llms.txt', '/sitemap.xml'],
  ]
  const serve = async (context: Context, path: string) => {
    const { files } = await kept()
    return sendFile(context, files.get(path) as StaticFile, HEADERS)
  }
  for (const path of paths) app.get(docsPath + path || '/', (context) => serve(context, path))
  if (docsPath !== '') app.get('/llms.txt', (context) => serve(context, '/llms.txt'))
  app.get('/robots.txt', (context) => context.text(robotsText(facts.docsUrl)))
  let search: ((query: string) => SearchAnswer) | undefined
  app.get(`${docsPath}/search`, async (context) => {
    const { site } = await kept()
    // The first search makes the index: most processes never search.
    const [{ searchPage }, { createSearch }] = await Promise.all([
      import('./search.ts'),
      import('./search-index.ts'),
    ])
    search ??= createSearch(site.texts)
    const { status, page } = searchPage(site, search, context.req.query('q') ?? '')
    return context.html(await page, status, HEADERS)
  })
}
