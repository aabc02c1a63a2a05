import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { startRealServer } from '../support/line-servers/real-server.ts'
import { runProgram } from '../support/programs.ts'
import { suiteScope } from '../support/scope.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('an SSH monitor of a real server', () => {
  const scope = suiteScope()
  let port = 0

  before(async () => {
    const folder = temporaryFolder(scope)
    port = await closedPort(scope)
    const key = join(folder, 'host-key')
    runProgram('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    // The program wants this folder to be there, empty.
    mkdirSync('/run/sshd', { recursive: true })
    const file = join(folder, 'sshd_config')
    writeFileSync(file, `Port ${port}\nListenAddress 127.0.0.1\nHostKey ${key}\nPidFile none\nUsePAM no\n`)
    await startRealServer(scope, ['/usr/sbin/sshd', '-D', '-e', '-f', file], [port])
  })

  const found = async (target: string) => {
    const assertions = [{ source: 'answer', comparison: 'starts_with', target, severity: 'down' } as const]
    const { status, errorMessage } = await check('ssh', {
      url: `ssh://127.0.0.1:${port}`,
      options: { assertions },
    })
    return { status, errorMessage }
  }

  it('is up, and judges what the server says it is', async () => {
    assert.deepEqual(await found('SSH-2.0-OpenSSH_'), { status: 'up', errorMessage: null })
    const { status, errorMessage } = await found('SSH-2.0-dropbear')
    assert.equal(status, 'down')
    assert.match(
      errorMessage ?? '',
      /^answer is "SSH-2\.0-OpenSSH_\S.*" \(expected to start with "SSH-2\.0-dropbear"\)$/,
    )
  })
})
