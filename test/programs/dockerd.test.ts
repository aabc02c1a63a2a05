import assert from 'node:assert/strict'
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Assertion } from '../../src/core/expectations/assertion.ts'
import type { MonitorOptions } from '../../src/core/monitors/options/monitor-options.ts'
import { readAgentReport } from '../../src/core/servers/agent-report.ts'
import { AGENT } from '../support/agent/agent-machine.ts'
import { runProgram } from '../support/programs.ts'
import { startProgram } from '../support/protocols/start-program.ts'
import { suiteScope } from '../support/scope.ts'
import { createAuthority } from '../support/servers/certificates.ts'
import { closedPort } from '../support/servers/targets.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const authority = createAuthority('Dockers')
const watcher = authority.issue({ commonName: 'watcher' })
const IMAGE = 'box'

describe('a check of a container of a real Docker', () => {
  const scope = suiteScope()
  let folder = ''
  let port = 0
  let socket = ''

  before(async () => {
    folder = temporaryFolder(scope)
    socket = join(folder, 'docker.sock')
    port = await closedPort(scope)
    const { cert, key } = authority.issue({ names: ['127.0.0.1'] })
    for (const [name, text] of Object.entries({ 'cert.pem': cert, 'key.pem': key, 'ca.pem': authority.pem }))
      writeFileSync(join(folder, name), text)
    const tls = ['--tlsverify', '--tlscacert', join(folder, 'ca.pem')]
    const own = ['--tlscert', join(folder, 'cert.pem'), '--tlskey', join(folder, 'key.pem')]
    const places = ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')]
    const hosts = ['--host', `unix://${socket}`, '--host', `tcp://127.0.0.1:${port}`]
    // Nothing of the machine's own network and disks is touched.
    const apart = ['--iptables=false', '--ip6tables=false', '--bridge=none', '--storage-driver=vfs']
    const args = [...places, ...hosts, ...tls, ...own, ...apart, '--pidfile', join(folder, 'pid')]
    await startProgram(scope, 'dockerd', args, { isReady: async () => (await ask('none')).said !== null })
    scope.after(async () => {
      for (const id of docker('ps', '--all', '--quiet').split('\n').filter(Boolean))
        docker('rm', '--force', id)
    })
    const root = join(folder, 'root', 'bin')
    mkdirSync(root, { recursive: true })
    cpSync('/bin/busybox', join(root, 'busybox'), { dereference: true })
    symlinkSync('busybox', join(root, 'sh'))
    const archive = join(folder, 'box.tar')
    runProgram('tar', ['-C', join(folder, 'root'), '-cf', archive, '.'])
    docker('import', archive, IMAGE)
    rmSync(archive)
  })

  const docker = (...args: string[]) =>
    runProgram('docker', ['--host', `unix://${socket}`, ...args]).stdout.trim()
  const start = (name: string, script: string, ...how: string[]) =>
    docker('run', '--detach', '--name', name, '--network', 'none', ...how, IMAGE, '/bin/sh', '-c', script)

  /** `said`: null while Docker does not answer yet. */
  async function ask(name: string, options: MonitorOptions = {}) {
    const overSocket = { docker_host: `unix://${socket}` }
    const network = testNetwork({ sockets: [socket] })
    const asked = { url: `docker://${name}`, options: { ...overSocket, ...options } }
    const { status, errorMessage, note, certificate } = await check('docker', asked, { network })
    const isSilent = /^(there is no socket|connection refused)/.test(errorMessage ?? '')
    return { said: isSilent ? null : [status, errorMessage], note, certificate }
  }
  const said = async (name: string, options: MonitorOptions = {}) => (await ask(name, options)).said
  const sleeping = 'exec /bin/busybox sleep 100000'

  it('is up while it runs, by its name, its ID and the beginning of that', async () => {
    const id = start('Web_1.x', sleeping, '--env', 'TOKEN=hunter22')
    for (const name of ['Web_1.x', id, id.slice(0, 12)]) assert.deepEqual(await said(name), ['up', null])
    assert.deepEqual(await said('web_1.x'), ['down', 'there is no container web_1.x'])
    const of = (property: string, target: string | number): MonitorOptions => {
      const one: Assertion = { source: 'json', property, comparison: 'equals', target, severity: 'down' }
      return { assertions: [one] }
    }
    assert.deepEqual(await said('Web_1.x', of('$.Config.Image', IMAGE)), ['up', null])
    assert.deepEqual(await said('Web_1.x', of('$.RestartCount', 0)), ['up', null])
    assert.deepEqual(await said('Web_1.x', of('$.Config.Env[0]', 'x')), [
      'down',
      '$.Config.Env[0] is missing',
    ])
  })

  it('is down where it does not run, and why', async () => {
    start('paused', sleeping)
    docker('pause', 'paused')
    assert.deepEqual(await said('paused'), ['down', 'container paused is paused'])
    docker('unpause', 'paused')
    assert.deepEqual(await said('paused'), ['up', null])
    start('ended', 'exit 7')
    docker('wait', 'ended')
    assert.deepEqual(await said('ended'), ['down', 'container ended has exited with 7'])
    docker('create', '--name', 'made', '--network', 'none', IMAGE, '/bin/sh')
    assert.deepEqual(await said('made'), ['down', 'container made was never started'])
    start('failing', 'exit 1', '--restart', 'always')
    await until('Docker to start it again', async () => {
      const [, cause] = (await said('failing')) ?? []
      return /^container failing is restarting after it has exited with 1, [1-9]\d* times so far$/.test(
        cause ?? '',
      )
    })
  })

  it('is as healthy as its health check says', async () => {
    const command = [
      '--health-cmd',
      '/bin/busybox cat /ok',
      '--health-interval',
      '1s',
      '--health-retries',
      '1',
    ]
    start('sick', sleeping, ...command)
    await until('its health to be known', async () => (await ask('sick')).note === undefined)
    assert.deepEqual(await said('sick'), [
      'down',
      "container sick is unhealthy (\"cat: can't open '/ok': No such file or directory\")",
    ])
    docker('exec', 'sick', '/bin/busybox', 'touch', '/ok')
    await until('it to be well', async () => (await said('sick'))?.[0] === 'up')
    start('young', sleeping, ...command, '--health-start-period', '1000s', '--health-interval', '1000s')
    const young = await ask('young')
    assert.deepEqual(
      [young.said, young.note],
      [['up', null], 'container young is running, and its health is not known yet'],
    )
  })

  it('is told of by the agent of its server, with all others, or with why not', () => {
    const script = AGENT.replace("containers=''", "containers='docker'").replace(
      "address='h",
      "address='' x='h",
    )
    const tell = (host: string) => {
      const env = { ...process.env, DOCKER_HOST: host, HOME: folder }
      return readAgentReport(runProgram('sh', ['-s', '--', '--show'], { env, input: script }).stdout)?.hosted
        ?.containers
    }
    const told = tell(`unix://${socket}`)
    assert.equal(told?.trouble, null)
    const states = Object.fromEntries(told?.list.map(({ name, ...rest }) => [name, rest]) ?? [])
    const box = { image: IMAGE, state: 'running', health: null, restarts: 0, exit_code: 0 }
    assert.deepEqual(states['Web_1.x'], box)
    assert.deepEqual(states.ended, { ...box, state: 'exited', exit_code: 7 })
    assert.deepEqual(states.made, { ...box, state: 'created' })
    assert.deepEqual(states.sick, { ...box, health: 'healthy' })
    assert.deepEqual(states.young, { ...box, health: 'starting' })
    assert.ok((states.failing?.restarts ?? 0) > 0)
    const none = tell(`unix://${folder}/none.sock`)
    assert.deepEqual(
      [none?.list, /Cannot connect/.test(none?.trouble ?? '')],
      [[], true],
      none?.trouble ?? '',
    )
  })

  it('is asked for over TLS with a client certificate, and by no other way there', async () => {
    start('secret', sleeping)
    const docker_host = `https://127.0.0.1:${port}`
    const tls = { ca: authority.pem, client_certificate: watcher.cert, client_key: watcher.key }
    const asked = await ask('secret', { docker_host, tls })
    assert.deepEqual(asked.said, ['up', null])
    assert.notEqual(asked.certificate, null)
    assert.deepEqual(await said('lost', { docker_host, tls }), ['down', 'there is no container lost'])
    assert.deepEqual(await said('secret', { docker_host, tls: { ca: authority.pem } }), [
      'down',
      'TLS handshake failed: the server asks for a client certificate',
    ])
    assert.deepEqual(await said('secret', { docker_host: `http://127.0.0.1:${port}` }), [
      'down',
      `no HTTP here: 127.0.0.1:${port} speaks TLS (https)`,
    ])
  })
})
