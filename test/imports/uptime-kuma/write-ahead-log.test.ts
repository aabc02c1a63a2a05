import assert from 'node:assert/strict'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { readUploaded } from '../../../src/imports/read-uploaded.ts'
import { KUMA_CONTENT, writeKumaDatabase } from '../../support/imports/kuma-database.ts'
import { TERMS } from '../../support/imports/read-exports.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

/** Files of a database that its program is writing, under the names that uploads get. */
type Uploads = { database: string; log: string; index: string; folder: string }

/** The last change of it is in its log alone. */
function running(t: TestContext): Uploads {
  const [from, folder] = [temporaryFolder(t), temporaryFolder(t)]
  const file = join(from, 'kuma.db')
  writeKumaDatabase(file, KUMA_CONTENT)
  const program = new DatabaseSync(file)
  t.after(() => program.close())
  program.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0')
  program.exec(`UPDATE monitor SET name = 'Shop of today' WHERE name = 'Shop' AND parent IS NULL`)
  const upload = (end: string, name: string) => {
    copyFileSync(`${file}${end}`, join(folder, name))
    return join(folder, name)
  }
  return { folder, database: upload('', '0'), log: upload('-wal', '1'), index: upload('-shm', '2') }
}

async function namesIn(paths: string[]): Promise<string[]> {
  const read = await readUploaded('uptime-kuma', paths, TERMS)
  if ('fault' in read) throw new Error(JSON.stringify(read.fault))
  return read.outcome.declaration.monitors.map(({ name }) => name)
}

describe('a database of Uptime Kuma that is in use', () => {
  it('has its latest changes in its log, which is uploaded with it', async (t) => {
    const { database } = running(t)
    assert.ok(!(await namesIn([database])).includes('Shop of today'))
  })

  const choices: [what: string, of: (uploads: Uploads) => string[]][] = [
    ['database, log', ({ database, log }) => [database, log]],
    ['log, database', ({ database, log }) => [log, database]],
    ['index, log, database', ({ database, log, index }) => [index, log, database]],
  ]
  for (const [what, of] of choices)
    it(`is read with both, in any order: ${what}`, async (t) => {
      assert.ok((await namesIn(of(running(t)))).includes('Shop of today'))
    })

  it('is read alone beside a second database, and refused as before', async (t) => {
    const { database, log, folder } = running(t)
    const other = join(folder, '3')
    writeKumaDatabase(other, KUMA_CONTENT)
    await assert.rejects(namesIn([database, log, other]), /no text in UTF-8/)
  })

  it('is no reason to take other files for a log', async (t) => {
    const { database, folder } = running(t)
    const short = join(folder, '4')
    writeFileSync(short, 'x')
    await assert.rejects(namesIn([database, short]), /Uptime Kuma has one file/)
  })
})
