import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SECRET_PLACES } from '../../src/core/monitors/options/secret-options.ts'
import { SECRET_SETTINGS } from '../../src/core/monitors/secret-settings.ts'
import { isHidden } from '../../src/core/secret-fields.ts'

it('the value of a secret appears in no message, and any other may', () => {
  const settings = Object.entries(SECRET_SETTINGS).map(([name, masked]) =>
    masked === 'whole' ? name : `${name}.X-Key`,
  )
  const options = SECRET_PLACES.map((path) => path.map((key) => (key === '*' ? 'any' : key)).join('.'))
  assert.ok(options.includes('options.tls.client_key'), options.join())
  const others = ['bot_token', 'config.auth_token', 'account_sid', 'monitors.3.password']
  for (const field of [...settings, ...options, ...others]) assert.ok(isHidden(field), field)
  for (const field of ['name', 'request_headers', 'options', 'options.tls', 'options.tls.ca', 'tokens'])
    assert.equal(isHidden(field), false, field)
})
