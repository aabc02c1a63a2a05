import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  GATHERING_BOUNDS,
  MAIL_BOUNDS,
  type MailBound,
  type MailCounter,
} from '../../../src/core/accounts/mail-bounds.ts'
import {
  MAIL_KINDS,
  type MailKind,
  WEBHOOK_CONFIRMATION_BOUNDS,
} from '../../../src/core/accounts/mail-kinds.ts'
import { overBound, waitOf } from '../../../src/core/accounts/over-bound.ts'
import { DASHBOARD } from '../../../src/core/language/de/dashboard.ts'
import { english } from '../../../src/core/language/said.ts'
import { keysOf } from '../../../src/core/shape.ts'

const DAY = 86_400
const SRC = join(import.meta.dirname, '../../../src')
const kinds = Object.entries(MAIL_KINDS) as [string, MailKind][]
const bounds: Record<string, MailBound> = { ...MAIL_BOUNDS, ...GATHERING_BOUNDS }

const boundsOf = ({ refusedOver, droppedOver, gatheredOver }: MailKind): MailBound[] =>
  [...refusedOver, ...droppedOver, ...gatheredOver].map((name) => bounds[name] as MailBound)

describe('the table of mails and their bounds', () => {
  /** One of these is counted by the day, and so is the address. */
  const BY_ASKER: Record<MailKind['askedBy'], MailCounter[]> = {
    member: ['team', 'person'],
    holder: ['person', 'account'],
    visitor: ['client', 'account'],
    service: ['account'],
  }

  for (const [kind, entry] of kinds.filter(([, { agreed }]) => agreed === 'no')) {
    it(`bounds ${kind}, whose reader has not agreed, by the day for who asks and for who reads`, () => {
      const daily = boundsOf(entry).filter(({ windowSeconds }) => windowSeconds === DAY)
      const counted = new Set(daily.map(({ per }) => per))
      assert.ok(
        BY_ASKER[entry.askedBy].some((per) => counted.has(per)),
        'nobody is counted',
      )
      assert.ok(counted.has('mailbox') || counted.has('account'), 'the address is not counted')
      if (entry.askedBy === 'member') assert.ok(counted.has('team') && counted.has('person'))
    })
  }

  it('has no bound that nothing is counted by, and none that is wider where strangers sign up', () => {
    const used = new Set<string>([
      ...kinds.flatMap(([, entry]) => [...entry.refusedOver, ...entry.droppedOver, ...entry.gatheredOver]),
      ...WEBHOOK_CONFIRMATION_BOUNDS,
    ])
    assert.deepEqual(
      Object.keys(bounds).filter((name) => !used.has(name)),
      [],
    )
    for (const [name, { most }] of Object.entries(bounds)) assert.ok(most.open <= most.closed, name)
  })

  it('knows everything that opens a connection to the mail server', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    )
    const senders = files.filter((file) => /\bopenMail\(/.test(readFileSync(join(SRC, file), 'utf8')))
    const bySender: Record<MailKind['sentAs'], string> = {
      alert: 'alerts/email.ts',
      digest: 'alerts/mail/digest.ts',
      letter: 'alerts/mail/letter.ts',
      notice: 'alerts/mail/notice.ts',
      report: 'alerts/mail/report-mail.ts',
    }
    assert.deepEqual(senders.sort(), Object.values(bySender).sort())
    assert.deepEqual(new Set(kinds.map(([, { sentAs }]) => sentAs)), new Set(keysOf(bySender)))
    const queues = files.filter((file) => /\binsertLetter\(/.test(readFileSync(join(SRC, file), 'utf8')))
    assert.deepEqual(queues.sort(), ['roles/alerts.ts', 'store/accounts/letters.ts'])
    const permits = files.filter((file) => /\bnew LetterPermit\(/.test(readFileSync(join(SRC, file), 'utf8')))
    assert.deepEqual(permits, ['operations/accounts/letter-permits.ts'])
  })

  it('says a refusal in a sentence that other languages know, with when it works again', () => {
    for (const name of keysOf(MAIL_BOUNDS)) {
      const said = overBound(name, 30, 1_500)
      assert.deepEqual(said.values, { count: 30, wait: '25 min' })
      assert.match(english(said), /\b30\b.* in 25 min/)
      assert.ok(!english(said).includes('{'), said.text)
      assert.ok(Object.hasOwn(DASHBOARD, said.text), said.text)
    }
  })

  it('never says a wait that is too short', () => {
    for (const [seconds, said] of [
      [1, '1 min'],
      [61, '2 min'],
      [5_400, '90 min'],
      [5_401, '2 h'],
      [86_400, '24 h'],
    ] as const) {
      assert.equal(waitOf(seconds), said)
    }
  })
})

describe('docs/mail.md', () => {
  const page = readFileSync(join(SRC, '../docs/mail.md'), 'utf8')
  const rowsOf = (heading: string) =>
    page
      .slice(page.indexOf(`\n## ${heading}\n`))
      .split('\n## ')[1]
      ?.split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
      .slice(1)

  it('lists every mail, who asks for it, whether its reader has agreed, and its bounds', () => {
    const ASKED: Record<MailKind['askedBy'], string> = {
      member: 'a member',
      holder: 'the holder of the account',
      visitor: 'a visitor',
      service: 'the service',
    }
    const AGREED = { yes: 'yes', no: 'no', trusted: 'yes; not asked without open sign-up' } as const
    const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ') || '–'
    const rows = kinds.map(
      ([, { name, askedBy, agreed, refusedOver, droppedOver, gatheredOver }]) =>
        `| ${name} | ${ASKED[askedBy]} | ${AGREED[agreed]} | ${list([...refusedOver, ...droppedOver, ...gatheredOver])} |`,
    )
    assert.deepEqual(rowsOf('Every mail'), rows)
  })

  it('lists every bound with its numbers', () => {
    const PER: Record<MailCounter, string> = {
      team: 'team',
      person: 'person, over all their teams',
      client: "visitor's network",
      page: 'status page',
      pages: 'team, over all its status pages',
      mailbox: 'address',
      account: 'account',
    }
    const WINDOW: Record<number, string> = { 600: 'ten minutes', 3600: 'an hour', [DAY]: 'a day' }
    const kindsOver = (name: string, over: 'refusedOver' | 'droppedOver' | 'gatheredOver') =>
      kinds.some(([, entry]) => (entry[over] as readonly string[]).includes(name))
    const rows = Object.entries(bounds).map(([name, { per, windowSeconds, most }]) => {
      const over = [
        kindsOver(name, 'refusedOver') && 'refused',
        kindsOver(name, 'droppedOver') && 'not sent',
        kindsOver(name, 'gatheredOver') && (name.startsWith('notices') ? 'in the log only' : 'sent together'),
      ].filter(Boolean)
      const numbers = [most.open, most.closed].map((count) => count.toLocaleString('en-US'))
      return `| \`${name}\` | ${PER[per]} | ${WINDOW[windowSeconds]} | ${numbers.join(' | ')} | ${over.join(', ')} |`
    })
    assert.deepEqual(rowsOf('The bounds'), rows)
  })
})
