import { type Answer, type Received, replyJson } from './receivers.ts'

/** Checks and answers like a workflow of Teams, which takes Adaptive Cards of at most 28 kB. */
export const likeTeams: Answer = (response, { headers, bytes, body }) => {
  const refuse = (code: string, message: string) => replyJson(response, 400, { error: { code, message } })
  if (!isJson(headers)) return refuse('InvalidRequestContent', 'The request content is not valid JSON.')
  if (bytes.length > 28 * 1_024) return refuse('RequestEntityTooLarge', 'The card is too large.')
  const { type, attachments } = JSON.parse(body)
  const [{ contentType, content }] = attachments
  const isCard = contentType === 'application/vnd.microsoft.card.adaptive' && content.type === 'AdaptiveCard'
  if (type !== 'message' || !isCard) return refuse('TriggerInputSchemaMismatch', 'No Adaptive Card.')
  const isShown = content.body.every((block: { type: string; inlines: { type: string; text: string }[] }) => {
    const runs = block.type === 'RichTextBlock' ? block.inlines : []
    return runs.length > 0 && runs.every((run) => run.type === 'TextRun' && run.text.length > 0)
  })
  const canOpen = content.actions.every(
    (action: { type: string; url: string }) => action.type === 'Action.OpenUrl' && URL.canParse(action.url),
  )
  if (!isShown || !canOpen) return refuse('BadRequest', 'The card cannot be shown.')
  response.writeHead(202).end()
}

/** Checks and answers like a webhook of Google Chat with these credentials in its address. */
export function likeGoogleChat(key: string, token: string): Answer {
  return (response, { path, headers, bytes, body }) => {
    const refuse = (code: number, status: string, message: string) =>
      replyJson(response, code, { error: { code, status, message } })
    const { searchParams } = new URL(path, 'http://localhost')
    if (searchParams.get('key') !== key) return refuse(400, 'INVALID_ARGUMENT', 'API key not valid.')
    if (searchParams.get('token') !== token) return refuse(401, 'UNAUTHENTICATED', 'Invalid token.')
    if (!isJson(headers)) return refuse(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.')
    if (bytes.length > 32_000) return refuse(400, 'INVALID_ARGUMENT', 'Message is too long.')
    const { text, cardsV2, thread, ...others } = JSON.parse(body)
    const [unknown] = Object.keys(others)
    if (unknown) return refuse(400, 'INVALID_ARGUMENT', `Unknown name "${unknown}": Cannot find field.`)
    if (!text && !cardsV2?.length) return refuse(400, 'INVALID_ARGUMENT', 'Message cannot be empty.')
    const answersThread = searchParams.get('messageReplyOption') === 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD'
    const name = answersThread ? `spaces/A/threads/${thread.threadKey}` : 'spaces/A/threads/new'
    replyJson(response, 200, { name: 'spaces/A/messages/B', text, thread: { name } })
  }
}

/** Checks and answers like an incoming webhook of Mattermost. */
export function likeMattermost(path: string): Answer {
  return (response, received) => {
    const refuse = (status_code: number, id: string, message: string) =>
      replyJson(response, status_code, { id, message, request_id: 'r1', status_code })
    if (received.path !== path)
      return refuse(404, 'web.incoming_webhook.invalid.app_error', 'Invalid webhook.')
    if (!isJson(received.headers)) return refuse(400, 'api.webhook.incoming.error', 'Could not decode.')
    const { text, attachments } = JSON.parse(received.body)
    const texts: string[] = [text, ...attachments.map((attachment: { text: string }) => attachment.text)]
    if (texts.some((one) => !one || one.length > 16_383)) {
      return refuse(400, 'web.incoming_webhook.text.app_error', 'No text specified, or too much.')
    }
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok')
  }
}

/** Checks and answers like a homeserver of Matrix that knows one account, which has joined one room. */
export function likeMatrix(token: string, room: string): Answer {
  const events = new Map<string, string>()
  return (response, { method, path, headers, bytes, body }) => {
    const refuse = (status: number, errcode: string, error: string) =>
      replyJson(response, status, { errcode, error })
    const place = /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([^/]+)$/.exec(path)
    if (!place) return refuse(404, 'M_UNRECOGNIZED', 'Unrecognized request')
    if (method !== 'PUT') return refuse(405, 'M_UNRECOGNIZED', 'Unrecognized request')
    if (headers.authorization !== `Bearer ${token}`) {
      return refuse(401, 'M_UNKNOWN_TOKEN', 'Invalid access token passed.')
    }
    const [joined, transaction] = [place[1] ?? '', place[2] ?? ''].map(decodeURIComponent)
    if (joined !== room) return refuse(403, 'M_FORBIDDEN', `User not in room ${joined}`)
    if (!isJson(headers)) return refuse(400, 'M_NOT_JSON', 'Content not JSON.')
    if (bytes.length > 60_000) return refuse(413, 'M_TOO_LARGE', 'event too large')
    const { msgtype, body: text } = JSON.parse(body)
    if (typeof msgtype !== 'string' || typeof text !== 'string') return refuse(400, 'M_BAD_JSON', 'No text')
    // A transaction that was seen has its first answer again.
    const id = events.get(transaction ?? '') ?? `$event${events.size + 1}:example.org`
    events.set(transaction ?? '', id)
    replyJson(response, 200, { event_id: id })
  }
}

function isJson(headers: Received['headers']): boolean {
  return /^application\/json\b/.test(headers['content-type'] ?? '')
}
