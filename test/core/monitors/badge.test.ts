import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Badge,
  BadgeQuery,
  refusedBadge,
  responseBadge,
  statusBadge,
  uptimeBadge,
} from '../../../src/core/monitors/badge.ts'
import { LiveStatus } from '../../../src/core/monitors/status.ts'
import { parseFields } from '../../../src/core/validation.ts'

const [GREEN, AMBER, RED, BLUE, GREY, VIOLET] = [
  '#1a7f37',
  '#9a6700',
  '#cf222e',
  '#0b63c5',
  '#59636e',
  '#8250df',
]

const TABLE: [badge: Badge, label: string, message: string, color: string][] = [
  [statusBadge('up'), 'status', 'up', GREEN],
  [statusBadge('degraded'), 'status', 'degraded', AMBER],
  [statusBadge('down'), 'status', 'down', RED],
  [statusBadge('pending'), 'status', 'pending', GREY],
  [statusBadge('maintenance'), 'status', 'maintenance', VIOLET],
  [statusBadge('paused'), 'status', 'paused', GREY],
  [uptimeBadge('30d', 1), 'uptime 30d', '100 %', GREEN],
  [uptimeBadge('24h', 0.999999), 'uptime 24h', '99.999 %', GREEN],
  [uptimeBadge('7d', 0.99), 'uptime 7d', '99.00 %', GREEN],
  [uptimeBadge('7d', 0.989999), 'uptime 7d', '98.99 %', AMBER],
  [uptimeBadge('90d', 0.95), 'uptime 90d', '95.00 %', AMBER],
  [uptimeBadge('90d', 0.9499), 'uptime 90d', '94.99 %', RED],
  [uptimeBadge('90d', 0), 'uptime 90d', '0.00 %', RED],
  [uptimeBadge('30d', null), 'uptime 30d', 'no data', GREY],
  [responseBadge(0), 'response time', '0 ms', BLUE],
  [responseBadge(123.5), 'response time', '124 ms', BLUE],
  [responseBadge(null), 'response time', 'no data', GREY],
  [refusedBadge('uptime', 'invalid window'), 'uptime', 'invalid window', GREY],
  [refusedBadge('response', 'not found'), 'response time', 'not found', GREY],
]

test('a badge says how the monitor does, and says it in colour, too', () => {
  for (const [badge, label, message, color] of TABLE) assert.deepEqual(badge, { label, message, color })
  assert.deepEqual(
    LiveStatus.options.map((status) => statusBadge(status).message),
    LiveStatus.options,
  )
})

test('white letters can be read on every colour', () => {
  for (const [, , message, color] of TABLE) {
    assert.ok(1.05 / (luminanceOf(color) + 0.05) >= 4.5, `${message} on ${color}`)
  }
})

test("a badge's parameters are bounded, and refused by name", () => {
  const table: [query: Record<string, string>, fault: string | null][] = [
    [{}, null],
    [{ window: '90d', label: 'Shop & <b>' }, null],
    [{ label: '👍'.repeat(64) }, null],
    [{ window: '1y' }, 'window'],
    [{ window: '30D' }, 'window'],
    [{ label: 'x'.repeat(65) }, 'label'],
    [{ label: ' ' }, 'label'],
    [{ label: 'two\nlines' }, 'label'],
    [{ label: 'no\u0001xml' }, 'label'],
    [{ label: 'no\ufffexml' }, 'label'],
    [{ label: '\ud800' }, 'label'],
  ]
  for (const [query, fault] of table) {
    const parsed = parseFields(BadgeQuery, query)
    assert.deepEqual(parsed.ok ? null : Object.keys(parsed.errors)[0], fault, JSON.stringify(query))
  }
  assert.deepEqual(parseFields(BadgeQuery, {}), { ok: true, value: { window: '30d' } })
})

/** The luminance of a colour #rrggbb, as WCAG 2 has it. */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
