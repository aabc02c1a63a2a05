import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { ownFile } from '../../files/own-files.ts'
import { FACE, packed, TOKENS } from '../look/face.ts'
import { createStaticFile, type StaticFile } from '../static-file.ts'
import { textPath } from './contents.ts'
import type { DocsFacts } from './facts.ts'
import { changelogFeed } from './feed.ts'
import { type DocsSite, textPage } from './layout.ts'
import { llmsText, sitemap } from './llms.ts'
import { type DocsText, loadDocs } from './texts.ts'

const HTML = 'text/html; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const PLAIN = 'text/plain; charset=utf-8'

/** The documentation as it is served. */
export type KeptDocs = { site: DocsSite; files: Map<string, StaticFile> }

/** Renders and packs all files below `docsPath`. */
export async function keepAll(docsPath: string, facts: DocsFacts, pictures: string[]): Promise<KeptDocs> {
  const texts = await loadDocs(facts, docsPath)
  const sheet = packed(`${FACE.rules}${TOKENS}${await readFile(ownFile('src/pages/docs/docs.css'), 'utf8')}`)
  const style = createStaticFile(sheet, 'text/css; charset=utf-8')
  const script = createStaticFile(
    await readFile(ownFile('src/pages/docs/docs.js')),
    'text/javascript; charset=utf-8',
  )
  const versioned = (name: string, { etag }: StaticFile) => `${docsPath}/${name}?v=${etag.slice(1, -1)}`
  const site = {
    texts,
    docsPath,
    docsUrl: facts.docsUrl,
    version: facts.version,
    stylePath: versioned('style.css', style),
    scriptPath: versioned('script.js', script),
  }
  const files = new Map<string, StaticFile>([
    ['/style.css', style],
    ['/script.js', script],
  ])
  for (const text of texts) {
    files.set(text.entry.path, createStaticFile(String(await textPage(site, text)), HTML))
    files.set(textPath(text.entry.path), createStaticFile(text.markdown, MARKDOWN))
  }
  for (const path of pictures) {
    files.set(`/images/${basename(path)}`, createStaticFile(await readFile(path), 'image/png'))
  }
  const changelog = texts.find(({ entry }) => entry.path === '/changelog') as DocsText
  const feed = changelogFeed(changelog.markdown, facts.docsUrl)
  files.set('/changelog.atom', createStaticFile(feed, 'application/atom+xml; charset=utf-8'))
  files.set('/llms.txt', createStaticFile(llmsText(texts, facts), PLAIN))
  files.set('/sitemap.xml', createStaticFile(sitemap(texts, facts.docsUrl), 'application/xml; charset=utf-8'))
  return { site, files }
}
