import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Assertion } from '../../../src/core/expectations/assertion.ts'
import { english } from '../../../src/core/language/said.ts'
import { OPTIONS } from '../../../src/core/monitors/options/entries.ts'
import type { MonitorOptions } from '../../../src/core/monitors/options/monitor-options.ts'
import { readDockerHost } from '../../../src/core/monitors/options/protocols/docker.ts'
import { mayHaveCertificate } from '../../../src/core/monitors/options/security.ts'
import { urlFault } from '../../../src/core/monitors/target.ts'
import type { Network } from '../../../src/net/network.ts'
import {
  container,
  type DockerApiOptions,
  EXITED,
  startDockerApi,
  withHealth,
} from '../../support/protocols/docker-api.ts'
import type { Scope } from '../../support/scope.ts'
import { createAuthority } from '../../support/servers/certificates.ts'
import { check, testNetwork } from '../../support/servers/targets-settings.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const authority = createAuthority('Docker')
const UP = ['up', null]

/** Asks an API that it starts. `name`: of the container in the URL. */
async function ask(
  scope: Scope,
  server: DockerApiOptions,
  { name = 'web', options = {} as MonitorOptions, network = testNetwork() as Network } = {},
) {
  const { port, asked } = await startDockerApi(scope, server)
  const docker_host = `${server.certificate ? 'https' : 'http'}://127.0.0.1:${port}`
  const found = await check(
    'docker',
    { url: `docker://${name}`, options: { docker_host, ...options } },
    { network },
  )
  return { ...found, said: [found.status, found.errorMessage], asked }
}

const assertion = (one: Partial<Assertion>): MonitorOptions => ({
  assertions: [{ source: 'json', comparison: 'equals', severity: 'down', ...one } as Assertion],
})

describe('a check of a container', () => {
  it('is up while it runs, without a health check or with one that passes', async (t) => {
    for (const web of [container(), withHealth('healthy'), container({ Health: { Status: 'none' } })]) {
      const { said, note, asked } = await ask(t, { containers: { web } })
      assert.deepEqual([said, note], [UP, undefined])
      assert.deepEqual(asked, ['GET /containers/web/json'])
    }
    const starting = await ask(t, { containers: { web: withHealth('starting') } })
    assert.equal(starting.note, 'container web is running, and its health is not known yet')
  })

  it('asks for the name as it is written, which has capitals and dots', async (t) => {
    const name = 'Shop_web.1.x-2'
    const { said, asked } = await ask(t, { containers: { [name]: container() } }, { name })
    assert.deepEqual([said, asked], [UP, [`GET /containers/${name}/json`]])
  })

  it('reads what Podman says of a container that is not there', async (t) => {
    const message = 'no container with name or ID "web" found: no such container'
    const { said } = await ask(t, {
      instead: (_, response) =>
        response.writeHead(404).end(JSON.stringify({ cause: 'no such container', message, response: 404 })),
    })
    assert.deepEqual(said, ['down', 'there is no container web'])
  })

  it('is judged by assertions about its state in place of the usual rule', async (t) => {
    const ended = { web: container({ ...EXITED, ExitCode: 0 }) }
    const exited = assertion({ source: 'answer', target: 'exited' })
    assert.deepEqual((await ask(t, { containers: ended }, { options: exited })).said, UP)
    const running = await ask(t, {}, { options: exited })
    assert.deepEqual(running.said, ['down', 'answer is "running" (expected "exited")'])
    const warning = assertion({ source: 'answer', target: 'exited', severity: 'degraded' })
    assert.equal((await ask(t, { containers: ended }, { options: warning })).status, 'down')
    const sick = await ask(t, { containers: { web: withHealth('unhealthy', 'x') } }, { options: exited })
    assert.deepEqual(sick.said, ['down', 'container web is unhealthy ("x")'])
  })

  it('reads of the document what tells the state, and never its environment, command or mounts', async (t) => {
    const read = async (property: string, more: Partial<Assertion>) =>
      (await ask(t, {}, { options: assertion({ property, ...more }) })).said
    assert.deepEqual(await read('$.RestartCount', { comparison: 'less_than', target: 1 }), UP)
    assert.deepEqual(await read('$.Config.Image', { comparison: 'ends_with', target: ':1.2' }), UP)
    assert.deepEqual(await read("$.Config.Labels['com.docker.compose.project']", { target: 'shop' }), UP)
    for (const property of ['$.Config.Env', '$.Args', '$.Path', '$.Mounts', '$.State.Pid'])
      assert.deepEqual(
        await read(property, { comparison: 'exists' }),
        ['down', `${property} is missing`],
        property,
      )
  })

  it('is judged by the state, however odd the rest of the document is', async (t) => {
    const tell = async (document: unknown) => {
      const text = typeof document === 'string' ? document : JSON.stringify(document)
      return (await ask(t, { instead: (_, response) => response.end(text) })).said
    }
    const odd = { Status: 7, FailingStreak: 'x', Log: [{ Output: 7 }, null] }
    for (const state of [
      {},
      { Health: odd },
      { Health: [] },
      { Health: null },
      { ExitCode: 'x', OOMKilled: 7 },
    ])
      for (const more of [{}, { RestartCount: null, Config: { Labels: { a: 7 } } }, { Config: [], Id: {} }])
        assert.deepEqual(await tell(container(state, more)), UP, JSON.stringify([state, more]))
    const sick = { Status: 'unhealthy', Log: null }
    assert.deepEqual(await tell(container({ Health: sick })), ['down', 'container web is unhealthy'])
    const strange = { Status: `stop\u202eped${'x'.repeat(9_000)}` }
    const [, cause = ''] = (await tell(container(strange))) ?? []
    assert.match(cause ?? '', /^container web is stop[^\u202e]*…$/)
    assert.ok((cause ?? '').length < 300)
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
    for (const text of ['', 'null', '[]', '7', '{}', '{"State": null}', '{"State": {"Status": ""}}', deep])
      assert.deepEqual(
        await tell(text),
        ['down', 'Docker: the answer is not as this protocol has it'],
        text.slice(0, 20),
      )
  })

  it('shows its client certificate, and takes the authority of its option', async (t) => {
    const certificate = {
      ...authority.issue({ names: ['127.0.0.1'] }),
      ...{ ca: authority.pem, requestCert: true, rejectUnauthorized: true },
    }
    const { cert, key } = authority.issue({ commonName: 'watcher' })
    const tls = { ca: authority.pem, client_certificate: cert, client_key: key }
    const { said, certificate: seen, phases } = await ask(t, { certificate }, { options: { tls } })
    assert.deepEqual(said, UP)
    assert.notEqual(seen, null)
    assert.notEqual(phases?.tlsMs, null)
    const { status } = await ask(t, { certificate }, { options: { tls: { ca: authority.pem } } })
    assert.equal(status, 'down')
  })

  it('asks over a socket of this machine that the operator lists, by no other path', async (t) => {
    const folder = temporaryFolder(t)
    const path = join(folder, 'docker.sock')
    const other = join(folder, 'other.sock')
    symlinkSync(path, other)
    const { asked } = await startDockerApi(t, { path })
    const network = testNetwork({ sockets: [path], privateTargets: 'deny' })
    const over = async (written: string, name = 'web') => {
      const options = { docker_host: `unix://${written}` }
      const { status, errorMessage, address } = await check(
        'docker',
        { url: `docker://${name}`, options },
        { network },
      )
      assert.equal(address, undefined)
      return [status, errorMessage]
    }
    assert.deepEqual(await over(path), UP)
    assert.deepEqual(await over(path, 'none'), ['down', 'there is no container none'])
    const before = asked.length
    assert.deepEqual(await over(other), ['down', `socket ${other} is not allowed`])
    assert.deepEqual(await over(`${folder}/../${folder}/docker.sock`), ['down', 'the URL names no host'])
    assert.equal(asked.length, before)
  })
})

