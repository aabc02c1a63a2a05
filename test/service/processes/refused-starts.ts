import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openDatabaseAddress, TEST_SECRET } from '../../support/postgres/database.ts'
import { suiteScope } from '../../support/scope.ts'
import { runCommand } from '../../support/services/command.ts'

export function describeRefusedStarts(): void {
  describe('a wrong setting stops the start', { concurrency: true }, () => {
    const scope = suiteScope()

    async function makeDirectory(): Promise<string> {
      const directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
      scope.after(() => rm(directory, { recursive: true, force: true }))
      return directory
    }

    it('the service does not start, and its database is not touched', async () => {
      const directory = await makeDirectory()
      const env = { DATA_DIR: directory, DATABASE_URL: 'mysql://u:hunter2@db/x' }
      const { status, out, err } = await runCommand(env, ['serve'])
      assert.deepEqual([status, out], [1, ''])
      assert.match(
        err,
        /^DATABASE_URL is "mysql:\/\/u:\*\*\*@db\/x": it takes postgres:\/\/[^\n]+\n$/,
        'one line',
      )
      assert.doesNotMatch(err, /hunter2/)
      assert.deepEqual(await readdir(directory), [])
    })

    it('an address that is not of this machine ends the start with one line', async () => {
      const database = await openDatabaseAddress()
      // 192.0.2.0/24 is for documentation; nobody has it.
      const env = {
        DATA_DIR: await makeDirectory(),
        DATABASE_URL: database.url,
        SECRET_KEY: TEST_SECRET,
        HOST: '192.0.2.1',
        PORT: '0',
        LOG_LEVEL: 'silent',
      }
      const { status, out, err } = await runCommand(env, ['serve'])
      assert.deepEqual([status, out], [1, ''])
      assert.match(err, /^[^\n]*192\.0\.2\.1[^\n]*\n$/)
      await database.drop()
    })

    it('any command is refused, not only the service', async () => {
      const { status, out, err } = await runCommand({ DATA_DIR: await makeDirectory(), SIGNUP: 'maybe' }, [
        'token',
        'list',
      ])
      assert.deepEqual([status, out, err], [1, '', 'SIGNUP is "maybe": it takes one of closed, open\n'])
    })
  })
}
