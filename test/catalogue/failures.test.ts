import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, type TestContext, test } from 'node:test'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import { HANG_GUARD_MS } from '../support/hang-guard.ts'
import { check, testNetwork } from '../support/servers/targets-settings.ts'
import { turnClock } from '../support/time/turned-clock.ts'
import { until } from '../support/until.ts'
import { type Case, LIMIT_SECONDS, type Started } from './case.ts'
import { CATALOGUE, OWN_TROUBLE, renderCatalogue } from './catalogue.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The kinds in process.getActiveResourcesInfo() that a check opens. */
const OPENED = [
  'TCPSocketWrap',
  'TCPServerWrap',
  'PipeWrap',
  'TLSWrap',
  'UDPWrap',
  'MessagePort',
  'Timeout',
  'Immediate',
  'ZlibContext',
]

describe('the catalogue of failures', () => {
  let atFirst: Map<string, number>
  before(() => {
    atFirst = countResources()
  })

  for (const { title, cases } of CATALOGUE) {
    // A connection that is never closed must end the test.
    const guard = { timeout: HANG_GUARD_MS }
    describe(title, { concurrency: true }, () => {
      for (const failure of cases.filter(({ atLimit }) => !atLimit)) {
        test(titleOf(failure), guard, (t) => prove(t, failure))
      }
    })
    // One after the other: the clock is that of the whole process.
    describe(`${title}, at the limit`, () => {
      for (const failure of cases.filter(({ atLimit }) => atLimit)) {
        test(titleOf(failure), guard, (t) => proveAtLimit(t, failure))
      }
    })
  }

  test('leaves no socket and no timer behind', async () => {
    await until('everything to be closed', () => {
      const left = [...countResources()].filter(([name, count]) => count > (atFirst.get(name) ?? 0))
      return left.length === 0
    })
  })
})

describe('docs/failures.md', () => {
  test('says what the catalogue proves', () => {
    const text = readFileSync(join(ROOT, 'docs/failures.md'), 'utf8')
    assert.equal(text.slice(text.indexOf(`## ${CATALOGUE[0]?.title}`)).trim(), renderCatalogue())
  })

  test('names tests that exist', () => {
    for (const { test } of OWN_TROUBLE) assert.ok(existsSync(join(ROOT, test)), test)
  })
})

function titleOf({ name, type, status }: Case): string {
  return `${name} (${type}): ${status}`
}

/** The verdict falls at once: there is no limit that it could wait for. */
async function prove(t: TestContext, failure: Case): Promise<void> {
  const started = await failure.start(t)
  const { settings, network = testNetwork() } = started
  await assertProven(failure, started, await check(failure.type, settings, { network }))
}

/** The verdict falls when the time is up, and not a millisecond earlier. */
async function proveAtLimit(t: TestContext, failure: Case): Promise<void> {
  const clock = turnClock(t)
  const started = await failure.start(t)
  const { settings, network = testNetwork(), saidAll } = started
  const saying = saidAll?.()
  const limited = { request_timeout_seconds: LIMIT_SECONDS, ...settings }
  const checking = check(failure.type, limited, { network })
  const result = await clock.passLimit(LIMIT_SECONDS * 1_000, checking, saying)
  assertEndedAtLimit(result)
  await assertProven(failure, started, result)
}

async function assertProven({ cause, status }: Case, started: Started, result: CheckResult): Promise<void> {
  const { targets = [], words = {}, afterwards } = started
  assert.match(result.errorMessage ?? 'nothing', patternOf(cause, words))
  assert.equal(result.status, status)
  for (const target of targets) await target.allClosed()
  afterwards?.()
}

/** A verdict at the limit has no answer to time, and either says so or is ours. */
function assertEndedAtLimit({ status, responseTimeMs, errorMessage }: CheckResult): void {
  assert.equal(responseTimeMs, null)
  if (status === 'down') assert.match(errorMessage ?? '', new RegExp(`^no answer within ${LIMIT_SECONDS} s`))
}

/** The words of a cause with what stands in angle brackets put in; unknown words stand for anything. */
function patternOf(cause: string | null, words: Record<string, string>): RegExp {
  const given: Record<string, string> = { ...words, limit: String(LIMIT_SECONDS) }
  const parts = (cause ?? 'nothing').split(/<([^>]+)>/)
  const pattern = parts.map((part, i) => {
    if (i % 2 === 0) return RegExp.escape(part)
    return given[part] === undefined ? '.+' : RegExp.escape(given[part])
  })
  return new RegExp(`^${pattern.join('')}$`)
}

function countResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of process.getActiveResourcesInfo()) {
    if (OPENED.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