describe('the settings of a container', () => {
  it('take names and IDs in the URL, with nothing behind them', () => {
    for (const url of ['docker://web', 'docker://Shop_web-1', 'docker://4fa6e0f0c678', 'docker://a.b'])
      assert.equal(urlFault('docker', url), null, url)
    for (const url of [
      'docker://web/json',
      'docker://web:80',
      'docker://-web',
      'docker://wéb',
      'docker://web?a',
    ])
      assert.match(
        english(urlFault('docker', url) ?? assert.fail(url)),
        /^must be docker:\/\/ and a name|^must be a full/,
        url,
      )
  })

  it('take a Docker host that is a web address without a path, or the plain path of a socket', () => {
    assert.deepEqual(readDockerHost('unix:///var/run/docker.sock'), {
      kind: 'socket',
      path: '/var/run/docker.sock',
    })
    for (const written of [
      'http://10.0.0.7:2375',
      'https://docker.example:2376/',
      'HTTPS://[2001:db8::1]:2376',
    ])
      assert.equal(readDockerHost(written)?.kind, 'web', written)
    for (const written of [
      ...[
        'tcp://a.example:2375',
        'ssh://a.example',
        'http://a.example/x',
        'http://u:p@a.example',
        'https://a.example?x',
      ],
      ...[
        'unix://var/run/docker.sock',
        'unix:////run/a',
        'unix:///run/../etc/a',
        'unix:///run/./a',
        'unix:///run//a',
      ],
      ...[
        'unix:///run/a/',
        'unix:///run/..',
        'unix:///',
        'unix://',
        '/var/run/docker.sock',
        'docker.example:2376',
        '',
      ],
    ])
      assert.equal(readDockerHost(written), null, written)
  })

  it('have no way over a network beside a socket', () => {
    const around = { type: 'docker', url: 'docker://web', username: null } as const
    const faults = (host: string, others: object) =>
      OPTIONS.docker_host
        .clashes(host, around, others as Record<string, unknown>)
        .map(({ message }) => english(message))
    for (const [name, value] of Object.entries({
      proxy: 'http://a',
      resolver: '192.0.2.1',
      ip_version: 4,
      tls: {},
    })) {
      assert.deepEqual(faults('unix:///run/a', { [name]: value }), [
        `is a socket of the machine itself, which takes no ${name}`,
      ])
      assert.deepEqual(faults('https://a.example', { [name]: value }), [])
    }
  })

  it('tell whether there is a certificate', () => {
    for (const [docker_host, expected] of [
      ['https://a.example', true],
      ['http://a.example', false],
      ['unix:///run/a', false],
    ] as const)
      assert.equal(
        mayHaveCertificate({ type: 'docker', url: 'docker://web', options: { docker_host } }),
        expected,
      )
  })
})
