import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { signatureHeaders } from '../src/alerts/signature.ts'
import { readBlocks } from './support/docs-blocks.ts'
import { isInstalled } from './support/installed.ts'

const SECRET = `whsec_${Buffer.from('a signing secret of thirty bytes').toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.from('another secret of thirty bytes!!').toString('base64')}`
const BODY = JSON.stringify({ event: 'monitor.down', type: 'monitor', id: 1, name: 'Café ☕', target: null })

type Delivery = { secret: string; headers: Record<string, string>; body: string }

function deliver(changes: { secret?: string; sentAt?: Date } = {}): Delivery {
  const headers = signatureHeaders(changes.secret ?? SECRET, 'msg_1', changes.sentAt ?? new Date(), BODY)
  return { secret: SECRET, headers, body: BODY }
}

/** What arrives, and whether a receiver believes it. */
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

/** Reads a delivery from standard input and prints the name in the alert, or `refused`, by the example. */
type Language = {
  lang: string
  file: string
  isThere: () => boolean
  driver: { file: string; text: string }
  command: (folder: string) => [string, ...string[]]
}

const LANGUAGES: Language[] = [
  {
    lang: 'ts',
    file: 'webhook.ts',
    isThere: () => true,
    driver: {
      file: 'driver.ts',
      text: `import { verifyWebhook } from './webhook.ts'
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
  },
  {
    lang: 'python',
    file: 'webhook.py',
    isThere: () => isInstalled('python3'),
    driver: {
      file: 'driver.py',
      text: `import json, sys
from webhook import verify_webhook
sys.stdout.reconfigure(encoding="utf-8")
for line in sys.stdin.buffer:
    asked = json.loads(line)
    try:
        print(verify_webhook(asked["secret"], asked["headers"], asked["body"].encode())["name"])
    except ValueError:
        print("refused")
`,
    },
    command: (folder) => ['python3', '-B', join(folder, 'driver.py')],
  },
  {
    lang: 'go',
    file: 'webhook/webhook.go',
    isThere: () => isInstalled('go', 'version'),
    driver: {
      file: 'main.go',
      text: `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/receiver/webhook"
)

func main() {
	decoder := json.NewDecoder(os.Stdin)
	for decoder.More() {
		var asked struct {
			Secret  string
			Headers map[string]string
			Body    string
		}
		if err := decoder.Decode(&asked); err != nil {
			panic(err)
		}
		header := http.Header{}
		for name, value := range asked.Headers {
			header.Set(name, value)
		}
		var alert struct{ Name string }
		if webhook.Verify(asked.Secret, header, []byte(asked.Body)) != nil {
			fmt.Println("refused")
		} else if err := json.Unmarshal([]byte(asked.Body), &alert); err == nil {
			fmt.Println(alert.Name)
		}
	}
}
`,
    },
    command: () => ['go', 'run', '.'],
  },
  {
    lang: 'php',
    file: 'webhook.php',
    isThere: () => isInstalled('php'),
    driver: {
      file: 'driver.php',
      text: `<?php
require __DIR__ . '/webhook.php';
foreach (file('php://stdin') as $line) {
    $asked = json_decode($line, true);
    try {
        echo verify_webhook($asked['secret'], $asked['headers'], $asked['body'])['name'], "\\n";
    } catch (RuntimeException) {
        echo "refused\\n";
    }
}
`,
    },
    command: (folder) => ['php', join(folder, 'driver.php')],
  },
]

describe('the receivers of docs/webhooks.md', () => {
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upbeat-receivers-'))
  })
  after(() => rm(folder, { recursive: true }))

  for (const { lang, file, isThere, driver, command } of LANGUAGES) {
    it(`believe what the service signed and nothing else, in ${lang}`, async (test) => {
      const [example] = readBlocks('docs/webhooks.md').filter((block) => block.lang === lang)
      assert.ok(example, `an example in ${lang}`)
      if (!isThere()) return test.skip(`${lang} is not installed`)
      const place = join(folder, lang)
      await mkdir(join(place, 'webhook'), { recursive: true })
      await writeFile(join(place, file), example.text)
      await writeFile(join(place, driver.file), driver.text)
      await writeFile(join(place, 'go.mod'), 'module example.com/receiver\n\ngo 1.19\n')
      const [program, ...args] = command(place)
      const env = {
        ...process.env,
        GOCACHE: join(folder, 'go-cache'),
        GOFLAGS: '-mod=mod',
        GOTOOLCHAIN: 'local',
      }
      const running = promisify(execFile)(program, args, { env, cwd: place, timeout: 120_000 })
      running.child.stdin?.end(CASES.map(([, delivery]) => `${JSON.stringify(delivery())}\n`).join(''))
      const said = (await running).stdout.trim().split('\n')
      assert.deepEqual(
        said.map((line, index) => [CASES[index]?.[0], line]),
        CASES.map(([what, , isBelieved]) => [what, isBelieved ? 'Café ☕' : 'refused']),
      )
    })
  }
})
