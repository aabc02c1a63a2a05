import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ContactConfigs, ContactType, maskConfig } from '../../../src/core/alerting/contact.ts'
import { MASK } from '../../../src/core/teams/access.ts'

describe('a config as viewers see it', () => {
  test('is what its keys say may be shown', () => {
    const seen = {
      email: [{ email: 'ops@example.com' }, { email: 'ops@example.com' }],
      slack: [
        { webhook_url: 'https://hooks.slack.com/T0/B0' },
        { webhook_url: `https://hooks.slack.com/${MASK}` },
      ],
      discord: [
        { webhook_url: 'https://discord.com/api/1/x' },
        { webhook_url: `https://discord.com/${MASK}` },
      ],
      telegram: [
        { bot_token: '1:a', chat_id: '@status' },
        { bot_token: MASK, chat_id: '@status' },
      ],
      webhook: [{ url: 'https://example.com/hook?key=1' }, { url: `https://example.com/${MASK}` }],
      webpush: [
        { endpoint: 'https://push.example.net/push/x', p256dh: 'BCVx', auth: 'BTBZ' },
        { endpoint: `https://push.example.net/${MASK}`, p256dh: MASK, auth: MASK },
      ],
      ntfy: [
        { topic_url: 'https://ntfy.sh/my-alerts', token: 'tk_x' },
        { topic_url: `https://ntfy.sh/${MASK}`, token: MASK },
      ],
    } satisfies Record<ContactType, [config: Record<string, string>, seen: Record<string, string>]>
    for (const type of ContactType.options) {
      const [config, masked] = seen[type]
      assert.deepEqual(Object.keys(config), Object.keys(ContactConfigs[type].shape))
      assert.deepEqual(maskConfig(config, [type]), masked)
      assert.deepEqual(maskConfig(config), masked)
    }
  })

  test('is nothing of a key that says nothing', () => {
    const config = { loft: 'https://loft.example', ring: 'BE-17', feather: 'grey' }
    assert.deepEqual(maskConfig(config), { loft: MASK, ring: MASK, feather: MASK })
    assert.deepEqual(maskConfig({ url: 'https://example.com/' }, ['email']), { url: MASK })
  })
})
