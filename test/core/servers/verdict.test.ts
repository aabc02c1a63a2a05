import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DEFAULT_THRESHOLDS, type ThresholdKind } from '../../../src/core/servers/condition.ts'
import { judgeReport } from '../../../src/core/servers/verdict.ts'
import { noise } from '../../support/records/disk-levels.ts'
import { atMinute, JudgedServer } from '../../support/records/judged-server.ts'

const DISK = 'file_system_used_percent:/var'
const INODES = 'inodes_used_percent:/var'
const MEMORY = 'memory_available_bytes'
const SWAP = { swap_total_bytes: 2e9 }
const DAY = 1_440

type Figures = Record<string, number>

/** A kind of threshold at its default levels: figures at the level to enter, between the levels, and at the level to leave. */
const KINDS: [
  kind: ThresholdKind,
  part: string | null,
  entered: Figures,
  between: Figures,
  left: Figures,
  causes: [begins: string, ends: string],
][] = [
  [
    'disk_space',
    '/var',
    { [DISK]: 90 },
    { [DISK]: 89.9 },
    { [DISK]: 85 },
    ['/var is 90 % full (18 of 20 GB)', '/var is 85 % full (17 of 20 GB)'],
  ],
  [
    'inodes',
    '/var',
    { [INODES]: 90 },
    { [INODES]: 85.1 },
    { [INODES]: 85 },
    ['/var uses 90 % of its inodes', '/var uses 85 % of its inodes'],
  ],
  [
    'memory',
    null,
    { [MEMORY]: 0.3e9 },
    { [MEMORY]: 2.3e9 },
    { [MEMORY]: 2.4e9 },
    ['1.8 % of memory available (0.3 of 16 GB)', '15 % of memory available (2.4 of 16 GB)'],
  ],
  [
    'cpu',
    null,
    { cpu_percent: 100 },
    { cpu_percent: 80.1 },
    { cpu_percent: 80 },
    ['CPU is 100 % busy', 'CPU is 80 % busy'],
  ],
  [
    'load',
    null,
    { load_5: 9 },
    { load_5: 7 },
    { load_5: 6 },
    ['load is 2.2 per CPU (9 on 4)', 'load is 1.5 per CPU (6 on 4)'],
  ],
  [
    'swap',
    null,
    { ...SWAP, swap_used_bytes: 1.7e9 },
    { ...SWAP, swap_used_bytes: 1.5e9 },
    { swap_total_bytes: 0 },
    ['85 % of swap used (1.7 of 2 GB)', '0 % of swap used'],
  ],
  [
    'iowait',
    null,
    { cpu_iowait_percent: 40 },
    { cpu_iowait_percent: 30 },
    { cpu_iowait_percent: 3.25 },
    ['CPU waits for disks 40 % of the time', 'CPU waits for disks 3.2 % of the time'],
  ],
  [
    'steal',
    null,
    { cpu_steal_percent: 12 },
    { cpu_steal_percent: 9 },
    { cpu_steal_percent: 5 },
    [
      '12 % of CPU time goes to other machines of the host',
      '5 % of CPU time goes to other machines of the host',
    ],
  ],
  [
    'failed_units',
    null,
    { failed_units: 2 },
    { failed_units: 1 },
    { failed_units: 0 },
    ['2 units failed: nginx.service, cron.service', 'no unit failed'],
  ],
  [
    'clock_skew',
    null,
    { clock_skew_seconds: -45 },
    { clock_skew_seconds: 20 },
    { clock_skew_seconds: 9.5 },
    ['clock is 45 seconds behind', 'clock is 9 seconds ahead'],
  ],
  [
    'temperature',
    null,
    { temperature_celsius: 88.25 },
    { temperature_celsius: 84 },
    { temperature_celsius: 80 },
    ['temperature is 88.2 °C', 'temperature is 80 °C'],
  ],
]

