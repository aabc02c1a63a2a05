import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { mostOfOne } from '../../src/core/sharing/share.ts'
import { SHARED, type SharedCapacity, type SharedName } from '../../src/core/sharing/shared.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Where a hostile and a quiet one meet at each. */
const TRIALS = {
  alerts: 'test/store/fair-claims.test.ts',
  notices: 'test/store/fair-claims.test.ts',
  reportMails: 'test/store/fair-claims.test.ts',
  letters: 'test/store/fair-claims.test.ts',
  liveStreams: 'test/operations/live-streams.test.ts',
  checks: 'test/engine/probing/schedule.test.ts',
  trials: 'test/store/probing/fair-attempts.test.ts',
  diagnoses: 'test/store/incidents/diagnoses.test.ts',
  confirmations: 'test/store/probing/fair-attempts.test.ts',
  handshakes: 'test/net/fair-handshakes.test.ts',
  browserChecks: 'test/probes/browser/places.test.ts',
  looks: 'test/long/database/sites/look-loop.test.ts',
  crawls: 'test/core/sites/crawl/crawl-turns.test.ts',
  crawlRequests: 'test/engine/sites/crawl-places.test.ts',
  sitemaps: 'test/engine/sites/crawl-places.test.ts',
  passwords: 'test/operations/fair-passwords.test.ts',
  guesses: 'test/operations/fair-passwords.test.ts',
  logos: 'test/operations/status-pages/judged-logo.test.ts',
  exports: 'test/operations/moving-in/read-export.test.ts',
  requests: 'test/operations/fair-requests.test.ts',
  domainProofs: 'test/engine/status-pages/prove-domains.test.ts',
  editions: 'test/store/fair-turns.test.ts',
  serverReports: 'test/store/fair-turns.test.ts',
  programs: 'test/store/fair-turns.test.ts',
} satisfies Record<SharedName, string>

/** Bounds with such names that nobody shares, or that hold nobody up. */
const OTHERS = {
  'core/probing/slot.ts': 'monitors that are read together',
  'core/monitors/monitor-row.ts': 'records of one request',
  'core/tags/tag-change.ts': 'records of one request',
  'engine/on-call/step-loop.ts': 'a step takes some milliseconds, and waits for nobody outside',
  'engine/reports/queue-editions.ts': 'reports that are read together',
  'engine/sites/crawl/work-off.ts': 'requests of one crawl',
  'api/live.ts': 'bytes of one stream',
  'api/request.ts': 'bytes of one report',
  'operations/live-streams.ts': 'frames of one team',
  'store/status-pages/subscriber-list.ts': 'addresses between two turns of the event loop',
  'store/reports/team-report.ts': 'monitors that are read together',
  'postgres/database.ts': 'connections, which requests reach by their own places',
  'roles/checking-thread.ts': 'connections of one thread',
  'roles/crawl-thread.ts': 'connections of one thread, which crawls reach by their own places',
} as Record<string, string>

const CAPACITY =
  /^const (?:MAX_(?:UNDER_WAY|PER_PROCESS|LOOK_UPS|WAITING|HANDSHAKES|CONNECTIONS|PIPELINED|SHARED)\w*|\w*AT_ONCE\w*) = /m

describe('the table of what all teams share', () => {
  it('stands in docs/capacity.md', () => {
    const wanted = Object.values(SHARED as Record<string, SharedCapacity>).map(lineOf)
    const lines = read('docs/capacity.md').split('\n')
    const first = lines.indexOf(HEAD)
    assert.ok(first >= 0, `docs/capacity.md has the head: ${HEAD}`)
    assert.deepEqual(lines.slice(first + 2, first + 2 + wanted.length + 1), [...wanted, ''])
  })

  for (const [name, { where }] of Object.entries(SHARED) as [SharedName, SharedCapacity][]) {
    it(`names who holds ${name} to it`, () => {
      const text = read(`src/${where}`)
      // Some order by team in SQL, and their bounds stand with their callers.
      const isByTurns = SHARED[name].sharing === 'turns'
      assert.ok(text.includes(name) || (isByTurns && text.includes('PARTITION BY team_id')), where)
    })

    it(`has a test of ${name}`, () => {
      assert.ok(/test\(|it\(/.test(read(TRIALS[name])))
    })
  }

  it('has every bound of that kind', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const found = files.filter((file) => CAPACITY.test(read(`src/${file}`)))
    assert.deepEqual(
      found.filter((file) => OTHERS[file] === undefined),
      [],
      'how teams share it belongs into core/sharing/shared.ts',
    )
    assert.deepEqual(
      Object.keys(OTHERS).filter((file) => !found.includes(file)),
      [],
      'exceptions that are no more',
    )
  })
})

const HEAD = '| What all share | So many | In each | Shared by | One alone has at most | One that gets none |'

function lineOf({ what, size, of, sharers, sharing, most, otherwise }: SharedCapacity): string {
  const number = (value: number) => value.toLocaleString('en-US')
  const alone = number(most ?? (sharing === 'places' ? mostOfOne(size) : size))
  return `| ${what} | ${number(size)} | ${of} | ${sharers.join(', ')} | ${alone} | ${otherwise} |`
}
