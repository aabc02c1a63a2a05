import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ContactType } from '../../src/core/alerting/contact.ts'
import { NO_KUMA_CONTENT } from '../support/imports/kuma-database.ts'
import { fromGatus, fromUptimeKuma, fromUptimeRobot, TERMS } from '../support/imports/read-exports.ts'

const KEY = 'R0123456789abcdefghijklmnopqrstu'
const PUSHOVER = { app_token: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi', user_key: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' }
const SMS = {
  account_sid: `AC${'0'.repeat(32)}`,
  auth_token: '0'.repeat(32),
  from: '+15017122661',
  to: '+15558675310',
}
const MATRIX = {
  homeserver_url: 'https://matrix.example',
  access_token: 'syt_x',
  room_id: '!a:matrix.example',
}

type Case = [settings: Record<string, unknown>, type: ContactType, config: Record<string, string>]

function fromKuma(config: Record<string, unknown>) {
  const notification = { id: 1, name: 'One', config }
  return fromUptimeKuma({ ...NO_KUMA_CONTENT, notifications: [notification] }, TERMS)
}

describe('a notification of Uptime Kuma', () => {
  const cases: Case[] = [
    [
      {
        type: 'ntfy',
        ntfyserverurl: 'https://ntfy.example/',
        ntfytopic: 'down',
        ntfyAuthenticationMethod: 'none',
      },
      'ntfy',
      { topic_url: 'https://ntfy.example/down', token: '' },
    ],
    [
      { type: 'ntfy', ntfytopic: 'down', ntfyAuthenticationMethod: 'accessToken', ntfyaccesstoken: 'tk_1' },
      'ntfy',
      { topic_url: 'https://ntfy.sh/down', token: 'tk_1' },
    ],
    [
      { type: 'teams', webhookUrl: 'https://prod-1.logic.azure.com/workflows/1' },
      'teams',
      { webhook_url: 'https://prod-1.logic.azure.com/workflows/1' },
    ],
    [
      {
        type: 'PagerDuty',
        pagerdutyIntegrationKey: KEY,
        pagerdutyIntegrationUrl: 'https://events.eu.pagerduty.com/v2/enqueue',
      },
      'pagerduty',
      { routing_key: KEY, region: 'eu' },
    ],
    [
      { type: 'pushover', pushoverapptoken: PUSHOVER.app_token, pushoveruserkey: PUSHOVER.user_key },
      'pushover',
      PUSHOVER,
    ],
    [
      {
        type: 'gotify',
        gotifyserverurl: 'https://gotify.example',
        gotifyapplicationToken: 'AWo',
        gotifyPriority: 8,
      },
      'gotify',
      { server_url: 'https://gotify.example', app_token: 'AWo' },
    ],
    [
      {
        type: 'matrix',
        homeserverUrl: MATRIX.homeserver_url,
        accessToken: MATRIX.access_token,
        internalRoomId: MATRIX.room_id,
      },
      'matrix',
      MATRIX,
    ],
    [
      { type: 'GoogleChat', googleChatWebhookURL: 'https://chat.example/v1/spaces/A?key=1' },
      'googlechat',
      { webhook_url: 'https://chat.example/v1/spaces/A?key=1' },
    ],
    [
      { type: 'mattermost', mattermostWebhookUrl: 'https://mattermost.example/hooks/1' },
      'mattermost',
      { webhook_url: 'https://mattermost.example/hooks/1' },
    ],
    [
      {
        type: 'twilio',
        twilioAccountSID: SMS.account_sid,
        twilioAuthToken: SMS.auth_token,
        twilioFromNumber: SMS.from,
        twilioToNumber: SMS.to,
      },
      'sms',
      SMS,
    ],
  ]
  for (const [settings, type, config] of cases) {
    it(`of the kind ${settings.type} is a contact of type ${type}`, () => {
      const { declaration, notes, skipped } = fromKuma(settings)
      const [contact] = declaration.contacts
      assert.deepEqual([contact?.type, contact?.config, notes, skipped], [type, config, [], []])
    })
  }

  it('of PagerDuty ends its incidents if it did there', () => {
    const recovers = ['0', 'acknowledge', 'resolve'].map((pagerdutyAutoResolve) => {
      const settings = { type: 'PagerDuty', pagerdutyIntegrationKey: KEY, pagerdutyAutoResolve }
      return fromKuma(settings).declaration.contacts[0]?.notify_on_recovery
    })
    assert.deepEqual(recovers, [false, false, true])
  })

  const faults: [settings: Record<string, unknown>, reason: RegExp][] = [
    [{ type: 'ntfy', ntfytopic: 'a', ntfyAuthenticationMethod: 'usernamePassword' }, /^signs in with a name/],
    [
      { type: 'PagerDuty', pagerdutyIntegrationUrl: 'https://pd.example/' },
      /^sends to an address of its own/,
    ],
    [{ type: 'twilio', twilioApiKey: 'SK1' }, /^signs in with an API key/],
    [
      { type: 'teams', webhookUrl: 'https://acme.webhook.office.com/webhookb2/s3cret' },
      /config\.webhook_url/,
    ],
  ]
  for (const [settings, reason] of faults) {
    it(`is skipped, and says why: ${reason.source}`, () => {
      const { declaration, skipped } = fromKuma(settings)
      assert.deepEqual(declaration.contacts, [])
      assert.match(skipped[0]?.reason ?? '', reason)
      assert.doesNotMatch(JSON.stringify(skipped), /s3cret/)
    })
  }

  const notes: [settings: Record<string, unknown>, note: RegExp][] = [
    [{ type: 'ntfy', ntfytopic: 'a', ntfyCall: 'yes' }, /^called a phone/],
    [
      {
        type: 'pushover',
        pushoverapptoken: PUSHOVER.app_token,
        pushoveruserkey: PUSHOVER.user_key,
        pushoverdevice: 'x',
      },
      /^went to one device/,
    ],
    [
      {
        type: 'pushover',
        pushoverapptoken: PUSHOVER.app_token,
        pushoveruserkey: PUSHOVER.user_key,
        pushoversounds: 'siren',
      },
      /^had sounds/,
    ],
    [
      { type: 'PagerDuty', pagerdutyIntegrationKey: KEY, pagerdutyAutoResolve: 'acknowledge' },
      /^acknowledged/,
    ],
    [
      { type: 'mattermost', mattermostWebhookUrl: 'https://m.example/hooks/1', mattermostchannel: 'ops' },
      /^posted to a channel/,
    ],
  ]
  for (const [settings, note] of notes) {
    it(`comes over with a note: ${note.source}`, () => {
      const outcome = fromKuma(settings)
      assert.equal(outcome.declaration.contacts.length, 1)
      assert.deepEqual(outcome.notes.filter((each) => note.test(each.note)).length, 1)
    })
  }
})

