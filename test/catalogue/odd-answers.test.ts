import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { oddAnswer } from '../../src/core/monitors/cause.ts'
import type { CheckResult } from '../../src/core/monitors/check.ts'
import { startSaying } from '../support/servers/targets.ts'
import { check } from '../support/servers/targets-settings.ts'
import { ODD_ANSWERS, type Reading } from './odd-answers.ts'

/** The monitors that must find their status expected, and their text. */
const TEXT = 'OK'

describe('an odd answer', () => {
  test('has a name of its own, and a reason where readers differ', () => {
    assert.equal(new Set(ODD_ANSWERS.map(({ name }) => name)).size, ODD_ANSWERS.length)
    for (const { name, ours, curl, chromium, reason } of ODD_ANSWERS)
      assert.equal(reason !== null, new Set([ours, curl, chromium]).size > 1, name)
  })

  for (const { name, answer, ours, says, status } of ODD_ANSWERS) {
    test(`${name} is ${ours}`, async (t) => {
      const bytes = Buffer.from(answer, 'latin1')
      const target = await startSaying(t, bytes)
      const settings = { url: `http://127.0.0.1:${target.port}/`, expected_status_codes: [status] }
      const head = await check('http', settings)
      const text = await check('keyword', { ...settings, expected_keyword: TEXT })
      assert.equal(readingOf(head, text), ours, text.errorMessage ?? head.errorMessage ?? '')
      if (text.status === 'up') assert.equal(text.note, says === null ? undefined : oddAnswer([says]))
      else assert.ok(text.errorMessage?.endsWith(says ?? '?'), text.errorMessage ?? '')
      await target.allClosed()
    })
  }
})

function readingOf(head: CheckResult, text: CheckResult): Reading {
  if (head.status !== 'up') return 'refused'
  return text.status === 'up' ? 'read' : 'head'
}
