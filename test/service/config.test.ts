import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { placeCluster } from '../support/cluster-template.ts'
import { runCommand } from '../support/command.ts'

describe('a wrong setting stops the start', () => {
  let directory: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'upbeat-test-'))
    await chmod(directory, 0o711)
  })
  after(() => rm(directory, { recursive: true, force: true }))

  /** The one line on standard error of a start that was refused. */
  async function refusalWith(env: Record<string, string>): Promise<string> {
    const { status, out, err } = await runCommand({ DATA_DIR: directory, ...env }, ['serve'])
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, /^[^\n]+\n$/, 'one line')
    assert.doesNotMatch(err, /hunter2/)
    return err.trimEnd()
  }

  it('the service does not start, and its database is not touched', async () => {
    const said = await refusalWith({ DATABASE_URL: 'mysql://u:hunter2@db/x' })
    assert.match(said, /^DATABASE_URL is "mysql:\/\/u:\*\*\*@db\/x": it takes postgres:\/\//)
    assert.deepEqual(await readdir(directory), [])
  })

  it('an address that is not of this machine ends the start with one line', async () => {
    await placeCluster(directory)
    // 192.0.2.0/24 is for documentation; nobody has it.
    const env = { DATA_DIR: directory, HOST: '192.0.2.1', PORT: '0', LOG_LEVEL: 'silent' }
    const { status, out, err } = await runCommand(env, ['serve'])
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, /^[^\n]*192\.0\.2\.1[^\n]*\n$/)
  })

  it('any command is refused, not only the service', async () => {
    const { status, out, err } = await runCommand({ DATA_DIR: directory, SIGNUP: 'maybe' }, ['token', 'list'])
    assert.deepEqual([status, out, err], [1, '', 'SIGNUP is "maybe": it takes one of closed, open\n'])
  })
})
