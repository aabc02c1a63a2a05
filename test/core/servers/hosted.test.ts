import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readAgentReport } from '../../../src/core/servers/agent-report.ts'
import { DEFAULT_THRESHOLDS, type ThresholdChanges } from '../../../src/core/servers/condition.ts'
import { Hosted, hostedAfter, NOTHING_HOSTED, type ToldHosted } from '../../../src/core/servers/hosted.ts'
import { MAX_REPORT_BYTES } from '../../../src/core/servers/server.ts'
import { atMinute, JudgedServer } from '../../support/records/judged-server.ts'

/** The lines of sections, as an agent sends them. Null: without that section. */
function toldBy(containers: string[] | null, units: string[] | null = null): ToldHosted {
  const sections = [
    ...(containers === null ? [] : ['@containers', ...containers]),
    ...(units === null ? [] : ['@units', ...units]),
  ]
  const report = readAgentReport(['upbeat-agent 1 1.1.0', ...sections, '@host', 'web-1', ''].join('\n'))
  assert.ok(report)
  return report.hosted ?? NOTHING_HOSTED
}

const WEB = 'running healthy 0 0 /web nginx:1.27'

describe('the containers and units of a report', () => {
  it('are read as Docker, Podman and systemd tell of them', () => {
    const { containers, units } = toldBy(
      [
        WEB,
        'exited  3 137 /db registry.example.com:5000/postgres@sha256:ab',
        'running - 0 0 job ',
        'paused none 1 0 x',
      ],
      [
        'active running nginx.service',
        'failed failed backup@home.service',
        'activating auto-restart a\\x2db.service',
      ],
    )
    const web = {
      name: 'web',
      image: 'nginx:1.27',
      state: 'running',
      health: 'healthy',
      restarts: 0,
      exit_code: 0,
    }
    assert.deepEqual(containers, {
      trouble: null,
      list: [
        web,
        {
          ...{
            name: 'db',
            image: 'registry.example.com:5000/postgres@sha256:ab',
            state: 'exited',
            health: null,
          },
          ...{ restarts: 3, exit_code: 137 },
        },
        { ...web, name: 'job', image: null, health: null },
        { ...web, name: 'x', image: null, state: 'paused', health: null, restarts: 1 },
      ],
    })
    assert.deepEqual(units, {
      trouble: null,
      list: [
        { name: 'nginx.service', active: 'active', sub: 'running' },
        { name: 'backup@home.service', active: 'failed', sub: 'failed' },
        { name: 'a\\x2db.service', active: 'activating', sub: 'auto-restart' },
      ],
    })
  })

  it('are unknown without their section, none with an empty one, and a part where a line says why', () => {
    assert.deepEqual(toldBy(null), NOTHING_HOSTED)
    assert.deepEqual(toldBy([]), { containers: { list: [], trouble: null }, units: null })
    assert.deepEqual(toldBy(['! permission denied\u202e']).containers, {
      list: [],
      trouble: 'permission denied\ufffd',
    })
    assert.deepEqual(toldBy([WEB, 'what is this']).containers?.trouble, 'not understood: what is this')
    assert.equal(toldBy(['running healthy 99999999999 0 /web']).containers?.list.length, 0)
    assert.equal(toldBy(['running healthy 4294967296 0 /web']).containers?.list[0]?.restarts, null)
  })

  it('are bounded, once each, and as they can be stored, whatever a report holds', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `running  0 0 /c${i % 5_000} x`)
    const odd = [
      'running  0 0 /\u202egnp\u0000.x \ud800\u001b[31m',
      WEB,
      WEB.replace('running', 'dead'),
      '__proto__',
      '! ',
    ]
    const text = `upbeat-agent 1 1.1.0\n@containers\n${[...odd, ...many].join('\n')}\n@units\n${'active x y\n'.repeat(9)}`
    const hosted = readAgentReport(text)?.hosted
    const { list = [], trouble } = hosted?.containers ?? {}
    assert.equal(list.length, 100)
    assert.deepEqual([list[0]?.name, list[1]?.state], ['\ufffdgnp .x', 'running'])
    assert.equal(typeof trouble, 'string')
    assert.equal(hosted?.units?.list.length, 1)
    const stored = hostedAfter(null, hosted as ToldHosted, { at: atMinute(0), lastReportAt: null })
    assert.doesNotMatch(JSON.stringify(Hosted.parse(stored)), /\\u0000|\\ud[89a-f]/)
    assert.ok(JSON.stringify(stored).length < MAX_REPORT_BYTES)
  })
})

/** A server whose reports are judged with what is kept of the ones before. */
class HostingServer extends JudgedServer {
  #at = 0

