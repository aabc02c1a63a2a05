import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { startProgram } from '../support/protocols/start-program.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

it('a SIP monitor of a real server, over UDP and TCP', async (t) => {
  const folder = temporaryFolder(t)
  const port = await closedPort(t)
  const config = join(folder, 'kamailio.cfg')
  writeFileSync(
    config,
    `#!KAMAILIO
fork=no
log_stderror=yes
children=1
tcp_children=1
listen=udp:127.0.0.1:${port}
listen=tcp:127.0.0.1:${port}
loadmodule "sl.so"
loadmodule "pv.so"
loadmodule "textops.so"
request_route {
  if (is_method("OPTIONS")) { sl_send_reply("200", "Everything fine"); exit; }
  sl_send_reply("405", "Method Not Allowed");
}
`,
  )
  const ask = async (transport: 'udp' | 'tcp') => {
    const assertions = [
      { source: 'answer', comparison: 'equals', target: '200 Everything fine', severity: 'down' },
    ] as const
    const found = await check('sip', {
      ...{ url: `sip://127.0.0.1:${port}`, request_timeout_seconds: 5 },
      options: { transport, assertions: [...assertions] },
    })
    return [found.status, found.errorMessage]
  }
  const args = ['-DD', '-E', '-f', config, '-P', join(folder, 'pid'), '-Y', folder, '-m', '32', '-M', '8']
  await startProgram(t, 'kamailio', args, { isReady: async () => (await ask('udp'))[0] === 'up' })
  assert.deepEqual(await ask('tcp'), ['up', null])
})