describe('a provider of Gatus', () => {
  const cases: Case[] = [
    [{ topic: 'down' }, 'ntfy', { topic_url: 'https://ntfy.sh/down', token: '' }],
    [
      { url: 'https://ntfy.example', topic: 'down', token: 'tk_1' },
      'ntfy',
      { topic_url: 'https://ntfy.example/down', token: 'tk_1' },
    ],
    [{ 'integration-key': KEY }, 'pagerduty', { routing_key: KEY, region: 'us' }],
    [{ 'application-token': PUSHOVER.app_token, 'user-key': PUSHOVER.user_key }, 'pushover', PUSHOVER],
    [
      { 'server-url': 'https://gotify.example', token: 'AWo' },
      'gotify',
      { server_url: 'https://gotify.example', app_token: 'AWo' },
    ],
    [
      {
        'server-url': MATRIX.homeserver_url,
        'access-token': MATRIX.access_token,
        'internal-room-id': MATRIX.room_id,
      },
      'matrix',
      MATRIX,
    ],
    [{ 'webhook-url': 'https://chat.example/1' }, 'googlechat', { webhook_url: 'https://chat.example/1' }],
    [{ 'webhook-url': 'https://m.example/1' }, 'mattermost', { webhook_url: 'https://m.example/1' }],
    [{ 'webhook-url': 'https://teams.example/1' }, 'teams', { webhook_url: 'https://teams.example/1' }],
    [{ sid: SMS.account_sid, token: SMS.auth_token, from: SMS.from, to: SMS.to }, 'sms', SMS],
  ]
  const names: Partial<Record<ContactType, string[]>> = {
    sms: ['twilio'],
    teams: ['teams', 'teams-workflows'],
  }
  for (const [settings, type, config] of cases) {
    for (const kind of names[type] ?? [type]) {
      it(`called ${kind} is a contact of type ${type}: ${Object.keys(settings)}`, () => {
        const alerts = [{ type: kind, 'failure-threshold': 1 }]
        const endpoint = { name: 'One', url: 'https://one.example/', conditions: ['[STATUS] == 200'], alerts }
        const { declaration } = fromGatus([{ alerting: { [kind]: settings }, endpoints: [endpoint] }], TERMS)
        const [contact] = declaration.contacts
        assert.deepEqual([contact?.type, contact?.config], [type, config])
      })
    }
  }
})

describe('an alert contact of UptimeRobot', () => {
  const cases: [
    kinds: (string | number)[],
    value: string,
    type: ContactType,
    config: Record<string, string>,
  ][] = [
    [[16, 'PagerDuty'], KEY, 'pagerduty', { routing_key: KEY, region: 'us' }],
    [[20, 'MSTeams'], 'https://teams.example/1', 'teams', { webhook_url: 'https://teams.example/1' }],
    [[21, 'GoogleChat'], 'https://chat.example/1', 'googlechat', { webhook_url: 'https://chat.example/1' }],
    [[24, 'Mattermost'], 'https://m.example/1', 'mattermost', { webhook_url: 'https://m.example/1' }],
  ]
  for (const [kinds, value, type, config] of cases) {
    for (const kind of kinds) {
      it(`of the kind ${kind} is a contact of type ${type}`, () => {
        const { declaration } = read({ type: kind, value })
        assert.deepEqual(
          declaration.contacts.map((contact) => [contact.type, contact.config]),
          [[type, config]],
        )
      })
    }
  }

  it('of Pushover needs an application of one’s own', () => {
    assert.match(read({ type: 9, value: PUSHOVER.user_key }).skipped[0]?.reason ?? '', /create your own/)
  })

  function read(contact: Record<string, unknown>) {
    const contacts = [{ id: '1', friendly_name: 'One', status: 2, ...contact }]
    const monitors = [{ id: 1, friendly_name: 'Shop', type: 1, url: 'https://shop.example/', interval: 60 }]
    return fromUptimeRobot(
      [
        { stat: 'ok', monitors },
        { stat: 'ok', alert_contacts: contacts },
      ],
      TERMS,
    )
  }
})
