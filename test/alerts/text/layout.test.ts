import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { discordPayload } from '../../../src/alerts/discord.ts'
import { ntfyMessage } from '../../../src/alerts/ntfy.ts'
import { slackPayload } from '../../../src/alerts/slack.ts'
import { telegramText } from '../../../src/alerts/telegram.ts'
import { type Dialect, fit, writeBody, writeTitle } from '../../../src/alerts/text/layout.ts'
import { escapeDiscord, escapeHtml, escapeSlack, escapeTelegram } from '../../../src/alerts/text/markup.ts'
import { compose } from '../../../src/alerts/text/message.ts'
import { DOWN, SERVER_DOWN, SITE_URL } from '../../support/servers/receivers-alert.ts'

const WHOLE = Number.MAX_SAFE_INTEGER

describe('text of others means itself and nothing else', () => {
  const table: [escape: (character: string) => string, text: string, written: string][] = [
    [escapeSlack, '<!channel>', '&lt;!channel&gt;'],
    [escapeSlack, '<@U123> <https://evil.example|Shop>', '&lt;@U123&gt; &lt;https://evil.example|Shop&gt;'],
    [escapeSlack, 'Q&A &amp;', 'Q&amp;A &amp;amp;'],
    [escapeDiscord, '**Shop** _x_ `y` ||z||', '\\*\\*Shop\\*\\* \\_x\\_ \\`y\\` \\|\\|z\\|\\|'],
    [escapeDiscord, '[Shop](https://evil.example)', '\\[Shop\\]\\(https\\://evil.example\\)'],
    [escapeDiscord, '@everyone <@1> \\', '\\@everyone \\<\\@1\\> \\\\'],
    [escapeTelegram, '<b>Q&A</b>', '&lt;b&gt;Q&amp;A&lt;/b&gt;'],
    [escapeTelegram, '@everybody', '@\u2060everybody'],
    [escapeHtml, `<img src="x" onerror='y'>&`, '&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;'],
  ]
  for (const [escape_, text, written] of table) {
    test(`${escape_.name} of ${text}`, () => {
      assert.equal(fit(text, WHOLE, escape_), written)
    })
  }
})

describe('fitting text into a limit', () => {
  test('cuts neither a code point nor an escape in two, and says so with an ellipsis', () => {
    assert.equal(fit('ab👩👩', 6, escapeSlack), 'ab👩👩')
    assert.equal(fit('ab👩👩', 5, escapeSlack), 'ab👩…')
    assert.equal(fit('ab👩👩', 4, escapeSlack), 'ab…')
    assert.equal(fit('a&b', 6, escapeSlack), 'a…')
  })

  test('never exceeds the limit and never leaves half a character', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 50 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        const fitted = fit(text, limit, escapeTelegram)
        return fitted.length <= limit && (!text.isWellFormed() || fitted.isWellFormed())
      }),
    )
  })
})

describe('a headline and its lines', () => {
  const html: Dialect = { escape: escapeHtml, bold: (escaped) => `<b>${escaped}</b>` }

  test('stay within any limit, markup included', () => {
    const text = fc.string({ unit: fc.constantFrom('&', 'x', '👩'), minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(text, text, fc.integer({ min: 12, max: 300 }), (name, cause, limit) => {
        const message = compose({ ...DOWN, name, cause }, SITE_URL)
        assert.ok(writeTitle(message, html, limit).length <= limit)
        assert.ok(writeBody(message, html, limit).length <= limit)
      }),
    )
  })

  test('leave out what has no room rather than a label without its value', () => {
    assert.equal(
      writeBody(compose(DOWN, SITE_URL), html, 58),
      '<b>Target:</b> https://shop.example/\n<b>Cause:</b> HTTP 5…',
    )
  })
})

describe('the limits of the services', () => {
  const longest = fc.record({
    name: fc.string({ unit: fc.constantFrom('&', '<', '*', 'x', '👩'), minLength: 255, maxLength: 255 }),
    target: fc.string({ unit: fc.constantFrom('&', '_', 'x'), minLength: 500, maxLength: 500 }),
    cause: fc.string({ unit: fc.constantFrom('"', '>', '@', '~', '日'), minLength: 500, maxLength: 3_000 }),
    teamName: fc.string({ unit: fc.constantFrom('&', 'x'), minLength: 255, maxLength: 255 }),
  })

  test('hold for the longest names, targets and causes', () => {
    fc.assert(
      fc.property(longest, fc.constantFrom(DOWN, SERVER_DOWN), (texts, alert) => {
        const message = compose({ ...alert, ...texts }, SITE_URL)
        const slackTexts = slackPayload(message).blocks.flatMap((block) => block.text?.text ?? [])
        const discord = discordPayload(message)
        assert.ok(slackTexts.every((text) => text.length <= 3_000))
        assert.ok(discord.content.length <= 2_000)
        assert.ok(discord.embeds.every(({ description }) => description.length <= 4_096))
        const telegram = telegramText(message)
        assert.ok(telegram.length <= 4_096)
        assert.ok(telegram.endsWith(`\n\n${SITE_URL}`))
        const ntfy = ntfyMessage(message)
        assert.ok(ntfy.title.length <= 250 && Buffer.byteLength(ntfy.message) <= 4_096)
      }),
      { numRuns: 50 },
    )
  })
})
