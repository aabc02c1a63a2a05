import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path, { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createScheduler } from '../../src/engine/probing/schedule.ts'
import { judgeFailures } from '../../src/net/dial-failure.ts'
import { openHostsFile } from '../../src/net/names/hosts-file.ts'
import { createProbes, probeBy } from '../../src/probes/run.ts'
import type { ScheduledMonitor } from '../../src/store/probing/schedule.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import type { ProberFindings, ProberTask } from '../support/probing/prober.ts'
import { scheduled } from '../support/probing/schedule-world.ts'
import { selfSigned } from '../support/servers/certificates.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { startHttp, startHttps, startTcp } from '../support/servers/targets.ts'
import { settingsFor, testNetwork, timeoutsFor } from '../support/servers/targets-settings.ts'
import { turnClock } from '../support/time/turned-clock.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)
const PROBER = join(import.meta.dirname, '../support/probing/prober.ts')
const FEW_DESCRIPTORS = ['/bin/sh', '-c', 'ulimit -n 64; exec "$@"', 'sh']
/** A network namespace of its own, with nothing in it that is switched on. */
const NO_NETWORK = ['unshare', '--user', '--map-root-user', '--net']

describe('without a file descriptor left', () => {
  test('a check of any type is pending, and judged as soon as there is one again', async (t) => {
    const web = await startHttp(t, (_, response) => response.end('OK'))
    const secure = await startHttps(t, selfSigned({}))
    const port = await startTcp(t)
    const dns = await startDnsServer(t, { 'shop.example': ['127.0.0.1'] })
    const { starved, fed } = await probeUnder(FEW_DESCRIPTORS, {
      nameServers: [dns.address],
      starve: 'descriptors',
      checks: [
        { type: 'http', url: `http://127.0.0.1:${web.port}/` },
        { type: 'http', url: `http://[::1]:${web.port}/` },
        { type: 'http', url: `http://shop.example:${web.port}/` },
        { type: 'keyword', url: `http://localhost:${web.port}/` },
        { type: 'ssl', url: `https://127.0.0.1:${secure.port}/` },
        { type: 'tcp', url: 'tcp://127.0.0.1', port: port.port },
        { type: 'icmp', url: 'icmp://127.0.0.1' },
      ],
    })
    assert.deepEqual(
      starved.map(({ status }) => status),
      Array(7).fill('pending'),
      JSON.stringify(starved),
    )
    const reasons = starved.slice(0, -1).map(({ errorMessage }) => errorMessage)
    assert.deepEqual(new Set(reasons), new Set(['out of file descriptors']))
    assert.deepEqual(
      fed.slice(0, -1).map(({ status }) => status),
      ['up', 'down', 'up', 'up', 'down', 'up'],
    )
    assert.notEqual(fed.at(-1)?.status, 'down')
  })

  test('the names of the hosts file keep their addresses', (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hosts-'))
    t.after(() => fs.rmSync(folder, { recursive: true }))
    const file = path.join(folder, 'hosts')
    fs.writeFileSync(file, '127.0.0.5 box\n')
    let now = 0
    const hosts = openHostsFile(file, () => now)
    assert.deepEqual(hosts('box'), ['127.0.0.5'])
    fs.writeFileSync(file, '127.0.0.6 box\n')
    fs.utimesSync(file, 1, 1)
    const readFileSync = t.mock.method(fs, 'readFileSync', () => {
      throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
    })
    now = 1_000
    assert.deepEqual(hosts('box'), ['127.0.0.5'])
    readFileSync.mock.restore()
    now = 2_000
    assert.deepEqual(hosts('box'), ['127.0.0.6'])
  })
})

describe('without any network', () => {
  test('a check of any type is pending, for addresses and names alike', async () => {
    if (!(await isPossible(NO_NETWORK))) {
      // A kernel that keeps namespaces from ordinary users: what its connections would meet, by their codes.
      for (const code of ['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL']) {
        assert.equal(judgeFailures([{ address: '127.0.0.1', code }], 80).kind, 'inconclusive')
      }
      return
    }
    const { fed } = await probeUnder(NO_NETWORK, {
      nameServers: ['127.0.0.1:53'],
      starve: null,
      checks: [
        { type: 'http', url: 'http://127.0.0.1/' },
        { type: 'http', url: 'http://localhost/' },
        { type: 'http', url: 'http://shop.example/' },
        { type: 'keyword', url: 'https://[::1]/' },
        { type: 'ssl', url: 'https://127.0.0.1/' },
        { type: 'tcp', url: 'tcp://[::1]', port: 80 },
        { type: 'icmp', url: 'icmp://127.0.0.1' },
      ],
    })
    assert.deepEqual(
      fed.map(({ status }) => status),
      Array(7).fill('pending'),
      JSON.stringify(fed),
    )
    const reasons = new Set(fed.slice(0, -1).map(({ errorMessage }) => errorMessage))
    for (const reason of reasons) {
      assert.match(reason ?? '', /^(no network here|no local address|no name server of ours answers)$/)
    }
  })
})

describe('when the name servers go away', () => {
  test('checks are pending and tried again at once, until the name servers are back', async (t) => {
    const clock = turnClock(t)
    const target = await startHttp(t, (_, response) => response.end())
    const replies: Parameters<typeof startDnsServer>[1] = { 'shop.example': 'silence', '': 'silence' }
    const dns = await startDnsServer(t, replies)
    const found: string[] = []
    const network = testNetwork({ nameServers: [dns.address], nameServerTimeouts: timeoutsFor(replies) })
    const startMs = Date.now()
    const now = () => new Date(startMs + clock.passedMs)
    let begun = 0
    const probes = createProbes({
      network,
      now,
      icmp: () => Promise.reject(new Error('no echoes here')),
      onBug: (error) => found.push(String(error)),
    })
    const settings = settingsFor('http', {
      url: `http://shop.example:${target.port}/`,
      request_timeout_seconds: 1,
    })
    const scheduler = createScheduler({
      probe: (given, signal) => {
        begun++
        return probeBy(probes, given, signal)
      },
      settingsOf: () => settings,
      recorder: {
        record: async ({ result }) => {
          found.push(`${result?.status}: ${result?.errorMessage}`)
          return { kind: 'recorded', heartbeatDueAt: null }
        },
        close: async () => {},
      },
      region: null,
      now,
      onTrouble: (error) => found.push(String(error)),
    })
    t.after(() => scheduler.close())
    scheduler.load([hourly(settings.url)])
    // An hour until the next regular check: only the trouble can bring another one.
    await clock.passWhile(() => found.length < 2)
    replies['shop.example'] = ['127.0.0.1']
    const before = begun
    await clock.passWhile(() => begun === before)
    // This one has all the time that it needs.
    await until('the check to pass', () => found.at(-1) === 'up: null')
    assert.deepEqual(new Set(found.slice(0, -1)), new Set(['pending: no name server of ours answers']))
  })
})

async function probeUnder(launcher: string[], task: ProberTask): Promise<ProberFindings> {
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', PROBER, JSON.stringify(task)]
  const [command = '', ...args] = [...launcher, ...node]
  const { stdout } = await run(command, args, { timeout: HANG_GUARD_MS })
  return JSON.parse(stdout)
}

async function isPossible(launcher: string[]): Promise<boolean> {
  const [command = '', ...args] = [...launcher, 'true']
  return run(command, args, { timeout: HANG_GUARD_MS }).then(
    () => true,
    () => false,
  )
}

function hourly(url: string): ScheduledMonitor {
  return scheduled({ url, interval_seconds: 3_600, request_timeout_seconds: 1, changed_at: new Date() })
}
