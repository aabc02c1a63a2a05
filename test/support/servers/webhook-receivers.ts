import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { signatureHeaders } from '../../../src/alerts/signature.ts'
import { readBlocks } from '../documents/docs-blocks.ts'
import { runProgram } from '../programs.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const SECRET = `whsec_${Buffer.from('a signing secret of thirty bytes').toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.from('another secret of thirty bytes!!').toString('base64')}`
const BODY = JSON.stringify({ event: 'monitor.down', type: 'monitor', id: 1, name: 'Café ☕', target: null })

type Delivery = { secret: string; headers: Record<string, string>; body: string }

function deliver(changes: { secret?: string; sentAt?: Date } = {}): Delivery {
  const headers = signatureHeaders(changes.secret ?? SECRET, 'msg_1', changes.sentAt ?? new Date(), BODY)
  return { secret: SECRET, headers, body: BODY }
}

/** A request that arrives, and whether a receiver accepts it. */
const CASES: [what: string, delivery: () => Delivery, isBelieved: boolean][] = [
  ['what the service sent', () => deliver(), true],
  [
    'one of several signatures that fits',
    () => {
      const delivery = deliver()
      const { 'webhook-signature': wrong } = deliver({ secret: OTHER_SECRET }).headers
      const both = `v1a,abc ${wrong} ${delivery.headers['webhook-signature']}`
      return { ...delivery, headers: { ...delivery.headers, 'webhook-signature': both } }
    },
    true,
  ],
  ['another secret', () => deliver({ secret: OTHER_SECRET }), false],
  ['a body that was changed', () => ({ ...deliver(), body: BODY.replace('1', '2') }), false],
  ['one that was sent ten minutes ago', () => deliver({ sentAt: new Date(Date.now() - 600_000) }), false],
  ['one from ten minutes ahead', () => deliver({ sentAt: new Date(Date.now() + 600_000) }), false],
  ['no headers', () => ({ ...deliver(), headers: {} }), false],
  [
    'an empty signature',
    () => {
      const delivery = deliver()
      return { ...delivery, headers: { ...delivery.headers, 'webhook-signature': '' } }
    },
    false,
  ],
  [
    'a time that is none',
    () => {
      const delivery = deliver()
      return { ...delivery, headers: { ...delivery.headers, 'webhook-timestamp': 'now' } }
    },
    false,
  ],
]

/** An example of docs/webhooks.md, and how it is tried. */
export type WebhookReceiver = {
  lang: string
  file: string
  /** Files around it, by name: together they read deliveries and print the name in each alert, or `refused`. */
  driver: Record<string, string>
  command: (folder: string) => [string, ...string[]]
  env?: (folder: string) => Record<string, string>
}

export function testWebhookReceiver({ lang, file, driver, command, env }: WebhookReceiver): void {
  test(`the receiver in ${lang} believes what the service signed and nothing else`, (context) => {
    const [example] = readBlocks('docs/webhooks.md').filter((block) => block.lang === lang)
    assert.ok(example, `an example in ${lang}`)
    const folder = temporaryFolder(context)
    for (const [name, text] of Object.entries({ ...driver, [file]: example.text })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const [program, ...args] = command(folder)
    const { stdout } = runProgram(program, args, {
      cwd: folder,
      env: { ...process.env, ...env?.(folder) },
      input: CASES.map(([, delivery]) => `${JSON.stringify(delivery())}\n`).join(''),
    })
    assert.deepEqual(
      stdout
        .trim()
        .split('\n')
        .map((line, index) => [CASES[index]?.[0], line]),
      CASES.map(([what, , isBelieved]) => [what, isBelieved ? 'Café ☕' : 'refused']),
    )
  })
}