describe('a condition of reports', () => {
  for (const [kind, part, entered, between, left, [begins, ends]] of KINDS) {
    const { minutes } = DEFAULT_THRESHOLDS[kind]
    const key = part === null ? kind : `${kind}:${part}`
    const server = () => {
      const made = new JudgedServer({
        [kind]: { ...DEFAULT_THRESHOLDS[kind], is_on: true, warns_only: false },
      })
      made.failedUnits = ['nginx.service', 'cron.service']
      return made
    }

    test(`${key} begins and ends after ${minutes} minutes, and not between its levels`, () => {
      const judged = server()
      assert.equal(judged.reports(0, minutes, entered), 'up')
      assert.equal(judged.report(minutes, entered), 'down')
      assert.equal(judged.reports(minutes + 1, 100, between), 'down')
      assert.equal(judged.reports(100, 100 + minutes, left), 'down')
      assert.equal(judged.report(100 + minutes, left), 'up')
      assert.equal(judged.reports(101 + minutes, 200, kind === 'failed_units' ? left : between), 'up')
      assert.deepEqual(judged.told, [
        [minutes, 'begins', key, begins],
        [100 + minutes, 'ends', key, ends],
      ])
      assert.equal(judged.standing.conditions.length, 0)
    })

    test(`${key} begins anew after a gap, and a moment on the other side`, () => {
      const judged = server()
      judged.reports(0, minutes, entered)
      judged.report(minutes, left)
      judged.reports(minutes + 1, 2 * minutes, entered)
      judged.reports(2 * minutes + 4, 3 * minutes + 4, entered)
      assert.deepEqual(judged.told, [])
      assert.equal(judged.report(3 * minutes + 4, entered), 'down')
    })

    test(`${key} neither begins nor ends by what is absent or impossible`, () => {
      const judged = server()
      const unknown = Object.fromEntries(Object.keys(entered).map((name) => [name, undefined]))
      const names = Object.keys(entered).filter((name) => name !== 'clock_skew_seconds')
      const impossible = Object.fromEntries(names.map((name) => [name, -1]))
      judged.report(0, entered)
      judged.report(1, unknown)
      judged.report(2, impossible)
      assert.equal(judged.reports(3, minutes, entered), 'up')
      assert.equal(judged.report(minutes, entered), 'down')
      // A report that names other file systems says that this one is gone.
      const others = kind === 'disk_space' ? { 'file_system_used_percent:/': undefined } : {}
      judged.reports(minutes + 1, 200, { ...unknown, ...others })
      judged.reports(200, 300, { ...unknown, ...impossible })
      assert.equal(judged.report(300, entered), 'down')
      assert.equal(judged.told.length, 1)
    })
  }

  test('that goes on leaves the list of conditions as it is, which then need not be written', () => {
    const server = new JudgedServer()
    server.reports(0, 20, { [DISK]: 95 })
    const report = {
      sample: { [DISK]: 96 },
      cpus: 4,
      receivedAt: atMinute(20),
      failedUnits: [],
      hosted: null,
    }
    const judged = judgeReport(server.standing, report, server.thresholds, server.maintenance)
    assert.equal(judged.conditions, server.standing.conditions)
    const left = { ...report, sample: { [DISK]: 50 } }
    const { conditions } = judgeReport(server.standing, left, server.thresholds, server.maintenance)
    assert.notEqual(conditions, server.standing.conditions)
  })

  test('is judged at once where it takes no time', () => {
    const server = new JudgedServer({ cpu: { ...DEFAULT_THRESHOLDS.cpu, is_on: true, minutes: 0 } })
    assert.equal(server.report(0, { cpu_percent: 95 }), 'degraded')
    assert.equal(server.report(1, { cpu_percent: 5 }), 'up')
  })

  test('that is off is not judged', () => {
    const server = new JudgedServer()
    assert.equal(server.reports(0, 100, { cpu_percent: 99, load_5: 99, cpu_steal_percent: 50 }), 'up')
  })

  test('whose levels are the same, or the wrong way round, still begins and ends once', () => {
    for (const leave of [90, 95]) {
      const server = new JudgedServer({
        cpu: { is_on: true, warns_only: false, enter: 90, leave, minutes: 5 },
      })
      server.reports(0, 100, { cpu_percent: 90 })
      server.reports(100, 200, { cpu_percent: 89 })
      assert.deepEqual(
        server.told.map(([minute, event]) => [minute, event]),
        [
          [5, 'begins'],
          [105, 'ends'],
        ],
      )
    }
  })

  for (const seed of [0, 1, 2]) {
    test(`whose value dances around its limit for a day begins once and ends once (${seed})`, () => {
      const server = new JudgedServer()
      const dance = (minute: number) => 90 + 1.5 * Math.sin(minute / 10) + noise(seed * 100 + minute / 60)
      for (let minute = 0; minute < DAY; minute++) server.report(minute, { [DISK]: dance(minute) })
      server.reports(DAY, DAY + 60, { [DISK]: 70 })
      assert.deepEqual(
        server.told.map(([, event, key]) => [event, key]),
        [
          ['begins', 'disk_space:/var'],
          ['ends', 'disk_space:/var'],
        ],
      )
    })
  }

  test('asks for the names of processes while they may explain it', () => {
    const server = new JudgedServer()
    server.report(0, { [DISK]: 95 })
    assert.equal(server.wantsTop, false)
    server.report(1, { [MEMORY]: 1 })
    assert.equal(server.wantsTop, true)
    server.reports(2, 30, { [MEMORY]: 1 })
    assert.equal(server.wantsTop, true)
    server.report(30)
    assert.equal(server.wantsTop, false)
  })
})