  /** The next minute's report. */
  tells(told: ToldHosted, minutes = 1): string {
    for (let i = 0; i < minutes; i++) {
      const at = atMinute(this.#at)
      const { lastReportAt } = this.standing
      this.hosted = JSON.parse(JSON.stringify(hostedAfter(this.hosted, told, { at, lastReportAt })))
      this.report(this.#at)
      this.#at += 1
    }
    return this.standing.status
  }

  /** Nothing is heard for so many minutes. */
  wait(minutes: number): void {
    this.#at += minutes
  }
}

const WATCHED: ThresholdChanges = {
  container: { is_on: true, warns_only: false, names: ['web'], minutes: 0 },
  unit: { is_on: true, warns_only: false, names: ['nginx', 'ssh.socket'], minutes: 0 },
}
const UNITS = ['active running nginx.service', 'active listening ssh.socket']

describe('a container or unit that is watched', () => {
  const cases: [says: string, container: string[] | null, unit: string[] | null, cause: string | null][] = [
    ['runs and is healthy', [WEB], UNITS, null],
    ['runs, without a health check', ['running  9 0 /web x'], UNITS, null],
    ['is unhealthy', ['running unhealthy 0 0 /web x'], UNITS, 'container web is unhealthy'],
    ['has ended', ['exited  0 137 /web x'], UNITS, 'container web has exited with 137'],
    ['is paused', ['paused  0 0 /web x'], UNITS, 'container web is paused'],
    ['was never started', ['created  0 0 /web x'], UNITS, 'container web was never started'],
    [
      'begins again',
      ['restarting  7 1 /web x'],
      UNITS,
      'container web is restarting after it has exited with 1, 7 times so far',
    ],
    ['is gone', ['running  0 0 /webs x'], UNITS, 'there is no container web'],
    ['is gone with all others', [], UNITS, 'there is no container web'],
    ['has not been looked at yet', ['running starting 0 0 /web x'], UNITS, null],
    ['is in a state of another world', ['frozen  0 0 /web x'], UNITS, null],
    ['is not told of', null, UNITS, null],
    ['is not told of, since the agent may not', ['! permission denied'], UNITS, null],
    ['is absent from a part of the list', ['running  0 0 /db x', '! more'], UNITS, null],
    [
      'has ended, by a part of the list',
      ['exited  0 1 /web x', '! more'],
      UNITS,
      'container web has exited with 1',
    ],
    ['has failed', [WEB], ['failed failed nginx.service', ...UNITS.slice(1)], 'unit nginx.service is failed'],
    [
      'is dead',
      [WEB],
      ['inactive dead nginx.service', ...UNITS.slice(1)],
      'unit nginx.service is inactive (dead)',
    ],
    ['is not loaded', [WEB], UNITS.slice(1), 'unit nginx.service is not loaded'],
    [
      'waits after a failure',
      [WEB],
      ['activating auto-restart nginx.service', ...UNITS],
      'unit nginx.service is activating (auto-restart)',
    ],
    ['is being started', [WEB], ['activating start nginx.service', ...UNITS], null],
    ['is reloaded', [WEB], ['reloading reload nginx.service', ...UNITS], null],
    ['is no unit that systemd told of', [WEB], ['! no bus'], null],
  ]
  for (const [says, container, unit, cause] of cases) {
    it(`${says}: ${cause ?? 'no incident'}`, () => {
      const server = new HostingServer(WATCHED)
      assert.equal(server.tells(toldBy(container, unit)), cause === null ? 'up' : 'down')
      const key = cause?.includes('unit') ? 'unit:nginx' : 'container:web'
      assert.deepEqual(server.told, cause === null ? [] : [[0, 'begins', key, cause]])
    })
  }

  it('has one incident and one recovery, after its minutes, however it flaps', () => {
    const server = new HostingServer({ container: { ...(WATCHED.container as object), minutes: 3 } as never })
    const [dead, well] = [toldBy(['exited  0 1 /web x']), toldBy([WEB])]
    for (let i = 0; i < 10; i++) assert.equal(server.tells(i % 2 ? dead : well), 'up')
    assert.equal(server.tells(dead, 3), 'down')
    for (let i = 0; i < 10; i++) assert.equal(server.tells(i % 2 ? dead : well), 'down')
    assert.equal(server.tells(well, 4), 'up')
    assert.deepEqual(
      server.told.map(([, event, key, cause]) => [event, key, cause]),
      [
        ['begins', 'container:web', 'container web has exited with 1'],
        ['ends', 'container:web', 'container web is running and healthy'],
      ],
    )
  })

  it('stays in trouble while nothing is told of it, and ends as it is told to', () => {
    const server = new HostingServer(WATCHED)
    server.tells(toldBy([], UNITS))
    assert.equal(server.tells(toldBy(null, UNITS), 30), 'down')
    assert.equal(server.tells(toldBy(['! hung'], UNITS), 30), 'down')
    assert.deepEqual(server.hosted?.containers?.trouble, 'hung')
    assert.equal(server.tells(toldBy([WEB], UNITS)), 'up')
    assert.deepEqual(server.told.at(-1), [
      61,
      'ends',
      'container:web',
      'container web is running and healthy',
    ])
  })

  it('is watched no longer once its name is taken away, or the condition is off', () => {
    for (const [change, cause] of [
      [{ ...WATCHED.container, names: ['other'] }, 'the threshold was changed'],
      [{ ...WATCHED.container, is_on: false }, 'the threshold was switched off'],
    ] as const) {
      const server = new HostingServer(WATCHED)
      server.tells(toldBy([], UNITS))
      server.set({ container: change as never })
      // Without a word about containers, too.
      assert.equal(server.tells(toldBy(null, null)), 'up')
      assert.deepEqual(server.told.at(-1), [1, 'ends', 'container:web', cause])
    }
  })

  it('goes with the silence of its server, and is judged by the next report', () => {
    const server = new HostingServer(WATCHED)
    server.tells(toldBy([WEB], UNITS))
    server.silence(5)
    server.wait(60)
    assert.equal(server.tells(toldBy([], UNITS)), 'down')
    assert.deepEqual(
      server.told.map(([, event, key]) => [event, key]),
      [
        ['begins', 'silent'],
        ['ends', 'silent'],
        ['begins', 'container:web'],
      ],
    )
  })
})

describe('restarts of containers', () => {
  const RESTARTS: ThresholdChanges = {
    container_restarts: { ...DEFAULT_THRESHOLDS.container_restarts, is_on: true, warns_only: false },
  }
  const counted = (count: number) => toldBy([`running  ${count} 0 /web x`])

  it('are counted over an hour, from the first report on', () => {
    const server = new HostingServer(RESTARTS)
    assert.equal(server.tells(counted(500)), 'up')
    assert.equal(server.tells(counted(502)), 'up')
    assert.equal(server.tells(counted(503)), 'down')
    assert.equal(server.tells(counted(503), 58), 'down')
    assert.equal(server.tells(counted(503), 5), 'up')
    assert.deepEqual(server.told, [
      [2, 'begins', 'container_restarts:web', 'container web was restarted 3 times within an hour'],
      [61, 'ends', 'container_restarts:web', 'container web was not restarted within an hour'],
    ])
    assert.equal(server.hosted?.containers?.list[0]?.rises, undefined)
  })

  it('of a container that was made anew begin at none, and those during a silence are of no hour', () => {
    const server = new HostingServer(RESTARTS)
    server.tells(counted(50))
    assert.equal(server.tells(counted(2)), 'up')
    assert.deepEqual(
      server.hosted?.containers?.list[0]?.rises?.map(({ by }) => by),
      [2],
    )
    server.wait(120)
    assert.equal(server.tells(counted(40)), 'up')
    assert.deepEqual(server.hosted?.containers?.list[0]?.rises, undefined)
  })

  it('end with their container, and keep few entries while it begins again and again', () => {
    const server = new HostingServer(RESTARTS)
    for (let count = 0; count < 200; count++) server.tells(counted(count))
    assert.ok((server.hosted?.containers?.list[0]?.rises?.length ?? 99) <= 7)
    assert.equal(server.tells(toldBy([]), 6), 'up')
    assert.deepEqual(server.told.at(-1)?.slice(1), [
      'ends',
      'container_restarts:web',
      'there is no container web any more',
    ])
  })
})

describe('what is known of containers', () => {
  it('is kept for a day after it was told last', () => {
    const at = (minute: number) => ({ at: atMinute(minute), lastReportAt: atMinute(minute - 1) })
    const known = hostedAfter(null, toldBy([WEB]), at(1))
    const untold = hostedAfter(known, NOTHING_HOSTED, at(2))
    assert.deepEqual(untold?.containers, {
      ...known?.containers,
      told: 'none',
      since: '2027-03-10T00:02:00.000000Z',
    })
    assert.deepEqual(hostedAfter(untold, NOTHING_HOSTED, at(1_400))?.containers, untold?.containers)
    assert.equal(hostedAfter(untold, NOTHING_HOSTED, at(1_450)), null)
    // A clock that was set back keeps it, too.
    assert.deepEqual(hostedAfter(untold, NOTHING_HOSTED, at(-9_000))?.containers, untold?.containers)
  })
})
