import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adviceOf } from '../../../src/core/alerting/advised.ts'
import { ContactType } from '../../../src/core/alerting/contact-types.ts'

type Row = [type: ContactType, status: number | null, detail: string, advice: RegExp | null]

/** Answers of vendors, as their documents and their users' reports have it. */
const TABLE: Row[] = [
  ['slack', 410, 'HTTP 410: channel_is_archived', /^The Slack channel is archived: unarchive it/],
  ['slack', 404, 'HTTP 404: channel_not_found', /channel was deleted/],
  ['slack', 404, 'HTTP 404: no_service', /webhook was removed/],
  ['slack', 403, 'HTTP 403: invalid_token', /webhook was removed/],
  ['slack', 403, 'HTTP 403: action_prohibited', /administrator/],
  ['slack', 404, 'HTTP 404: no_team', /webhook was removed/],
  ['slack', 500, 'HTTP 500: rollup_error', null],
  ['discord', 404, 'HTTP 404: {"message": "Unknown Webhook", "code": 10015}', /webhook was deleted/],
  ['discord', 401, 'HTTP 401: {"message": "Invalid Webhook Token", "code": 50027}', /new webhook/],
  ['discord', 429, 'HTTP 429: You are being rate limited', null],
  ['telegram', 403, 'HTTP 403: Forbidden: bot was blocked by the user', /press Start/],
  [
    'telegram',
    403,
    'HTTP 403: Forbidden: bot was kicked from the supergroup chat',
    /add it to the chat again/,
  ],
  ['telegram', 403, 'HTTP 403: Forbidden: the group chat was deleted', /add it to the chat again/],
  ['telegram', 400, 'HTTP 400: Bad Request: chat not found', /check the chat ID/],
  ['telegram', 400, 'HTTP 400: Bad Request: TOPIC_CLOSED', /topic/],
  ['telegram', 401, 'HTTP 401: Unauthorized', /bot token/],
  ['teams', 404, 'HTTP 404: The workflow could not be found.', /deleted/],
  ['teams', 410, 'HTTP 410: Connector has been retired', /connector was retired/],
  ['teams', 400, 'HTTP 400: The workflow trigger is not enabled', /turned off/],
  ['teams', 403, 'HTTP 403: The authentication credentials are not valid', /signature/],
  ['googlechat', 401, 'HTTP 401: UNAUTHENTICATED: Invalid token.', /new webhook/],
  ['googlechat', 404, 'HTTP 404: NOT_FOUND: Requested entity was not found.', /deleted/],
  ['mattermost', 404, 'HTTP 404: Invalid webhook.', /webhook was deleted/],
  [
    'mattermost',
    501,
    'HTTP 501: Incoming webhooks have been disabled by the system admin.',
    /System Console/,
  ],
  ['mattermost', 403, 'HTTP 403: This channel has been archived.', /unarchive/],
  ['matrix', 401, 'HTTP 401: M_UNKNOWN_TOKEN: Invalid access token passed.', /sign the account in again/],
  ['matrix', 403, 'HTTP 403: M_FORBIDDEN: User not in room', /let it join/],
  [
    'matrix',
    403,
    'HTTP 403: M_FORBIDDEN: no (the room was upgraded to !n:x, which',
    /invite the account to the new/,
  ],
  [
    'pagerduty',
    400,
    "HTTP 400: Event object is invalid: Length of 'routing_key' is incorrect",
    /integration key/,
  ],
  ['pagerduty', 400, 'HTTP 400: Event object is invalid: Invalid routing key', /integration key/],
  [
    'pushover',
    400,
    'HTTP 400: user identifier is not a valid user, group, or subscribed user key',
    /active device/,
  ],
  ['pushover', 400, 'HTTP 400: application token is invalid', /API token/],
  ['pushover', 429, 'HTTP 429: application is over its quota of messages', /of the month/],
  ['pushover', 429, 'HTTP 429: application has exceeded its monthly limit', /of the month/],
  ['sms', 400, 'HTTP 400: Attempt to send to unsubscribed recipient (21610)', /START/],
  ['sms', 400, "HTTP 400: Invalid 'To' Phone Number (21211)", /check it/],
  ['sms', 400, 'HTTP 400: Permission to send an SMS has not been enabled (21408)', /geo permissions/],
  ['sms', 401, 'HTTP 401: Authenticate (20003)', /auth token/],
  ['ntfy', 401, 'HTTP 401: unauthorized (40101)', /access token/],
  ['ntfy', 403, 'HTTP 403: forbidden (40301)', /access token/],
  ['ntfy', 429, 'HTTP 429: limit reached: daily message quota reached (42908)', /of the day/],
  ['gotify', 401, 'HTTP 401: you need to provide a valid access token', /save its token/],
  ['webpush', 410, 'HTTP 410: gone', /Alert this browser/],
  ['webpush', 403, 'HTTP 403: invalid VAPID key', /no longer knows this installation/],
  ['webhook', 301, 'HTTP 301 (redirects are not followed)', /has moved/],
  ['webhook', 308, 'HTTP 308 (redirects are not followed)', /has moved/],
  ['webhook', 302, 'HTTP 302 (redirects are not followed)', /redirects to another/],
  ['webhook', 410, 'HTTP 410', /any more/],
  ['webhook', 503, 'HTTP 503', null],
  ['email', 550, 'Recipient rejected: 550 5.1.1 no such user', /spelled/],
  ['email', 535, 'Invalid login: 535 5.7.8', /mail settings of the service/],
  ['email', 451, '451 try again later', null],
]

describe('the advice about what a vendor answered', () => {
  for (const [type, status_code, detail, advice] of TABLE) {
    test(`${type} ${detail}`, () => {
      const said = adviceOf(type, { outcome: 'rejected', status_code, detail })
      if (advice === null) assert.equal(said, null)
      else assert.match(said ?? 'none', advice)
      assert.equal(adviceOf(type, { outcome: 'sent', status_code, detail }), null)
    })
  }

  test('is there for every type', () => {
    const types = new Set(TABLE.flatMap(([type, , , advice]) => (advice ? [type] : [])))
    assert.deepEqual([...types].sort(), [...ContactType.options].sort())
  })

  test('is one or two plain sentences', () => {
    for (const [type, status_code, detail] of TABLE) {
      const said = adviceOf(type, { outcome: 'rejected', status_code, detail }) ?? 'It is.'
      assert.match(said, /^[A-Z].*\.$/)
      assert.ok(said.length <= 140, said)
    }
  })
})