describe('several conditions', () => {
  test('have incidents of their own, and the status is that of the worst', () => {
    const server = new JudgedServer({ cpu: { ...DEFAULT_THRESHOLDS.cpu, is_on: true } })
    const busy = { cpu_percent: 95 }
    assert.equal(server.reports(0, 20, busy), 'degraded')
    assert.equal(server.reports(20, 40, { ...busy, [DISK]: 95 }), 'down')
    assert.equal(server.reports(40, 60, { ...busy, [DISK]: 95, [MEMORY]: 1 }), 'down')
    assert.equal(server.reports(60, 80, { ...busy, [MEMORY]: 1 }), 'down')
    assert.equal(server.reports(80, 100, busy), 'degraded')
    assert.equal(server.reports(100, 120), 'up')
    assert.deepEqual(
      server.told.map(([, event, key]) => `${event} ${key}`),
      [
        'warns cpu',
        'begins disk_space:/var',
        'begins memory',
        'ends disk_space:/var',
        'ends memory',
        'ends cpu',
      ],
    )
  })

  test('of two file systems are two', () => {
    const server = new JudgedServer()
    server.reports(0, 11, { [DISK]: 95, 'file_system_used_percent:/': 99.96 })
    assert.deepEqual(server.told.map(([, , , cause]) => cause).toSorted(), [
      '/ is 99.9 % full (100 of 100 GB)',
      '/var is 95 % full (19 of 20 GB)',
    ])
  })
})

describe('a file system that is not mounted any more', () => {
  const GONE = { [DISK]: undefined, 'file_system_size_bytes:/var': undefined }

  test('ends its conditions after the time that leaving takes, and says so', () => {
    const server = new JudgedServer()
    server.reports(0, 20, { [DISK]: 95, [INODES]: 95 })
    assert.equal(server.reports(20, 30, GONE), 'down')
    assert.equal(server.report(30, GONE), 'up')
    assert.deepEqual(server.told.slice(2), [
      [30, 'ends', 'disk_space:/var', '/var is not mounted any more'],
      [30, 'ends', 'inodes:/var', '/var is not mounted any more'],
    ])
  })

  test('is not taken for gone where a report has no file systems at all', () => {
    const server = new JudgedServer()
    server.reports(0, 20, { [DISK]: 95 })
    const none = { ...GONE, 'file_system_used_percent:/': undefined, 'file_system_size_bytes:/': undefined }
    assert.equal(server.reports(20, 60, none), 'down')
    assert.equal(server.report(60, GONE), 'down')
  })

  test('is not taken for gone where each report brings another one', () => {
    const server = new JudgedServer({ disk_space: { ...DEFAULT_THRESHOLDS.disk_space, minutes: 0 } })
    for (let minute = 0; minute < 60; minute++)
      server.report(minute, minute % 2 === 0 ? { [DISK]: 95 } : GONE)
    assert.equal(server.told.length, 1)
  })
})
