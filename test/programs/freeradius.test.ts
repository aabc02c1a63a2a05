import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { startProgram } from '../support/protocols/start-program.ts'
import { suiteScope } from '../support/scope.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SECRET = 'open-Sesame'
const PASSWORD = 'a password of more than one block'

describe('a RADIUS monitor of a real server', () => {
  const scope = suiteScope()
  let url: string

  before(async () => {
    const folder = temporaryFolder(scope)
    const port = await closedPort(scope)
    mkdirSync(join(folder, 'log'))
    writeFileSync(
      join(folder, 'users'),
      `ada Cleartext-Password := "${PASSWORD}", Called-Station-Id == "office"\nbob Cleartext-Password := "${PASSWORD}"\n`,
    )
    writeFileSync(
      join(folder, 'radiusd.conf'),
      `prefix = /usr
logdir = ${folder}/log
raddbdir = ${folder}
run_dir = ${folder}
libdir = /usr/lib/freeradius
pidfile = ${folder}/pid
security {
  allow_core_dumps = no
}
modules {
  files {
    filename = ${folder}/users
  }
  pap {
  }
}
client local {
  ipaddr = 127.0.0.1
  secret = ${SECRET}
  require_message_authenticator = yes
}
server default {
  listen {
    type = auth
    ipaddr = 127.0.0.1
    port = ${port}
  }
  authorize {
    files
    pap
  }
  authenticate {
    Auth-Type PAP {
      pap
    }
  }
}
`,
    )
    url = `radius://127.0.0.1:${port}`
    await startProgram(scope, 'freeradius', ['-f', '-l', 'stdout', '-d', folder, '-n', 'radiusd'], {
      isReady: async () => (await ask('bob', PASSWORD))[0] === 'up',
    })
  })

  async function ask(username: string, password: string, options: object = {}, target = 'Access-Accept') {
    const assertions = [{ source: 'answer', comparison: 'equals', target, severity: 'down' }]
    const found = await check('radius', {
      ...{ url, username, password, request_timeout_seconds: 5 },
      options: { shared_secret: SECRET, assertions, ...options } as never,
    })
    return [found.status, found.errorMessage]
  }

  it('tells who is accepted and who is rejected', async () => {
    assert.deepEqual(await ask('bob', PASSWORD), ['up', null])
    assert.deepEqual(await ask('bob', 'another', {}, 'Access-Reject'), ['up', null])
  })

  it('names the station that one signs in at', async () => {
    assert.deepEqual(await ask('ada', PASSWORD, { called_station_id: 'office' }), ['up', null])
    assert.deepEqual(await ask('ada', PASSWORD, { called_station_id: 'home' }, 'Access-Reject'), ['up', null])
  })
})
