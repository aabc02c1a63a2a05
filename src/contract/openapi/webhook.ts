import { schemaRef } from './components.ts'
import type { JsonSchema } from './json-schema.ts'

const header = (name: string, description: string, example: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', maxLength: 1_024 },
  example,
})

/** The request that a contact of type `webhook` receives. */
export function webhooks(): Record<string, JsonSchema> {
  return {
    alert: {
      post: {
        operationId: 'receiveAlert',
        tags: ['Notification contacts'],
        summary: 'An alert',
        description:
          'Sent to the `url` of a contact of type `webhook` for each alert, signed as Standard Webhooks describes. Anything but 2xx within ten seconds is retried for a day, except for 4xx other than 408, 425 and 429. Redirects are not followed.',
        security: [],
        parameters: [
          header(
            'webhook-id',
            'Identifies the delivery and stays the same across retries: use it to drop duplicates.',
            'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
          ),
          header('webhook-timestamp', 'Time of the attempt, in Unix seconds.', '1795253400'),
          header(
            'webhook-signature',
            "`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` with the team's signing secret.",
            'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          ),
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaRef('WebhookAlert'), example: EXAMPLE } },
        },
        responses: {
          '2XX': { description: 'Received. The body is ignored.' },
          '4XX': { description: 'Rejected and not retried, except for 408, 425 and 429.' },
          '5XX': { description: 'Retried; `Retry-After` is honored.' },
        },
      },
    },
  }
}

const EXAMPLE = {
  event: 'monitor.down',
  type: 'monitor',
  id: 42,
  name: 'Shop',
  target: 'https://shop.example.com/',
  timestamp: '2026-11-21T09:30:00+00:00',
}
