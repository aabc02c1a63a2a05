import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { MACHINE_PATHS } from '../../../src/core/status-pages/documents/machine-documents.ts'
import type { PageModel } from '../../../src/core/status-pages/page-model.ts'
import { removeOtherFolders, writePageFolder } from '../../../src/pages/status-pages/export/export-folder.ts'
import { type ExportFiles, exportFiles } from '../../../src/pages/status-pages/export/page-files.ts'
import { troubledPage } from '../../support/status-pages/pages.ts'

const PAGE = { id: 7, slug: 'acme' }
const LINKS = /(?:href|src|action)="([^"]*)"/g

async function filesOf(own: Partial<PageModel> = {}): Promise<ExportFiles> {
  const model = troubledPage({ logoTag: 'abc', ...own })
  const months = new Map([['2026-11', [...model.active, ...model.recent]]])
  return exportFiles({ model, months, logo: Buffer.from('logo') })
}

describe('a status page as files', () => {
  it('has the page, months, posts, feeds, documents and all that they show', async () => {
    const files = await filesOf()
    for (const path of [
      'index.html',
      'embed.html',
      'history/2026-11.html',
      'posts/41.html',
      'logo',
      ...MACHINE_PATHS,
    ]) {
      assert.ok(files.has(path), path)
    }
    assert.equal([...files.keys()].at(-1), 'index.html')
  })

  it('links to files that are there, wherever its folder is, and to the service only for what a reader sends', async () => {
    const files = await filesOf()
    for (const [path, content] of files) {
      if (!path.endsWith('.html')) continue
      for (const [, link = ''] of content.toString().matchAll(LINKS)) {
        if (/^(https?:|#)/.test(link)) continue
        const target = posix.join(posix.dirname(path), link)
        // A month before the samples' posts has no page.
        assert.ok(files.has(target) || /history\/2026-10/.test(target), `${path}: ${link}`)
      }
      assert.doesNotMatch(content.toString(), /-page-|\?lang=/, path)
    }
    assert.match(
      String(files.get('index.html')),
      /href="https:\/\/upbeat\.example\.com\/status\/acme\/subscribe"/,
    )
  })

  it('differs by the time that it is of alone, where nothing else changed', async () => {
    const one = await filesOf()
    const other = await filesOf({ asOf: new Date('2026-11-22T14:03:00Z') })
    for (const [path, content] of one) {
      const lines = content.toString().split('\n')
      const later = String(other.get(path)).split('\n')
      const differing = lines.filter((line, at) => line !== later[at])
      assert.ok(differing.length <= 1, `${path}: ${differing.length}`)
    }
  })
})

describe('the folder of exported pages', () => {
  let root: string
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'upbeat-export-'))
  })
  after(() => rm(root, { recursive: true, force: true }))

  const one = (text: string): ExportFiles =>
    new Map([
      ['posts/1.html', Buffer.from(text)],
      ['index.html', Buffer.from(text)],
    ])

  it('gets what changed, and loses what is gone', async () => {
    assert.equal(await writePageFolder(root, PAGE, one('a')), 2)
    assert.equal(await writePageFolder(root, PAGE, one('a')), 0)
    assert.equal(await writePageFolder(root, PAGE, new Map([['index.html', Buffer.from('b')]])), 1)
    assert.deepEqual(readdirSync(join(root, 'acme', 'posts')), [])
  })

  it('never overwrites or removes a folder that is not ours', async () => {
    await mkdir(join(root, 'mine'))
    await writeFile(join(root, 'mine', 'index.html'), 'mine')
    await assert.rejects(writePageFolder(root, { id: 8, slug: 'mine' }, one('a')), /there is something else/)
    assert.deepEqual(await removeOtherFolders(root, new Set()), ['acme'])
    assert.equal(readFileSync(join(root, 'mine', 'index.html'), 'utf8'), 'mine')
    assert.equal(existsSync(join(root, 'acme')), false)
  })

  it('is complete whenever the process that writes it is killed', async () => {
    const folder = join(import.meta.dirname, '../../../src/pages/status-pages/export/export-folder.ts')
    const script = `import { writePageFolder } from ${JSON.stringify(folder)}
      for (let round = 0; ; round++) {
        const text = String(round % 10).repeat(200_000)
        const files = new Map(Array.from({ length: 20 }, (_, at) => ['posts/' + at + '.html', Buffer.from(text)]))
        await writePageFolder(${JSON.stringify(root)}, { id: 9, slug: 'killed' }, files.set('index.html', Buffer.from(text)))
        if (round === 0) process.stdout.write('written')
      }`
    for (let kills = 0; kills < 5; kills++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      for (let turns = 0; turns < kills * 40; turns++) await new Promise((resolve) => setImmediate(resolve))
      child.kill('SIGKILL')
      await once(child, 'exit')
      for (const path of [...Array.from({ length: 20 }, (_, at) => `posts/${at}.html`), 'index.html']) {
        const text = readFileSync(join(root, 'killed', path), 'utf8')
        assert.equal(text.length, 200_000, path)
        assert.equal(text, text.slice(0, 1).repeat(200_000), path)
      }
    }
  })
})
