import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { discordPayload } from '../../../src/alerts/discord.ts'
import { mailHtml, mailText } from '../../../src/alerts/mail/mail.ts'
import { slackPayload } from '../../../src/alerts/slack.ts'
import { telegramText } from '../../../src/alerts/telegram.ts'
import { compose } from '../../../src/alerts/text/message.ts'
import { startReceiver } from '../../support/servers/receivers.ts'
import { DOWN, SITE_URL } from '../../support/servers/receivers-alert.ts'
import { sendOver } from '../../support/servers/receivers-channels.ts'

const URL_TEXT = 'https://wiki.example/shop_down?a=1&b=2'
const said = (runbook: string, notes = 'Call Ada. · Restart it.') =>
  compose({ ...DOWN, runbook, notes }, SITE_URL)

describe('the runbook and the notes of a monitor', () => {
  test('are in the text of every channel, and the link leads there', () => {
    const message = said(URL_TEXT)
    const escaped = URL_TEXT.replace('&', '&amp;')
    assert.ok(mailText(message).includes(`\n\nRunbook: ${URL_TEXT}\n\n`))
    assert.ok(mailHtml(message).includes(`<a href="${escaped}">${escaped}</a>`))
    const slack = JSON.stringify(slackPayload(message))
    assert.ok(slack.includes(`*Runbook:* <${escaped}|${escaped}>`) && slack.includes(`Runbook: ${URL_TEXT}`))
    assert.ok(discordPayload(message).embeds[0]?.description.includes(`**Runbook:** ${URL_TEXT}`))
    assert.ok(telegramText(message).includes(`<b>Runbook:</b> ${escaped}`))
    for (const text of [
      mailText(message),
      slack,
      telegramText(message),
      JSON.stringify(discordPayload(message)),
    ])
      assert.ok(text.includes('Restart it.'), text)
  })

  test('are no markup: a link keeps its host, and its other characters are escaped', () => {
    const { runbook } = said('https://[::1]:8/a|<!channel>[x](y)`*"@here')
    assert.equal(runbook, 'https://[::1]:8/a%7C%3C!channel%3E%5Bx%5D%28y%29%60%2A%22%40here')
    assert.equal(said('javascript:alert(1)').runbook, undefined)
  })

  test('stay within the limits of the services, however long', () => {
    const message = compose(
      {
        ...DOWN,
        cause: '&'.repeat(500),
        runbook: `https://x.example/${'&'.repeat(480)}`,
        notes: '&'.repeat(300),
      },
      SITE_URL,
    )
    assert.ok(telegramText(message).length <= 4_096)
    assert.ok(discordPayload(message).embeds.every(({ description }) => description.length <= 4_096))
    assert.ok(slackPayload(message).blocks.every(({ text }) => (text?.text.length ?? 0) <= 3_000))
  })
})

describe('the link by which a contact acknowledges an incident', () => {
  const acknowledgeUrl = `${SITE_URL}/acknowledge/LiNk0123456789?a=1&b=2`

  test('is in the text of every channel', () => {
    const message = compose(DOWN, SITE_URL, { incidentId: 7, acknowledgeUrl })
    const escaped = acknowledgeUrl.replace('&', '&amp;')
    assert.ok(mailText(message).endsWith(`\n\nAcknowledge: ${acknowledgeUrl}\n\n${SITE_URL}`))
    assert.match(
      mailHtml(message),
      /<a href="[^"]*acknowledge[^"]*" style="[^"]*background:[^"]*">Acknowledge<\/a>/,
    )
    assert.ok(mailHtml(message).includes(`<a href="${escaped}"`))
    assert.ok(mailHtml(message).includes(`<a href="${SITE_URL}">Open Upbeat</a>`))
    assert.ok(JSON.stringify(slackPayload(message)).includes(`<${escaped}|Acknowledge>`))
    const [embed] = discordPayload(message).embeds
    assert.ok(embed?.description.endsWith(`\n**Acknowledge:** ${acknowledgeUrl}\n${SITE_URL}`))
    assert.ok(telegramText(message).endsWith(`\n\n<b>Acknowledge:</b> ${escaped}\n\n${SITE_URL}`))
  })

  test('stays out of the delivery log, even where a receiver repeats it', async (t) => {
    const receiver = await startReceiver(t, (response, { body }) =>
      response.writeHead(400).end(/https:[^|"\\]*acknowledge[^|]*/.exec(body)?.[0]),
    )
    const { detail } = await sendOver(
      'slack',
      receiver,
      {},
      { acknowledgeUrl: `${SITE_URL}/acknowledge/LiNk0123456789` },
    )
    assert.equal(detail, `HTTP 400: ${SITE_URL}********`)
  })
})
