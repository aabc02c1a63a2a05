import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ContactConfigs, ContactType, maskConfig } from '../../../src/core/alerting/contact.ts'
import { destinationOf } from '../../../src/core/alerting/contact-types.ts'
import { MASK } from '../../../src/core/teams/access.ts'

describe('a config as viewers see it', () => {
  test('is what its keys say may be shown', () => {
    const seen = {
      email: [{ email: 'ops@example.com' }, { email: 'ops@example.com' }],
      slack: [
        { webhook_url: 'https://hooks.slack.com/T0/B0', channel: '#ops' },
        { webhook_url: `https://hooks.slack.com/${MASK}`, channel: '#ops' },
      ],
      discord: [
        { webhook_url: 'https://discord.com/api/1/x', thread_id: '5' },
        { webhook_url: `https://discord.com/${MASK}`, thread_id: '5' },
      ],
      telegram: [
        { bot_token: '1:a', chat_id: '@status', message_thread_id: '7' },
        { bot_token: MASK, chat_id: '@status', message_thread_id: '7' },
      ],
      webhook: [
        { url: 'https://example.com/hook?key=1', verify_tls: 'no' },
        { url: `https://example.com/${MASK}`, verify_tls: 'no' },
      ],
      webpush: [
        { endpoint: 'https://push.example.net/push/x', p256dh: 'BCVx', auth: 'BTBZ' },
        { endpoint: `https://push.example.net/${MASK}`, p256dh: MASK, auth: MASK },
      ],
      ntfy: [
        { topic_url: 'https://ntfy.sh/my-alerts', token: 'tk_x', verify_tls: 'no' },
        { topic_url: `https://ntfy.sh/${MASK}`, token: MASK, verify_tls: 'no' },
      ],
      pagerduty: [
        { routing_key: 'R01', region: 'eu' },
        { routing_key: MASK, region: 'eu' },
      ],
      pushover: [
        { app_token: 'az', user_key: 'uQ' },
        { app_token: MASK, user_key: MASK },
      ],
      gotify: [
        { server_url: 'https://gotify.example/in', app_token: 'AW', verify_tls: 'no' },
        { server_url: `https://gotify.example/${MASK}`, app_token: MASK, verify_tls: 'no' },
      ],
      sms: [
        { account_sid: 'AC0', auth_token: '0', from: '+1501', to: '+1555' },
        { account_sid: MASK, auth_token: MASK, from: '+1501', to: '+1555' },
      ],
      teams: [
        { webhook_url: 'https://prod-1.logic.azure.com/workflows/1?sig=x' },
        { webhook_url: `https://prod-1.logic.azure.com/${MASK}` },
      ],
      matrix: [
        {
          ...{
            homeserver_url: 'https://matrix.example/x',
            access_token: 'syt_x',
            room_id: '!a:matrix.example',
          },
          verify_tls: 'no',
        },
        {
          homeserver_url: `https://matrix.example/${MASK}`,
          access_token: MASK,
          room_id: '!a:matrix.example',
          verify_tls: 'no',
        },
      ],
      googlechat: [
        { webhook_url: 'https://chat.googleapis.com/v1/spaces/A?key=x' },
        { webhook_url: `https://chat.googleapis.com/${MASK}` },
      ],
      mattermost: [
        { webhook_url: 'https://mattermost.example/hooks/x', verify_tls: 'no' },
        { webhook_url: `https://mattermost.example/${MASK}`, verify_tls: 'no' },
      ],
    } satisfies Record<ContactType, [config: Record<string, string>, seen: Record<string, string>]>
    for (const type of ContactType.options) {
      const [config, masked] = seen[type]
      assert.deepEqual(Object.keys(config), Object.keys(ContactConfigs[type].shape))
      assert.deepEqual(maskConfig(config, [type]), masked)
      assert.deepEqual(maskConfig(config), masked)
    }
  })

  test('names where alerts go, but shows no key on a list, even to owners', () => {
    const pager = { routing_key: 'R0123456789abcdefghijklmnopqrstu', region: 'us' }
    assert.equal(destinationOf({ type: 'pagerduty', config: pager }), MASK)
    assert.equal(
      destinationOf({ type: 'sms', config: { auth_token: 'x', to: '+15558675310' } }),
      '+15558675310',
    )
  })

  test('is nothing of a key that says nothing', () => {
    const config = { loft: 'https://loft.example', ring: 'BE-17', feather: 'grey' }
    assert.deepEqual(maskConfig(config), { loft: MASK, ring: MASK, feather: MASK })
    assert.deepEqual(maskConfig({ url: 'https://example.com/' }, ['email']), { url: MASK })
  })
})
