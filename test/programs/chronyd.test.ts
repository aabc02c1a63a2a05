import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { startProgram } from '../support/protocols/start-program.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('an NTP monitor of a real time server, which serves its own clock as one of stratum 3', async (t) => {
  const folder = temporaryFolder(t)
  const port = await closedPort(t)
  writeFileSync(
    join(folder, 'chrony.conf'),
    [
      ...[`port ${port}`, 'bindaddress 127.0.0.1', 'allow 127.0.0.1', 'local stratum 3', 'cmdport 0'],
      ...[`pidfile ${folder}/pid`, `bindcmdaddress ${folder}/command.sock`, ''],
    ].join('\n'),
  )
  const ask = async (options: object) => {
    const found = await check('ntp', { url: `ntp://127.0.0.1:${port}`, options, request_timeout_seconds: 3 })
    return [found.status, found.errorMessage]
  }
  // It leaves the clock of this machine as it is.
  const args = ['-d', '-x', '-u', 'root', '-f', join(folder, 'chrony.conf')]
  await startProgram(t, 'chronyd', args, { isReady: async () => (await ask({}))[0] === 'up' })
  assert.deepEqual(await ask({ max_stratum: 2 }), ['down', 'NTP: stratum is 3 (expected at most 2)'])
  const assertions = [
    { source: 'json', property: '$.stratum', comparison: 'equals', target: 3, severity: 'down' },
  ]
  assert.deepEqual(await ask({ assertions }), ['up', null])
})
