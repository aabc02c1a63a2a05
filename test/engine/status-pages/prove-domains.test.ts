import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '../../../src/core/history/history-span.ts'
import { type DomainTimes, domainState, proofName } from '../../../src/core/status-pages/domain-proof.ts'
import { proveDomains } from '../../../src/engine/status-pages/prove-domains.ts'
import { findDomain } from '../../../src/store/status-pages/domains.ts'
import { findPage } from '../../../src/store/status-pages/pages.ts'
import { openTestDatabase } from '../../support/postgres/database.ts'
import { addRow } from '../../support/records/rows.ts'
import { addStatusPage } from '../../support/records/status-pages.ts'
import { addTeam } from '../../support/records/teams.ts'

const NOW = new Date('2027-03-10T12:00:00Z')
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

type Found = 'there' | 'another' | 'no answer'
type Case = { created: number; proved?: number; looked?: number; found: Found }
/** Days ago; the state afterward, and whether it was looked for. */
const CASES: Record<string, [Case, string, asked: boolean]> = {
  'new and there': [{ created: 0.1, found: 'there' }, 'proved', true],
  'new and not there yet': [{ created: 0.1, found: 'another' }, 'unproved', true],
  'looked for a moment ago': [{ created: 1, looked: 0.01, found: 'there' }, 'unproved', false],
  'not there for a week': [{ created: 7, looked: 1, found: 'another' }, 'gone', true],
  'there at the last moment': [{ created: 7, looked: 1, found: 'there' }, 'proved', true],
  'never answered': [{ created: 7, found: 'no answer' }, 'gone', true],
  'proved lately': [{ created: 9, proved: 6, looked: 6, found: 'another' }, 'proved', false],
  'proved a week ago and still there': [
    { created: 9, proved: 7.1, looked: 7.1, found: 'there' },
    'proved',
    true,
  ],
  'proved a week ago and gone': [{ created: 9, proved: 7.1, looked: 7.1, found: 'another' }, 'lost', true],
  'lost, and back': [{ created: 30, proved: 10, looked: 1, found: 'there' }, 'proved', true],
  'lost for a week': [{ created: 30, proved: 14, looked: 1, found: 'another' }, 'gone', true],
  'proved, and no answer for weeks': [
    { created: 30, proved: 20, looked: 20, found: 'no answer' },
    'proved',
    true,
  ],
}

test('own domains are looked for again, and given up in time', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const team_id = await addTeam(db)
  const page_id = await addStatusPage(db, team_id)
  const names = Object.keys(CASES)
  const domainOf = (name: string) => `d${names.indexOf(name)}.example.com`
  for (const [name, [{ created, proved, looked }]] of Object.entries(CASES)) {
    await addRow(db, 'status_domains', {
      domain: domainOf(name),
      page_id,
      team_id,
      proof: name,
      created_at: daysAgo(created),
      proved_at: proved === undefined ? null : daysAgo(proved),
      looked_at: looked === undefined ? null : daysAgo(looked),
    })
  }
  const asked = new Set<string>()
  const lookUpTxt = async (at: string) => {
    const name = names.find((one) => proofName(domainOf(one)) === at) as string
    asked.add(name)
    const { found } = (CASES[name] as [Case, string, boolean])[0]
    return found === 'no answer' ? null : found === 'there' ? ['x', name] : ['x']
  }
  const notes: string[] = []
  for await (const _ of proveDomains({ db, now: () => NOW, lookUpTxt, note: (note) => notes.push(note) }));
  for (const [name, [, state, isAsked]] of Object.entries(CASES)) {
    const domain = await findDomain(db.query, page_id, domainOf(name))
    assert.equal(domain ? domainState(domain as DomainTimes) : 'gone', state, name)
    assert.equal(asked.has(name), isAsked, name)
  }
  const gone = Object.values(CASES).filter(([, state]) => state === 'gone')
  assert.equal(notes.length, gone.length)
  const changes = (await findPage(db.query, team_id, page_id))?.revision
  assert.equal(changes, 7, 'the page says each time that its domains changed, and only then')
})

test('own domains of a team with many leave the others their turn', async (t) => {
  const { db, close } = await openTestDatabase()
  t.after(close)
  const add = async (team_id: number, domain: string) => {
    const page_id = await addStatusPage(db, team_id)
    await addRow(db, 'status_domains', { domain, page_id, team_id, proof: domain, created_at: daysAgo(1) })
  }
  const many = await addTeam(db)
  for (let index = 0; index < 60; index++) await add(many, `d${index}.example.com`)
  await add(await addTeam(db), 'other.example.org')
  const asked: string[] = []
  const lookUpTxt = async (name: string) => {
    asked.push(name)
    return null
  }
  for await (const _ of proveDomains({ db, now: () => NOW, lookUpTxt, note: () => {} }));
  assert.equal(asked.length, 20)
  assert.ok(asked.includes(proofName('other.example.org')))
})
