import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBlocks } from '../support/documents/docs-blocks.ts'
import { testWebhookReceiver } from '../support/servers/webhook-receivers.ts'

testWebhookReceiver({
  lang: 'ts',
  file: 'webhook.ts',
  driver: {
    'driver.ts': `import { verifyWebhook } from './webhook.ts'
for (const line of (await new Response(process.stdin as never).text()).trim().split('\\n')) {
  const { secret, headers, body } = JSON.parse(line)
  try {
    console.log(verifyWebhook(secret, headers, body).name)
  } catch {
    console.log('refused')
  }
}`,
  },
  command: (folder) => [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
    join(folder, 'driver.ts'),
  ],
})

test('there are receivers in the languages that files of test/programs try', () => {
  const found = readBlocks('docs/webhooks.md').map(({ lang }) => lang)
  for (const lang of ['python', 'go', 'php']) assert.ok(found.includes(lang), lang)
})
