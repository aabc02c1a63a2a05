import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { COMPONENT_STATES } from '../../src/core/status-pages/component-state.ts'
import { ATLASSIAN_STATES, statusOf } from '../../src/core/status-pages/documents/atlassian-page.ts'
import { MACHINE_PATHS } from '../../src/core/status-pages/documents/machine-documents.ts'
import { type Notice, noticeDocument } from '../../src/core/status-pages/subscribers/notice.ts'
import { PAGE_WORDS } from '../../src/core/status-pages/words/words.ts'
import { readBlocks } from '../support/documents/docs-blocks.ts'
import { ATLASSIAN_SCHEMAS } from '../support/status-pages/atlassian-schemas.ts'

const FILE = 'docs/status-pages.md'

type UpdateDocument = Extract<ReturnType<typeof noticeDocument>, { update: unknown }>

/** The notice that the documented webhook tells of. */
function noticeAs({ page, post, update }: UpdateDocument): Notice {
  return {
    ...{ type: 'webhook', address: 'https://hooks.example.com/', token: '…', language: 'en', page },
    update: {
      ...update,
      at: new Date(update.at),
      post: {
        ...post,
        startedAt: new Date(post.started_at),
        resolvedAt: null,
        scheduledFor: null,
        scheduledUntil: null,
      },
    },
  }
}

describe(FILE, () => {
  const text = readFileSync(join(import.meta.dirname, '../..', FILE), 'utf8')

  it('names every address for programs', () => {
    assert.deepEqual(
      MACHINE_PATHS.filter((path) => !text.includes(`\`/${path}\``)),
      [],
    )
  })

  it("says how each state reads in Statuspage's documents", () => {
    for (const state of COMPONENT_STATES) {
      const { indicator, description } = statusOf(state)
      const row = `| ${PAGE_WORDS.en.states[state]} | \`${indicator}\` | ${description} | \`${ATLASSIAN_STATES[state]}\` |`
      assert.ok(text.includes(row), row)
    }
  })

  it('shows documents as they are', () => {
    const [question, webhook, status] = readBlocks(FILE)
      .filter(({ lang }) => lang === 'json')
      .map(({ text }) => JSON.parse(text))
    const { page, confirm_url } = question
    const token = confirm_url.split('/').at(-1)
    const asking: Notice = { ...noticeAs(webhook), page, token, update: null }
    assert.deepEqual(question, noticeDocument(asking))
    ATLASSIAN_SCHEMAS['api/v2/status.json'].parse(status)
    assert.deepEqual(webhook, JSON.parse(JSON.stringify(noticeDocument(noticeAs(webhook)))))
  })
})
