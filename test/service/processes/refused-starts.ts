import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { placeCluster } from '../../support/cluster-template.ts'
import { runCommand } from '../../support/command.ts'
import { suiteScope } from '../../support/scope.ts'

export function describeRefusedStarts(): void {
  describe('a wrong setting stops the start', { concurrency: true }, () => {
    const scope = suiteScope()
    let empty: string
    let prepared: string

    before(async () => {
      const [first, second] = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'upbeat-test-'))))
      empty = first as string
      prepared = second as string
      for (const directory of [empty, prepared]) {
        scope.after(() => rm(directory, { recursive: true, force: true }))
        await chmod(directory, 0o711)
      }
      await placeCluster(prepared)
    })

    it('the service does not start, and its database is not touched', async () => {
      const env = { DATA_DIR: empty, DATABASE_URL: 'mysql://u:hunter2@db/x' }
      const { status, out, err } = await runCommand(env, ['serve'])
      assert.deepEqual([status, out], [1, ''])
      assert.match(
        err,
        /^DATABASE_URL is "mysql:\/\/u:\*\*\*@db\/x": it takes postgres:\/\/[^\n]+\n$/,
        'one line',
      )
      assert.doesNotMatch(err, /hunter2/)
      assert.deepEqual(await readdir(empty), [])
    })

    it('an address that is not of this machine ends the start with one line', async () => {
      // 192.0.2.0/24 is for documentation; nobody has it.
      const env = { DATA_DIR: prepared, HOST: '192.0.2.1', PORT: '0', LOG_LEVEL: 'silent' }
      const { status, out, err } = await runCommand(env, ['serve'])
      assert.deepEqual([status, out], [1, ''])
      assert.match(err, /^[^\n]*192\.0\.2\.1[^\n]*\n$/)
    })

    it('any command is refused, not only the service', async () => {
      const { status, out, err } = await runCommand({ DATA_DIR: empty, SIGNUP: 'maybe' }, ['token', 'list'])
      assert.deepEqual([status, out, err], [1, '', 'SIGNUP is "maybe": it takes one of closed, open\n'])
    })
  })
}
